//! A scene as a picture file that needs nothing else: SVG with the colours of a theme.

use alloc::string::String;
use core::fmt::Write;

use super::palette::{Hatched, Theme, Token};
use super::px::{Point, Px};
use super::scene::{
    Anchor, Family, Lang, Mark, Panel, Scene, Segment, Shape, Stroke, TextStyle, Weight,
};

/// Prints a scene.
#[must_use]
pub fn svg(scene: &Scene, theme: Theme) -> String {
    let mut out = Out {
        text: String::new(),
        theme,
        lang: scene.lang,
    };
    out.open(scene);
    for panel in panels(scene) {
        out.panel(panel);
    }
    out.text.push_str("</svg>\n");
    out.text
}

fn panels(scene: &Scene) -> impl Iterator<Item = &Panel> {
    [
        &scene.axis,
        &scene.header.panel,
        &scene.caption.panel,
        &scene.figure,
    ]
    .into_iter()
    .chain(&scene.aside)
}

struct Out {
    text: String,
    theme: Theme,
    lang: Lang,
}

impl Out {
    fn put(&mut self, args: core::fmt::Arguments<'_>) {
        // A string takes every write.
        let _ = self.text.write_fmt(args);
    }

    fn open(&mut self, scene: &Scene) {
        let (w, h) = (scene.size.w, scene.size.h);
        let lang = match scene.lang {
            Lang::En => "en",
            Lang::Zh => "zh-CN",
        };
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             role=\"img\" xml:lang=\"{lang}\" lang=\"{lang}\">\n<title>{}</title>\n",
            escaped(&scene.twin.sentence)
        ));
        self.text.push_str("<defs>");
        for (hatched, step, width) in [
            (Hatched::Bound, 4, "2"),
            (Hatched::Unsched, 4, "2"),
            (Hatched::Preempt, 6, "1.5"),
        ] {
            let token = Token::Hatch(hatched);
            let color = token.color(self.theme);
            self.put(format_args!(
                "<pattern id=\"{}\" width=\"{step}\" height=\"{step}\" patternUnits=\"userSpaceOnUse\" \
                 patternTransform=\"rotate(45)\"><path d=\"M0 0v{step}\" stroke=\"#{color}\" \
                 stroke-width=\"{width}\" opacity=\".6\"/></pattern>",
                token.name()
            ));
        }
        self.text.push_str("</defs>\n");
        let paper = Token::Paper.color(self.theme);
        let sheet = Token::Sheet.color(self.theme);
        let hair = Token::Hair.color(self.theme);
        let axis = scene.axis.frame;
        self.put(format_args!(
            "<rect width=\"{w}\" height=\"{h}\" fill=\"#{paper}\"/>\n<rect y=\"{}\" width=\"{w}\" height=\"{}\" \
             fill=\"#{sheet}\"/><path d=\"M0 {}H{w}\" stroke=\"#{hair}\"/>\n",
            axis.y, axis.h, axis.y
        ));
    }

    fn panel(&mut self, panel: &Panel) {
        self.put(format_args!(
            "<g transform=\"translate({} {})\" fill=\"none\">\n",
            panel.frame.x, panel.frame.y
        ));
        for part in &panel.parts {
            for mark in &part.marks {
                self.mark(mark);
            }
            self.text.push('\n');
        }
        self.text.push_str("</g>\n");
    }

    fn mark(&mut self, mark: &Mark) {
        match &mark.shape {
            Shape::Rect { at, radius } => {
                self.put(format_args!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
                    at.x, at.y, at.w, at.h
                ));
                if *radius > Px::ZERO {
                    self.put(format_args!(" rx=\"{radius}\""));
                }
                self.paint(mark);
            }
            Shape::Circle { at, radius } => {
                self.put(format_args!(
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\"",
                    at.x, at.y
                ));
                self.paint(mark);
            }
            Shape::Ring { at, radius, share } => {
                if *share == 0 {
                    return;
                }
                self.put(format_args!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" pathLength=\"1000\" \
                     stroke-dasharray=\"{share} 1000\" transform=\"rotate(-90 {x} {y})\"",
                    x = at.x,
                    y = at.y
                ));
                self.paint(mark);
            }
            Shape::Hand { at, from, to, turn } => {
                let degrees = i32::from(*turn) * 36 / 100;
                self.put(format_args!(
                    "<path d=\"M{x} {}V{}\" transform=\"rotate({degrees} {x} {y})\"",
                    at.y - *from,
                    at.y - *to,
                    x = at.x,
                    y = at.y
                ));
                self.paint(mark);
            }
            Shape::Path { segments } => {
                self.text.push_str("<path d=\"");
                self.path(segments);
                self.text.push('"');
                self.paint(mark);
            }
            Shape::Text { at, text, style } => self.words(*at, text, style, mark),
            Shape::Cells {
                at,
                pitch,
                cell,
                rows,
                steps,
            } => self.cells(*at, *pitch, (cell.w, cell.h), *rows, steps),
        }
    }

    fn path(&mut self, segments: &[Segment]) {
        let mut before = Point::default();
        for segment in segments {
            match segment {
                Segment::Move(to) => {
                    self.put(format_args!("M{} {}", to.x, to.y));
                    before = *to;
                }
                Segment::Line(to) => {
                    if to.y == before.y {
                        self.put(format_args!("H{}", to.x));
                    } else if to.x == before.x {
                        self.put(format_args!("V{}", to.y));
                    } else {
                        self.put(format_args!("L{} {}", to.x, to.y));
                    }
                    before = *to;
                }
                Segment::Curve(one, two, to) => {
                    self.put(format_args!(
                        "C{} {} {} {} {} {}",
                        one.x, one.y, two.x, two.y, to.x, to.y
                    ));
                    before = *to;
                }
                Segment::Close => self.text.push('Z'),
            }
        }
    }

    fn paint(&mut self, mark: &Mark) {
        if let Some(fill) = mark.fill {
            match fill {
                Token::Hatch(_) => {
                    self.put(format_args!(" fill=\"url(#{})\"", fill.name()));
                }
                _ => self.put(format_args!(" fill=\"#{}\"", fill.color(self.theme))),
            }
        }
        if let Some(stroke) = mark.stroke {
            self.stroke(stroke, matches!(mark.shape, Shape::Ring { .. }));
        }
        if mark.opacity < 100 {
            self.put(format_args!(" opacity=\".{:02}\"", mark.opacity));
        }
        self.text.push_str("/>");
    }

    fn stroke(&mut self, stroke: Stroke, is_dashed_already: bool) {
        self.put(format_args!(
            " stroke=\"#{}\"",
            stroke.token.color(self.theme)
        ));
        if stroke.width != Px::whole(1) {
            self.put(format_args!(" stroke-width=\"{}\"", stroke.width));
        }
        if let (Some((dash, gap)), false) = (stroke.dash, is_dashed_already) {
            self.put(format_args!(" stroke-dasharray=\"{dash} {gap}\""));
        }
        if stroke.is_round {
            self.text.push_str(" stroke-linecap=\"round\"");
        }
    }

    fn words(&mut self, at: Point, text: &str, style: &TextStyle, mark: &Mark) {
        if style.turn == 0 {
            self.put(format_args!("<text x=\"{}\" y=\"{}\"", at.x, at.y));
        } else {
            self.put(format_args!(
                "<text transform=\"translate({} {}) rotate({})\"",
                at.x, at.y, style.turn
            ));
        }
        self.put(format_args!(
            " font-family=\"{}\" font-size=\"{}\"",
            family(style.family, self.lang),
            style.size
        ));
        if style.weight == Weight::Bold {
            self.text.push_str(" font-weight=\"600\"");
        }
        match style.anchor {
            Anchor::Start => {}
            Anchor::Middle => self.text.push_str(" text-anchor=\"middle\""),
            Anchor::End => self.text.push_str(" text-anchor=\"end\""),
        }
        // Pieces of one line follow each other: whatever the reader's font, each takes the room it was given.
        if style.family == Family::Serif && style.anchor == Anchor::Start && text.len() > 1 {
            let width = super::measure::width(text, style);
            self.put(format_args!(
                " textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\""
            ));
        }
        if style.is_underlined {
            self.text.push_str(" text-decoration=\"underline\"");
        }
        let color = mark.fill.unwrap_or(Token::Ink).color(self.theme);
        self.put(format_args!(" fill=\"#{color}\""));
        if mark.opacity < 100 {
            self.put(format_args!(" opacity=\".{:02}\"", mark.opacity));
        }
        self.put(format_args!(
            " style=\"font-variant-numeric:tabular-nums;white-space:pre\">{}</text>",
            escaped(text)
        ));
    }

    fn cells(&mut self, at: Point, pitch: Px, (w, h): (Px, Px), rows: usize, steps: &[u8]) {
        for (place, step) in steps.iter().enumerate() {
            let rows = rows.max(1);
            let x = at.x + pitch.each(place / rows);
            let y = at.y + pitch.each(place % rows);
            let color = Token::Fleet(*step).color(self.theme);
            self.put(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"#{color}\"/>"
            ));
        }
    }
}

const fn family(family: Family, lang: Lang) -> &'static str {
    match (family, lang) {
        (Family::Serif, _) => {
            "Iowan Old Style,Palatino Linotype,Palatino,P052,Book Antiqua,Georgia,Songti SC,Source Han Serif SC,\
             Noto Serif CJK SC,serif"
        }
        (Family::Sans, _) => {
            "Inter,system-ui,Segoe UI,PingFang SC,Source Han Sans SC,Noto Sans CJK SC,sans-serif"
        }
        (Family::Mono, _) => "ui-monospace,SF Mono,Menlo,Consolas,Liberation Mono,monospace",
    }
}

/// Text for inside an element.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
