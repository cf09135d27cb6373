//! The folded figure: ropes of threads, one for each verdict; groups that open in place; nodes as gauges by zone.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Flight, Mark, Panel, Part, Role, Segment, Shape, TextStyle};
use crate::picture::sentences::{Arg, Key, gate_link, node_link, signed};
use crate::picture::verdicts::GateKind;

use super::berths::Berth;
use super::brush::{Space, bottom_of, cross_lines, fitted, heading, words};
use super::fold_all::Whole;
use super::gates::{Post, foot_names, gate_parts, place_posts};
use super::groups::{Group, Kind, Placed, groups, place, rope_pitch};
use super::landing::Course;
use super::pod::colors;
use super::score::{Board, bar, legend};
use super::stage::{Columns, Stage};
use super::story::Figure;
use super::threads::way;
use super::turn::{TURN, links, turn};
use super::waiting::waiting;
use super::zones::{Zones, opened, place_row, zone_heads};

/// Draws the folded figure into a frame.
pub(in crate::picture) fn fold(stage: &Stage<'_>, frame: Rect) -> Figure {
    let columns = Columns::new(frame.w, stage.form, stage.finds);
    let whole = Whole::of(stage);
    let top = whole.as_ref().map_or(FIRST_TOP, |_| Whole::FIRST_TOP);
    let (placed, end) = place(stage, groups(stage), top);
    // What is opened moves what is below it, and nothing else.
    let unfolded: Px = placed.iter().map(|row| row.unfolded).sum();
    let middle = (top + (end - unfolded - top).half()).min(top + px(260));
    // What the pod asks for can be longer than the rows are high.
    let about = turn(stage, columns.turn.0 + px(4), middle, px(124));
    let foot = (end + px(16)).max(bottom_of(&about) + px(18));
    let records = whole.as_ref().map_or(Px::ZERO, Whole::height);
    let height = frame.h.max(foot + px(24) + records);
    let mut panel = Panel::at(Rect::new(frame.x, frame.y, frame.w, height));
    let start = Point::new(columns.turn.0 + px(4) + TURN.0, middle);
    let posts = match &whole {
        Some(_) => Whole::posts(stage, &columns),
        None => place_posts(&stage.whole, &stage.standing_gates(false), &columns),
    };
    let zones = Zones::new(stage, columns.nodes);
    let mut space = Space::default();
    let rig = Rig {
        stage,
        columns: &columns,
        posts: &posts,
        start,
        reach: columns.gates.0 - px(2) - start.x,
    };

    let mut labels = rig.labels(&placed, &mut space);
    let unfolded = rig.unfolded(&placed, &zones);
    unfolded.iter().for_each(|part| space.take_texts(part));
    labels.extend(unfolded);
    panel.parts.extend(headings(stage, &columns, &zones));
    let column = columns
        .waiting
        .map(|(from, to)| waiting(stage, from, to, height));
    let anchors = column.as_ref().map(|column| column.anchors.clone());
    panel
        .parts
        .extend(column.map(|column| column.parts).unwrap_or_default());
    let reach = |post: &Post| reach_of(&placed, post, top);
    panel.parts.extend(match &whole {
        Some(_) => Whole::gates(stage, &posts, reach, &space),
        None => gate_parts(stage, &columns, &posts, reach, px(110), &space),
    });
    let flight = rig.rows(&placed, labels, &zones, end, &mut space, &mut panel);
    panel.parts.extend(rig.turn(anchors, middle));
    panel.parts.extend(match &whole {
        Some(whole) => whole.foot(stage, &columns, &posts, foot, height),
        None => foot_parts(stage, &columns, &posts, foot, &mut space),
    });
    Figure { panel, flight }
}

