//! Why no node took the pod as it is.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, px};
use crate::picture::scene::{Mark, Part, Role, TextStyle};
use crate::picture::sentences::{amount, cpu, node_link, sum};

use super::super::brush::{cross, words};
use super::super::stage::Stage;
use super::super::threads::way;
use super::Node;
use super::columns::Columns;

/// The failed first try: the thread, its cut, and why.
pub(super) fn first_try(
    stage: &Stage<'_>,
    columns: &Columns,
    node: &Node<'_>,
    start: Point,
) -> Vec<Part> {
    let name = &node.run.node;
    let thread = Part::new(format!("thread/{name}"), Role::Thread)
        .link(node_link(name))
        .with(
            Mark::path(way(start, node.y, columns.gate - px(8), px(56)))
                .edged(Token::Soft, Px(15))
                .faded(70),
        );
    let mut cut = Part::new(format!("verdict/{name}"), Role::Verdict).link(node_link(name));
    let center = Point::new(columns.gate, node.y);
    cut.marks
        .extend(cross(center, px(16), Token::Unsched, Token::Sheet));
    let says = stage.row(name).map_or_else(String::new, |row| {
        let sum = row
            .verdict
            .reason()
            .and_then(|reason| sum(reason, in_cores));
        sum.unwrap_or_else(|| stage.voice.label(row))
    });
    let style = TextStyle::sans(12).middle();
    let says = measure::shortened(&says, &style, px(104));
    let mark = words(columns.gate, node.y + px(25), says, style, Token::Soft);
    let ground = mark.bounds().grown(px(2));
    cut.add(Mark::rect(ground, Px::ZERO).filled(Token::Paper));
    cut.add(mark);
    alloc::vec![thread, cut]
}

/// An amount as the rest of the figure writes it: CPU in cores.
fn in_cores(resource: &str, value: i64) -> String {
    match resource {
        "cpu" => cpu(value),
        other => amount(other, value),
    }
}
