//! A scenario's figure, small: who is in its turn, whom the gates cut, and what is on the nodes, as the run has it at the
//! moment it opens at.

use core::fmt::{Arguments, Write as _};

use leptos::prelude::*;

/// The small figure.
#[component]
pub fn SmallFigure(
    /// A line of `engine/figures.txt`, without the name.
    line: String,
) -> impl IntoView {
    let (code, strokes) = strokes(&line);
    let strokes = strokes.into_iter();
    let strokes = strokes.map(|(class, path)| view! { <path class=class d=path></path> });
    view! {
        <svg class="small-figure" viewBox="0 0 640 192" aria-hidden="true">
            {strokes.collect_view()}
            <text x="38" y="104">{code}</text>
        </svg>
    }
}

/// The code of the pod in its turn, and what to draw: classes of the style sheet with paths, lowest first.
fn strokes(line: &str) -> (String, Vec<(String, String)>) {
    let mut words = line.split(' ');
    let mut code = words.next().unwrap_or_default().chars();
    let hue = code.next().unwrap_or_default();
    let rows: Vec<Row> = words.filter_map(Row::read).collect();
    let all: usize = rows.iter().map(|row| row.count).sum();
    let thick = |row: &Row| (row.count * 64 / all.max(1)).max(row.count.min(3));
    let ropes: usize = rows.iter().map(thick).sum();
    let gap = (176_usize.saturating_sub(ropes) / rows.len().max(1)).min(30);
    let mut top = (192_usize.saturating_sub(ropes + gap * rows.len())) / 2;
    let gates = rows.iter().filter_map(Row::gate).max();
    let gates = gates.map_or(0, |last| last + 1);
    let mut reach = vec![(192, 0); gates];
    let x_of = |gate: usize| FIRST_GATE + gate * GATES / gates.max(1);
    let mut drawn = Drawn(ORDER.map(|class| (class.to_owned(), String::new())).into());
    for row in &rows {
        let (thick, cut) = (thick(row), row.gate());
        let y = top + (thick + gap) / 2;
        top += thick + gap;
        let end = cut.map_or(FIRST_NODE - 16, x_of);
        match row.verdict {
            '-' => {}
            '*' => drawn.thread("small-chosen", y, end),
            _ if row.count == 0 => drawn.thread("small-thread", y, end),
            _ => drawn.rope(y, thick, end),
        }
        if cut.is_some() {
            drawn.rect(
                "small-cut",
                end - 6,
                y - thick.max(12) / 2,
                12,
                thick.max(12),
            );
        }
        drawn.berth(row, y, gap.saturating_sub(4).clamp(4, 20));
        for (gate, reach) in reach.iter_mut().enumerate() {
            if row.verdict != '-' && cut.is_none_or(|cut| gate <= cut) {
                *reach = (y.min(reach.0), y.max(reach.1));
            }
        }
    }
    for (gate, (from, to)) in reach.iter().enumerate() {
        let (x, from) = (x_of(gate), from.saturating_sub(16));
        drawn.add("small-gate", format_args!("M{x} {from}V{}", to + 16));
    }
    drawn.rect(&class_of(hue), 4, 74, 68, 44);
    (code.collect(), drawn.0)
}

/// A node, or a group of nodes with one verdict.
struct Row {
    /// How many nodes are in the group; 0 for a node by itself.
    count: usize,
    /// `*` chosen, `.` passed, `-` not asked, `A` and on: the gate that cut it.
    verdict: char,
    width: usize,
    /// Hues and widths of what is on it.
    pods: Vec<(char, usize)>,
}

impl Row {
    /// Reads a word such as `72xA60z30`: a count, then letters, each with its number.
    fn read(word: &str) -> Option<Self> {
        let (count, rest) = word.split_once('x').unwrap_or(("0", word));
        let mut pods: Vec<(char, usize)> = Vec::new();
        for sign in rest.chars() {
            match (sign.to_digit(10), pods.last_mut()) {
                (Some(digit), Some((_, number))) => *number = *number * 10 + digit as usize,
                _ => pods.push((sign, 0)),
            }
        }
        let (verdict, width) = (!pods.is_empty()).then(|| pods.remove(0))?;
        Some(Self {
            count: count.parse().ok()?,
            verdict,
            width,
            pods,
        })
    }

