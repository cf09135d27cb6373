//! Which colours there are, by name: a scene says `Ink`, and the theme says what that is.
//!
//! State colours are never used for a workload, and no state is told by colour alone.

use alloc::format;
use alloc::string::String;

use serde::{Deserialize, Serialize};

/// Light on paper, or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    /// Ink on paper.
    #[default]
    Light,
    /// The same at night.
    Dark,
}

/// One of the nine hues of workloads, or the one of system pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Hue {
    /// Hue 0 to 8.
    Workload(u8),
    /// System pods only.
    System,
}

/// How many hues workloads share.
pub const HUES: u8 = 9;

/// A colour by its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Token {
    /// The page.
    Paper,
    /// Raised things and free capacity.
    Sheet,
    /// A quiet fill.
    Wash,
    /// Text.
    Ink,
    /// Second text and threads.
    Soft,
    /// Rules and edges.
    Line,
    /// Dividers.
    Hair,
    /// activeQ, the link to the next pod, focus.
    Active,
    /// backoffQ, rings, queue moves, "only sometimes".
    Backoff,
    /// Rejected, unschedulable, errors.
    Unsched,
    /// Gated.
    Gated,
    /// Passed, chosen, put back, proven.
    Bound,
    /// The second try, victims, nominations.
    Preempt,
    /// The ground of a rejected row.
    RejectWash,
    /// The ground of a quoted taint.
    TaintWash,
    /// The fill of a hue.
    Fill(Hue),
    /// The edge of a hue.
    Edge(Hue),
    /// How full a node is in the density picture, 0 (full) to 5 (free).
    Fleet(u8),
    /// Hatching in the colour of a state.
    Hatch(Hatched),
}

/// What hatching stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Hatched {
    /// Berth's own evaluation: would pass.
    Bound,
    /// Berth's own evaluation: would be rejected, too.
    Unsched,
    /// On its way out.
    Preempt,
}

impl Token {
    /// The name of the variable in a style sheet, without the dashes before it.
    #[must_use]
    pub fn name(self) -> String {
        let fixed = match self {
            Self::Paper => "paper",
            Self::Sheet => "sheet",
            Self::Wash => "wash",
            Self::Ink => "ink",
            Self::Soft => "soft",
            Self::Line => "line",
            Self::Hair => "hair",
            Self::Active => "active",
            Self::Backoff => "backoff",
            Self::Unsched => "unsched",
            Self::Gated => "gated",
            Self::Bound => "bound",
            Self::Preempt => "preempt",
            Self::RejectWash => "rejwash",
            Self::TaintWash => "amwash",
            Self::Fill(Hue::System) => "sys-f",
            Self::Edge(Hue::System) => "sys-s",
            Self::Hatch(Hatched::Bound) => "hatch-bound",
            Self::Hatch(Hatched::Unsched) => "hatch-unsched",
            Self::Hatch(Hatched::Preempt) => "hatch-preempt",
            Self::Fill(Hue::Workload(hue)) => return format!("w{hue}-f"),
            Self::Edge(Hue::Workload(hue)) => return format!("w{hue}-s"),
            Self::Fleet(step) => return format!("f{step}"),
        };
        String::from(fixed)
    }

    /// The colour in a theme as `RRGGBB`; of hatching, the colour of its lines.
    #[must_use]
    pub fn color(self, theme: Theme) -> &'static str {
        let (light, dark) = match self {
            Self::Paper => ("FBF7EF", "191714"),
            Self::Sheet => ("FFFDF8", "211E1A"),
            Self::Wash => ("F3ECDF", "26221D"),
            Self::Ink => ("25211B", "F0E9DC"),
            Self::Soft => ("665E52", "ADA393"),
            Self::Line => ("DFD6C6", "443E35"),
            Self::Hair => ("ECE4D6", "302B25"),
            Self::Active => ("1F63A8", "8CBFF2"),
            Self::Backoff => ("8A5A00", "E6B655"),
            Self::Unsched | Self::Hatch(Hatched::Unsched) => ("AE3226", "F28C7A"),
            Self::Gated => ("5F5A52", "B3AA9B"),
            Self::Bound | Self::Hatch(Hatched::Bound) => ("2A7444", "86CE9A"),
            Self::Preempt | Self::Hatch(Hatched::Preempt) => ("85439A", "D6A0E6"),
            Self::RejectWash => ("F9E4DD", "3B241E"),
            Self::TaintWash => ("FAEBCB", "3A2F17"),
            Self::Fill(hue) => hue.colors().0,
            Self::Edge(hue) => hue.colors().1,
            Self::Fleet(step) => fleet(step),
        };
        match theme {
            Theme::Light => light,
            Theme::Dark => dark,
        }
    }

    /// Every token, for a style sheet.
    pub fn all() -> impl Iterator<Item = Self> {
        let fixed = [
            Self::Paper,
            Self::Sheet,
            Self::Wash,
            Self::Ink,
            Self::Soft,
            Self::Line,
            Self::Hair,
            Self::Active,
            Self::Backoff,
            Self::Unsched,
            Self::Gated,
            Self::Bound,
            Self::Preempt,
            Self::RejectWash,
            Self::TaintWash,
            Self::Hatch(Hatched::Bound),
            Self::Hatch(Hatched::Unsched),
            Self::Hatch(Hatched::Preempt),
        ];
        let hues = (0..HUES).map(Hue::Workload).chain([Hue::System]);
        fixed
            .into_iter()
            .chain(hues.flat_map(|hue| [Self::Fill(hue), Self::Edge(hue)]))
            .chain((0..6).map(Self::Fleet))
    }
}

impl Hue {
    /// Fill and edge, each light and dark.
    const fn colors(self) -> ((&'static str, &'static str), (&'static str, &'static str)) {
        match self {
            Self::Workload(0) => (("BFD8F2", "21476C"), ("2B68A8", "86B9EC")),
            Self::Workload(1) => (("BBE2D8", "174A40"), ("1B7365", "66CBB6")),
            Self::Workload(2) => (("F6DCA6", "54410F"), ("8A5D08", "E3B655")),
            Self::Workload(3) => (("F3C9D8", "5A243A"), ("A63A66", "EE97B8")),
            Self::Workload(4) => (("E3D6C4", "463B2C"), ("77603F", "C6AD89")),
            Self::Workload(5) => (("D5CFF0", "37316A"), ("5A4FA8", "B1A9F2")),
            Self::Workload(6) => (("D6E4B4", "3A471B"), ("566D1C", "B0C86A")),
            Self::Workload(7) => (("F4CDBB", "5C2F1C"), ("A34B27", "EE9E7B")),
            Self::Workload(_) => (("CBD8E0", "2D3E4A"), ("4B6577", "A0BACB")),
            Self::System => (("E6E0D5", "3A352E"), ("736B5B", "ABA394")),
        }
    }
}

const fn fleet(step: u8) -> (&'static str, &'static str) {
    match step {
        0 => ("33495A", "B9D3E0"),
        1 => ("6B8494", "7F9DAE"),
        2 => ("9FB3BD", "526F80"),
        3 => ("CBD7DA", "364C59"),
        4 => ("E9EEEC", "26343D"),
        _ => ("FFFDF8", "211E1A"),
    }
}