/// How far down a gate reaches: to the last rope that comes to it.
fn reach_of(placed: &[Placed<'_>], post: &Post, top: Px) -> Px {
    let comes = placed.iter().rev().find(|row| match row.group.kind {
        Kind::Rejected(gate) => gate >= post.gate,
        Kind::NotAsked => false,
        _ => true,
    });
    comes.map_or(top, |row| row.y + row.rope.half() + px(6))
}

fn headings(stage: &Stage<'_>, columns: &Columns, zones: &Zones) -> Vec<Part> {
    let mut parts = super::story::headings(stage, columns);
    if !zones.has_columns() {
        return parts;
    }
    if let Some(nodes) = parts.iter_mut().find(|part| part.id == "head/nodes") {
        let (from, to) = columns.nodes;
        *nodes = heading("nodes", stage.label(Key::NodesByZone), from, to);
    }
    parts
}

/// What all parts of the folded figure have in common.
struct Rig<'a, 'b> {
    stage: &'a Stage<'b>,
    columns: &'a Columns,
    posts: &'a [Post],
    start: Point,
    reach: Px,
}

impl Rig<'_, '_> {
    /// Ropes, verdicts, scores and nodes of all rows, and the way of the chosen pod; returns its flight.
    fn rows(
        &self,
        placed: &[Placed<'_>],
        labels: Vec<Part>,
        zones: &Zones,
        end: Px,
        space: &mut Space,
        panel: &mut Panel,
    ) -> Option<Flight> {
        let (stage, columns) = (self.stage, self.columns);
        let mut berths: Vec<(Part, Option<Berth>)> = Vec::new();
        for row in placed {
            berths.extend(place_row(stage, zones, row));
        }
        let course = self.course(placed, &berths);
        if let Some(course) = &course {
            let trail = course.trail(stage, zones.scale, self.posts, columns.score);
            panel.parts.extend(trail);
        }
        panel.parts.extend(self.ropes(placed));
        panel.parts.extend(self.winner(placed));
        panel.parts.extend(self.verdicts(placed));
        panel.parts.extend(labels);
        panel.parts.extend(self.scores(placed, space));
        if let Some(course) = &course {
            panel.parts.extend(course.steps(stage, columns, space));
        }
        panel.parts.extend(zone_heads(stage, zones, end));
        panel.parts.extend(berths.into_iter().map(|(part, _)| part));
        if let Some(course) = &course {
            let slot = course.slot(stage, zones.scale, Px::ZERO, space);
            panel.parts.extend(slot);
        }
        course?.flight(stage, zones.scale)
    }

    /// Where the rope of a group ends.
    fn end_of(&self, group: &Group<'_>) -> Px {
        match group.kind {
            Kind::Rejected(gate) => {
                let post = self.posts.iter().find(|post| post.gate == gate);
                post.map_or(self.columns.score, |post| post.x - px(10))
            }
            Kind::NotAsked => self.columns.gates.0 - px(2),
            _ => self.columns.score,
        }
    }

    /// The nodes of opened groups.
    fn unfolded(&self, placed: &[Placed<'_>], zones: &Zones) -> Vec<Part> {
        let mut parts = Vec::new();
        for row in placed.iter().filter(|row| row.shown > 0) {
            let x = self.text_x(row);
            parts.extend(opened(self.stage, zones, row, x, self.columns.nodes.0));
        }
        parts
    }

    /// How many gates a group passed.
    fn passed(&self, group: &Group<'_>) -> usize {
        match group.kind {
            Kind::Rejected(gate) => self.posts.iter().filter(|post| post.gate < gate).count(),
            Kind::NotAsked => 0,
            _ => self.posts.len(),
        }
    }

    /// Where the words of a group begin.
    fn text_x(&self, row: &Placed<'_>) -> Px {
        match row.group.kind {
            Kind::Rejected(_) => self.end_of(&row.group) + px(39),
            Kind::NotAsked => self.columns.gates.0 + px(14),
            _ => self.columns.score + px(12),
        }
    }

    fn links_of(&self, group: &Group<'_>) -> Vec<alloc::string::String> {
        match group.kind {
            Kind::Chosen => alloc::vec!["win".to_string()],
            Kind::Rejected(gate) => self
                .stage
                .sift
                .gates
                .get(gate)
                .map(|gate| gate_link(&gate.name))
                .into_iter()
                .collect(),
            _ => Vec::new(),
        }
    }

    fn ropes(&self, placed: &[Placed<'_>]) -> Vec<Part> {
        if !self.stage.sift.is_done {
            return Vec::new();
        }
        let all: usize = placed.iter().map(|row| row.group.rows.len()).sum();
        let spread = TURN.1 - px(6);
        let pitch = rope_pitch(self.stage.sift.rows.len());
        let mut from = 0_usize;
        let mut parts = Vec::new();
        for row in placed {
            let count = row.group.rows.len();
            let mut segments: Vec<Segment> = Vec::new();
            let end = self.end_of(&row.group);
            for place in 0..count {
                let at = i64::try_from(from + place).unwrap_or(0);
                let of = i64::try_from(all.saturating_sub(1).max(1)).unwrap_or(1);
                let start = Point::new(
                    self.start.x,
                    self.start.y - spread.half() + spread.share(at, of),
                );
                let y = row.y - row.rope.half() + pitch.each(place) + pitch.half();
                let y = if count == 1 { row.y } else { y };
                segments.extend(way(start, y, end, self.reach));
            }
            from += count;
            if matches!(row.group.kind, Kind::Chosen) {
                continue;
            }
            let mut part = Part::new(format!("rope/{}", row.group.id), Role::Rope)
                .labelled(row.group.title.clone());
            part.links = self.links_of(&row.group);
            let path = Mark::path(segments);
            part.add(match row.group.kind {
                Kind::NotAsked => path.edged(Token::Line, Px(8)).faded(80),
                Kind::Tied => path.edged(Token::Soft, Px(15)).faded(70),
                _ => path.edged(Token::Soft, Px(8)).faded(60),
            });
            parts.push(part);
        }
        parts
    }

    fn winner(&self, placed: &[Placed<'_>]) -> Option<Part> {
        let row = placed.iter().find(|row| row.group.kind == Kind::Chosen)?;
        let facts = self.stage.subject_facts()?;
        let edge = colors(self.stage.badge(&facts).hue).1;
        let to = self.columns.nodes.0;
        Some(
            Part::new("thread/chosen", Role::Thread)
                .link("win")
                .with(Mark::path(way(self.start, row.y, to, self.reach)).edged(edge, px(3))),
        )
    }

    /// What gates did to each rope: bars where it passed, a cut as high as the rope.
    fn verdicts(&self, placed: &[Placed<'_>]) -> Vec<Part> {
        let mut parts = Vec::new();
        if !self.stage.sift.is_done {
            return parts;
        }
        for row in placed {
            let mut part = Part::new(format!("passed/{}", row.group.id), Role::Verdict);
            part.links = self.links_of(&row.group);
            let height = row.rope.max(px(5));
            for post in self.posts.iter().take(self.passed(&row.group)) {
                let gate = self.stage.sift.gates.get(post.gate);
                if gate.is_some_and(|gate| gate.kind == GateKind::Skipped) {
                    continue;
                }
                let at = Rect::around(Point::new(post.x, row.y), px(5), height);
                part.add(Mark::rect(at, Px(25)).filled(Token::Bound));
            }
            if let Kind::Rejected(gate) = row.group.kind {
                let x = self.end_of(&row.group) + px(10);
                let at = Rect::around(Point::new(x, row.y), px(16), row.rope + px(4));
                let at = if at.h < px(16) {
                    Rect::around(at.center(), px(16), px(16))
                } else {
                    at
                };
                part.add(Mark::rect(at, px(3)).filled(Token::Unsched));
                part.add(cross_lines(at.center(), px(3), Token::Sheet));
                part.step = u8::try_from(gate).unwrap_or(u8::MAX);
            }
            parts.push(part);
        }
        parts
    }

    /// The words of rejected groups and of those that were not asked, with the triangle that opens them.
    fn labels(&self, placed: &[Placed<'_>], space: &mut Space) -> Vec<Part> {
        let mut parts = Vec::new();
        for row in placed {
            let token = match row.group.kind {
                Kind::Rejected(_) => Token::Unsched,
                Kind::NotAsked => Token::Soft,
                _ => continue,
            };
            let x = self.text_x(row);
            let most = self.columns.nodes.0 - px(12) - x;
            let has_detail = !row.group.detail.is_empty();
            let y = row.y + if has_detail { -px(4) } else { px(4) };
            let style = TextStyle::sans(12).bold();
            let mut part = Part::new(format!("group/{}", row.group.id), Role::Group)
                .labelled(format!("{} {}", row.group.title, row.group.detail))
                .does(row.group.action(row.shown > 0));
            part.links = self.links_of(&row.group);
            part.add(fitted(x, y, &row.group.title, style, most, token));
            if has_detail {
                part.add(fitted(
                    x,
                    y + px(16),
                    &row.group.detail,
                    TextStyle::sans(12),
                    most,
                    Token::Soft,
                ));
            }
            space.take_texts(&part);
            part.add(triangle(Point::new(x - px(13), y - px(4)), row.shown > 0));
            parts.push(part);
        }
        parts
    }

    fn scores(&self, placed: &[Placed<'_>], space: &mut Space) -> Vec<Part> {
        let board = Board::of(self.stage);
        let mut parts = Vec::new();
        for row in placed {
            match row.group.kind {
                Kind::Chosen | Kind::Tied => {
                    if let Some(board) = &board {
                        parts.extend(self.single_score(board, row, space));
                    }
                }
                Kind::Fits | Kind::SetBack => {
                    parts.push(self.cluster_score(board.as_ref(), row, space));
                }
                _ => {}
            }
        }
        parts
    }

    fn single_score(&self, board: &Board, row: &Placed<'_>, space: &mut Space) -> Option<Part> {
        let node = row.group.rows.first()?;
        let name = &node.node.name;
        let (_, total) = board.nodes.get(name)?;
        let is_chosen = row.group.kind == Kind::Chosen;
        let hue = self
            .stage
            .subject_facts()
            .map(|facts| self.stage.badge(&facts).hue)?;
        let (token, fade) = if is_chosen {
            (colors(hue).1, 100)
        } else {
            (Token::Ink, 42)
        };
        let at = Rect::new(self.columns.score, row.y - px(8), Px::ZERO, px(16));
        let scale = board.scale(self.columns.bind - self.columns.score - px(16));
        let (marks, places) = bar(board, name, at, token, fade, scale);
        let end = places.last().map_or(at.x, Rect::right);
        let mut part = Part::new(format!("score/{name}"), Role::Score).link(node_link(name));
        let ground = Rect::new(at.x - px(2), row.y - px(9), end - at.x + px(4), px(18));
        part.add(Mark::rect(ground, Px::ZERO).filled(Token::Paper));
        part.marks.extend(marks);
        let style = TextStyle::sans(12);
        if is_chosen {
            part.links.push("win".to_string());
            let says = self.tie_says(*total);
            part.add(words(at.x, row.y - px(13), says, style.bold(), token));
        } else {
            part.add(words(
                end + px(7),
                row.y + px(4),
                signed(*total),
                style,
                Token::Soft,
            ));
            let ties = self.stage.label(Key::Ties);
            let width = measure::width(&signed(*total), &style);
            let x = end + px(15) + width;
            part.add(words(x, row.y + px(4), ties, style, Token::Soft));
        }
        space.take_texts(&part);
        Some(part)
    }

    /// `422 · seed 7`, `422 · first of 4`, `429`.
    fn tie_says(&self, total: i64) -> alloc::string::String {
        use crate::framework::trace::TieRule;
        let Some((choice, _, _)) = self
            .stage
            .attempt
            .as_ref()
            .and_then(|attempt| attempt.choice)
        else {
            return signed(total);
        };
        if choice.tied.len() < 2 {
            return signed(total);
        }
        let seed = self.stage.shot.seed.unwrap_or_default().to_string();
        let n = Arg::Number(i64::try_from(choice.tied.len()).unwrap_or(0));
        let args = [
            ("score", Arg::Number(total)),
            ("n", n),
            ("seed", seed.into()),
        ];
        self.stage.text(
            match choice.tie_rule {
                TieRule::SearchOrder => Key::TieFirst,
                TieRule::Seeded => Key::TieSeed,
            },
            &args,
        )
    }

    /// A bar from the lowest to the highest score of a group, and how many they are.
    fn cluster_score(&self, board: Option<&Board>, row: &Placed<'_>, space: &mut Space) -> Part {
        let x = self.columns.score;
        let mut part = Part::new(format!("group/{}", row.group.id), Role::Group)
            .labelled(row.group.title.clone())
            .does(row.group.action(row.shown > 0));
        let style = TextStyle::sans(12);
        let most = self.columns.nodes.0 - px(8) - x - px(12);
        let title = measure::width(&row.group.title, &style).min(most);
        let ground = Rect::new(
            x - px(2),
            row.y - px(15),
            (title + px(18)).max(px(80)),
            px(30),
        );
        part.add(Mark::rect(ground, Px::ZERO).filled(Token::Paper));
        let y = if let Some(board) = board {
            let totals = row
                .group
                .rows
                .iter()
                .filter_map(|row| board.nodes.get(&row.node.name));
            let totals: Vec<i64> = totals.map(|(_, total)| *total).collect();
            let scale = board.scale(self.columns.bind - x - px(16));
            let width = |points: i64| px(1).share(points.max(0) * scale.0, scale.1);
            let low = width(totals.iter().copied().min().unwrap_or(0));
            let high = width(totals.iter().copied().max().unwrap_or(0));
            let solid = Rect::new(x, row.y - px(13), low, px(9));
            part.add(Mark::rect(solid, Px::ZERO).filled(Token::Ink).faded(30));
            let open = Rect::new(x + low, row.y - px(13), (high - low).max(Px(15)), px(9));
            part.add(Mark::rect(open, Px::ZERO).edged(Token::Soft, px(1)));
            row.y + px(12)
        } else {
            row.y + px(4)
        };
        part.add(triangle(Point::new(x, y - px(4)), row.shown > 0));
        let title = &row.group.title;
        part.add(fitted(x + px(12), y, title, style, most, Token::Ink));
        space.take_texts(&part);
        part
    }

    fn course(&self, placed: &[Placed<'_>], berths: &[(Part, Option<Berth>)]) -> Option<Course> {
        let row = placed.iter().find(|row| row.group.kind == Kind::Chosen)?;
        let node = row.group.rows.first()?;
        let id = format!("berth/{}", node.node.name);
        let (_, berth) = berths.iter().find(|(part, _)| part.id == id)?;
        Some(Course {
            start: self.start,
            reach: self.reach,
            y: row.y,
            berth: (*berth)?,
        })
    }

    fn turn(&self, anchors: Option<Vec<super::lanes::Anchor>>, middle: Px) -> Vec<Part> {
        let x = self.columns.turn.0 + px(4);
        let mut parts = turn(self.stage, x, middle, px(124));
        // Ropes to rows far below run steeply, behind the words below the pod.
        for part in &mut parts {
            let texts = part.marks.iter();
            let texts = texts.filter(|mark| matches!(mark.shape, Shape::Text { .. }));
            let grounds: Vec<Mark> = texts
                .map(|mark| Mark::rect(mark.bounds().grown(px(1)), Px::ZERO).filled(Token::Paper))
                .collect();
            part.marks.splice(0..0, grounds);
        }
        if let Some((_, to)) = self.columns.waiting {
            let at = Point::new(x, middle);
            parts.extend(links(self.stage, &anchors.unwrap_or_default(), to, at));
        }
        parts
    }
}

/// The sign that opens a group: it points right, or down when the group is open.
pub(in crate::picture) fn triangle(at: Point, is_open: bool) -> Mark {
    let p = |x: i32, y: i32| Point::new(at.x + px(x), at.y + px(y));
    let corners = if is_open {
        [p(0, -3), p(8, -3), p(4, 4)]
    } else {
        [p(0, -4), p(7, 0), p(0, 4)]
    };
    let [one, two, three] = corners;
    Mark::path(alloc::vec![
        Segment::Move(one),
        Segment::Line(two),
        Segment::Line(three),
        Segment::Close,
    ])
    .filled(Token::Ink)
}

fn foot_parts(
    stage: &Stage<'_>,
    columns: &Columns,
    posts: &[Post],
    y: Px,
    space: &mut Space,
) -> Vec<Part> {
    let mut parts = Vec::new();
    let style = TextStyle::sans(12);
    if stage.finds {
        parts.extend(legend(stage, columns.score, y, columns.nodes.1));
        let says = stage.label(Key::OpenNumbers);
        let mark = words(
            columns.score,
            y + px(16),
            says,
            style.underlined(),
            Token::Ink,
        );
        parts.push(
            Part::new("more/numbers", Role::Note)
                .does(Action::Numbers)
                .with(mark),
        );
    }
    let says = stage.label(Key::EveryNodeDrawn);
    let (from, to) = columns.nodes;
    let y_note = if stage.finds { y + px(16) } else { y };
    parts.push(Part::new("note/every", Role::Note).with(fitted(
        from,
        y_note,
        &says,
        style,
        to - from,
        Token::Soft,
    )));
    let all = stage.whole.rules();
    if stage
        .whole
        .gates
        .iter()
        .any(|gate| gate.kind == GateKind::Skipped)
    {
        let n = Arg::Number(i64::try_from(all).unwrap_or(0));
        let says = stage.text(Key::Unfold, &[("n", n)]);
        let x = columns.gates.0 + (columns.filter_end - columns.gates.0).share(38, 100);
        let mark = words(x, y, says, style.underlined(), Token::Ink);
        space.take(mark.bounds());
        parts.push(
            Part::new("more/plugins", Role::Note)
                .does(Action::Unfold)
                .with(mark),
        );
    }
    let bounds = (columns.turn.0, columns.filter_end);
    parts.push(foot_names(stage, posts, y - px(6), bounds, space));
    parts
}

/// The top of the first row.
const FIRST_TOP: Px = px(120);