    fn gate(&self) -> Option<usize> {
        let letter = self.verdict as usize;
        letter.checked_sub('A' as usize)
    }
}

/// Paths by their classes.
struct Drawn(Vec<(String, String)>);

impl Drawn {
    fn add(&mut self, class: &str, path: Arguments<'_>) {
        let found = self.0.iter_mut().find(|(known, _)| known == class);
        // A text takes everything.
        match found {
            Some((_, text)) => _ = text.write_fmt(path),
            None => self.0.push((class.to_owned(), path.to_string())),
        }
    }

    fn rect(&mut self, class: &str, x: usize, y: usize, w: usize, h: usize) {
        self.add(class, format_args!("M{x} {y}h{w}v{h}h-{w}z"));
    }

    fn thread(&mut self, class: &str, y: usize, end: usize) {
        let path = format_args!("M72 96C132 96 124 {y} 184 {y}H{end}");
        self.add(class, path);
    }

    /// A rope as thick as it has threads.
    fn rope(&mut self, y: usize, thick: usize, end: usize) {
        let over = y - thick / 2;
        let under = over + thick;
        let path = format_args!(
            "M72 94C132 94 124 {over} 184 {over}H{end}V{under}H184C124 {under} 132 98 72 98z"
        );
        self.add("small-rope", path);
    }

    fn berth(&mut self, row: &Row, y: usize, high: usize) {
        let class = match row.verdict {
            '*' => "small-chosen",
            _ => "small-berth",
        };
        let (top, mut x) = (y - high / 2, FIRST_NODE);
        self.rect(class, x, top, row.width * UNIT, high);
        for (hue, width) in &row.pods {
            self.rect(&class_of(*hue), x, top, width * UNIT, high);
            x += width * UNIT;
        }
    }
}

/// The style sheet's class for a hue's letter.
fn class_of(hue: char) -> String {
    match hue {
        's' => "hue-sys".to_owned(),
        'z' => "small-taken".to_owned(),
        _ => format!("hue-{}", (hue as u32).saturating_sub('a' as u32)),
    }
}

/// What lies below what.
const ORDER: [&str; 6] = [
    "small-rope",
    "small-thread",
    "small-gate",
    "small-berth",
    "small-chosen",
    "small-cut",
];
const FIRST_GATE: usize = 240;
/// From the first gate to the first node.
const GATES: usize = 190;
const FIRST_NODE: usize = 450;
/// So wide is what the line counts.
const UNIT: usize = 3;

#[cfg(test)]
mod tests {
    use super::{Row, strokes};

    #[test]
    fn a_word_is_a_node_or_a_group() {
        let told = |word| Row::read(word).map(|row| (row.count, row.verdict, row.width, row.pods));
        assert_eq!(told("A60"), Some((0, 'A', 60, vec![])));
        assert_eq!(told("72x.60z30"), Some((72, '.', 60, vec![('z', 30)])));
        assert_eq!(
            told(".42s1a10"),
            Some((0, '.', 42, vec![('s', 1), ('a', 10)]))
        );
        assert_eq!(told(""), None);
    }

    #[test]
    fn what_is_cut_ends_at_its_gate_and_what_passed_at_its_node() {
        let (code, drawn) = strokes("aap A60s2 .60b20");
        assert_eq!(code, "ap");
        let of = |class: &str| {
            let found = drawn.iter().find(|(known, _)| known == class);
            found.map(|(_, path)| path.clone()).unwrap_or_default()
        };
        let threads = of("small-thread");
        assert!(
            threads.contains("H240") && threads.contains("H434"),
            "{threads}"
        );
        assert_eq!(of("small-cut").matches('M').count(), 1);
        assert_eq!(of("small-berth").matches('M').count(), 2);
        assert!(of("hue-1").contains("h60"), "{drawn:?}");
        assert!(of("hue-0").starts_with("M4 74"), "{drawn:?}");
    }

    #[test]
    fn a_thousand_nodes_are_two_ropes_as_thick_as_they_have_nodes() {
        let (_, drawn) = strokes("bwe 900xA60z10 100x.60");
        let ropes = &drawn[0].1;
        assert!(
            ropes.starts_with("M72 94C132 94 124 49 184 49H240V106"),
            "{ropes}"
        );
        assert_eq!(ropes.matches('M').count(), 2);
    }
}
