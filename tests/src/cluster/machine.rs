//! Who keeps the machine busy: times can be compared only where nobody else does.

use std::fs;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::Instant;

/// How busy the machine was from its making on.
#[derive(Debug)]
pub struct Machine {
    began: Instant,
    all: f64,
    ours: f64,
}

impl Machine {
    /// Begins to look. Ours are this process and all that have the folder's path among their arguments.
    #[must_use]
    pub fn watch(folder: &Path) -> Self {
        Self {
            began: Instant::now(),
            all: worked(),
            ours: worked_for_us(folder),
        }
    }

    /// Which part of the machine others have had since then: 0 for none of it, 1 for all.
    #[must_use]
    pub fn share_of_others(&self, folder: &Path) -> f64 {
        let others = (worked() - self.all) - (worked_for_us(folder) - self.ours);
        let processors = available_parallelism().map_or(1.0, |count| count.get() as f64);
        (others / (self.began.elapsed().as_secs_f64() * processors)).clamp(0.0, 1.0)
    }
}

/// Seconds that processors have worked for whomever; what another machine on the same host took counts, too.
fn worked() -> f64 {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    let line = text.lines().next().unwrap_or_default();
    let fields = line.split_whitespace().skip(1).take(8);
    let idle = [3, 4];
    let busy = fields
        .enumerate()
        .filter(|(place, _)| !idle.contains(place));
    busy.filter_map(|(_, field)| field.parse::<f64>().ok())
        .sum::<f64>()
        / TICKS
}

fn worked_for_us(folder: &Path) -> f64 {
    let folder = folder.display().to_string();
    let own = std::process::id().to_string();
    let processes = fs::read_dir("/proc").into_iter().flatten();
    let ours = processes.map_while(Result::ok).filter(|process| {
        let arguments = fs::read(process.path().join("cmdline")).unwrap_or_default();
        *process.file_name() == *own || String::from_utf8_lossy(&arguments).contains(&folder)
    });
    ours.map(|process| {
        let stat = fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        seconds_of(&stat)
    })
    .sum()
}

/// Seconds on a processor, of `/proc/PID/stat`. The name in brackets may hold spaces; the rest may not. Fields 14 and 15
/// are user and system time in hundredths.
pub(super) fn seconds_of(stat: &str) -> f64 {
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields = rest.split_whitespace().skip(11).take(2);
    fields
        .filter_map(|field| field.parse::<f64>().ok())
        .sum::<f64>()
        / TICKS
}

const TICKS: f64 = 100.0;
