//! How an explanation is printed.

use berth_core::explain::text::{Key, Lang};
use berth_core::explain::{Attempt, Ending, Link, Row, Scores, by_reason, chain};
use berth_core::framework::trace::Place;
use berth_core::num::seconds;
use berth_core::sim::{PodState, to_yaml};
use berth_core::time::Timestamp;
use serde_json::{Value, json};

use crate::error::Error;

use super::explain::{Explanation, Fate};
use super::output::{self, Format};
use super::page::{Page, Paint};

/// Prints an explanation on standard output; of one node only if it is named.
pub(crate) fn print(
    explanation: &Explanation,
    node: Option<&str>,
    format: Format,
    lang: Lang,
) -> Result<(), Error> {
    let text = match format {
        Format::Json => output::to_json(&to_value(explanation, node, lang)),
        Format::Yaml => to_yaml(&to_value(explanation, node, lang)),
        Format::Text => {
            let mut page = Page::new(Paint::for_stdout());
            write(&mut page, explanation, node, lang);
            return output::print_page(page);
        }
    };
    output::print(&text)
}

fn to_value(explanation: &Explanation, node: Option<&str>, lang: Lang) -> Value {
    let rows = rows(explanation, node);
    let chains: Vec<Value> = rows
        .iter()
        .map(|(row, links)| {
            let links: Vec<Value> = links
                .iter()
                .map(|link| {
                    let mut value = serde_json::to_value(link).unwrap_or_default();
                    if let Value::Object(fields) = &mut value {
                        fields.insert("sentence".to_owned(), lang.link(link).into());
                    }
                    value
                })
                .collect();
            json!({"node": row.node, "links": links})
        })
        .collect();
    let mut value = json!({
        "apiVersion": "berth/v1",
        "kind": "Explanation",
        "pod": explanation.report,
        "gone": explanation.fate.as_ref().map(gone),
        "attempt": explanation.attempt,
        "preemption": explanation.preemption.as_ref().map(|(number, at, found)| {
            let mut value = serde_json::to_value(found).unwrap_or_default();
            if let Value::Object(fields) = &mut value {
                fields.insert("attempt".to_owned(), (*number).into());
                fields.insert("at".to_owned(), seconds(*at - Timestamp::ZERO).into());
            }
            value
        }),
        "matrix": explanation.matrix,
        "reasons": by_reason(&explanation.matrix),
        "chains": chains,
        "moves": explanation.moves,
    });
    name_units(&mut value);
    value
}

/// When the pod was deleted or asked to leave, from where and for whom.
fn gone(fate: &Fate) -> Value {
    let since_start = |at: &Timestamp| seconds(*at - Timestamp::ZERO);
    match fate {
        Fate::Deleted { at } => json!({"at": since_start(at)}),
        Fate::Preempted { at, node, by } => {
            json!({"at": since_start(at), "node": node, "by": by})
        }
    }
}

/// Adds to each amount that is short in which unit it is counted, which depends on the resource.
fn name_units(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(name_units),
        Value::Object(fields) => {
            if let Some(Value::Object(amounts)) = fields.get_mut("Insufficient") {
                let unit = match amounts["resource"].as_str().unwrap_or_default() {
                    "cpu" => "milliCPU",
                    "memory" | "ephemeral-storage" => "bytes",
                    name if name.starts_with("hugepages-") => "bytes",
                    _ => "count",
                };
                amounts.insert("unit".to_owned(), unit.into());
            }
            fields.values_mut().for_each(name_units);
        }
        _ => {}
    }
}

/// The rows that are explained, each with what stands against its node.
fn rows<'a>(explanation: &'a Explanation, node: Option<&str>) -> Vec<(&'a Row, Vec<Link>)> {
    let wanted = explanation.matrix.rows.iter().zip(&explanation.nodes);
    wanted
        .filter(|(row, _)| node.is_none_or(|node| *row.node == *node))
        .map(|(row, node)| (row, chain(&explanation.pod, Some(node), row)))
        .collect()
}

fn write(page: &mut Page, explanation: &Explanation, node: Option<&str>, lang: Lang) {
    let name = format!(
        "{}/{}",
        explanation.report.namespace, explanation.report.name
    );
    fate_text(page, explanation, &name, lang);
    let Some(attempt) = &explanation.attempt else {
        page.plain(lang.say(Key::NoAttempt, &[("pod", &name)]));
        page.plain("\n");
        if let Some(message) = &explanation.report.message {
            page.plain(format_args!("  {message}\n"));
        }
        page.plain("\n");
        moves_text(page, explanation, lang);
        return;
    };
    let heading = lang.say(
        Key::AttemptAt,
        &[
            ("pod", &name),
            ("number", &attempt.number.to_string()),
            ("at", &(attempt.at - Timestamp::ZERO).to_string()),
            ("nodes", &attempt.nodes.to_string()),
        ],
    );
    page.bold(heading);
    page.plain("\n");
    ending_text(page, attempt, lang);
    if explanation.is_terminating {
        page.plain(format_args!("{}\n\n", lang.template(Key::Terminating)));
    }
    matrix_text(page, explanation, node, lang);
    scores_text(page, attempt, lang);
    preemption_text(page, explanation, lang);
    chains_text(page, explanation, node, lang);
    moves_text(page, explanation, lang);
}

/// What keeps the pod from being tried at all, or put an end to that.
fn fate_text(page: &mut Page, explanation: &Explanation, name: &str, lang: Lang) {
    let report = &explanation.report;
    let line = match (&explanation.fate, report.state) {
        (Some(Fate::Deleted { at }), _) => {
            let at = (*at - Timestamp::ZERO).to_string();
            lang.say(Key::PodDeleted, &[("pod", name), ("at", &at)])
        }
        (Some(Fate::Preempted { at, node, by }), _) => {
            let at = (*at - Timestamp::ZERO).to_string();
            let blanks = [("pod", name), ("at", &at), ("node", node), ("by", by)];
            lang.say(Key::PodPreempted, &blanks)
        }
        (None, PodState::Unmanaged) => {
            let wanted = &explanation.pod.spec.scheduler_name;
            let profiles = explanation.profiles.join(", ");
            let blanks = [("name", wanted.as_str()), ("profiles", &profiles)];
            lang.say(Key::PodUnmanaged, &blanks)
        }
        (None, _) => return,
    };
    page.bad(line);
    page.plain("\n\n");
}

fn ending_text(page: &mut Page, attempt: &Attempt, lang: Lang) {
    match &attempt.ending {
        Ending::Assumed { node } | Ending::Bound { node } => {
            page.good(lang.say(Key::BoundTo, &[("node", node)]));
        }
        Ending::Failed { message, .. } => {
            page.bad(lang.say(Key::FailedWith, &[("message", message)]));
        }
        Ending::UnderWay => return,
    }
    page.plain("\n\n");
}

/// The matrix: numbered columns, so that fifteen plugins fit beside a name.
fn matrix_text(page: &mut Page, explanation: &Explanation, node: Option<&str>, lang: Lang) {
    let matrix = &explanation.matrix;
    page.bold(lang.template(Key::NodesHeading));
    page.plain("\n");
    for (index, plugin) in matrix.plugins.iter().enumerate() {
        page.plain(format_args!("  {:>2} {plugin}\n", index + 1));
    }
    page.plain("  ");
    page.dim(lang.template(Key::Legend));
    page.plain("\n\n");
    let shown = |row: &&Row| node.is_none_or(|node| *row.node == *node);
    let rows: Vec<&Row> = matrix.rows.iter().filter(shown).collect();
    if let (Some(node), []) = (node, rows.as_slice()) {
        let line = lang.say(Key::NodeNotAsked, &[("node", node)]);
        page.plain(format_args!("  {line}\n\n"));
        return;
    }
    let width = rows.iter().map(|row| row.node.len()).max().unwrap_or(0);
    let numbers: Vec<String> = (1..=matrix.plugins.len())
        .map(|n| format!("{n:^3}"))
        .collect();
    page.plain(format_args!(
        "  {:width$}  {}\n",
        "",
        numbers.join(" ").trim_end()
    ));
    for row in rows.iter().take(MAX_ROWS) {
        let cells: Vec<String> = row
            .cells
            .iter()
            .map(|cell| format!("{:^3}", cell.to_string()))
            .collect();
        let first = row.rejections().next();
        let reason = first.map_or_else(String::new, |(status, _)| status.message());
        let name = format!("{:width$}", row.node);
        page.plain("  ");
        if row.is_feasible() {
            page.good(name);
        } else {
            page.plain(name);
        }
        let line = format!("  {}  {reason}", cells.join(" "));
        page.plain(format_args!("{}\n", line.trim_end()));
    }
    if rows.len() > MAX_ROWS {
        page.plain(format_args!("  … {}\n", rows.len() - MAX_ROWS));
    }
    page.plain("\n");
}

fn scores_text(page: &mut Page, attempt: &Attempt, lang: Lang) {
    let Some(scores) = &attempt.scores else {
        return;
    };
    page.bold(lang.template(Key::ScoresHeading));
    page.plain("\n");
    let best = best_first(scores);
    let width = scores
        .nodes
        .iter()
        .map(|node| node.len())
        .max()
        .unwrap_or(0);
    for place in best.iter().take(MAX_SCORES) {
        let parts: Vec<String> = scores
            .columns
            .iter()
            .map(|column| {
                format!(
                    "{} {}×{} ({})",
                    column.plugin,
                    column.normalized.get(*place).unwrap_or(&0),
                    column.weight,
                    column.raw.get(*place).unwrap_or(&0)
                )
            })
            .collect();
        page.plain(format_args!(
            "  {:width$}  {} {:>4}  = {}\n",
            scores.nodes[*place],
            lang.template(Key::Total),
            scores.totals.get(*place).unwrap_or(&0),
            parts.join(" + ")
        ));
    }
    if let Some(choice) = &attempt.choice {
        let key = if choice.tied.len() > 1 {
            Key::ChosenOf
        } else {
            Key::ChosenAlone
        };
        let line = lang.say(
            key,
            &[
                ("node", &choice.node),
                ("score", &choice.score.to_string()),
                ("count", &choice.tied.len().to_string()),
                ("tied", &choice.tied.join(", ")),
            ],
        );
        page.plain(format_args!("  {line}\n"));
    }
    page.plain("\n");
}

/// Places of the nodes, the highest total first.
fn best_first(scores: &Scores) -> Vec<usize> {
    let mut places: Vec<usize> = (0..scores.nodes.len()).collect();
    places.sort_by_key(|place| core::cmp::Reverse(scores.totals.get(*place).copied()));
    places
}

fn preemption_text(page: &mut Page, explanation: &Explanation, lang: Lang) {
    let Some((number, at, preemption)) = &explanation.preemption else {
        return;
    };
    page.bold(lang.say(
        Key::PreemptionIn,
        &[
            ("number", &number.to_string()),
            ("at", &(*at - Timestamp::ZERO).to_string()),
        ],
    ));
    page.plain(format_args!("\n  {}\n", lang.preemption(preemption)));
    let runs = &preemption.dry_runs;
    if !runs.is_empty() {
        page.plain(format_args!(
            "  {}\n",
            lang.template(Key::CandidatesHeading)
        ));
    }
    for run in runs.iter().take(MAX_ROWS) {
        let line = format!("    {}", lang.dry_run(run));
        match run.rejected {
            Some(_) => page.dim(line),
            None => page.plain(line),
        }
        page.plain("\n");
    }
    if runs.len() > MAX_ROWS {
        page.plain(format_args!("    … {}\n", runs.len() - MAX_ROWS));
    }
    if let Some(node) = &preemption.chosen {
        page.plain(format_args!("  {}\n", lang.template(Key::CriteriaHeading)));
        for criterion in &preemption.criteria {
            page.plain(format_args!("    {}\n", lang.criterion(criterion)));
        }
        if preemption.criteria.is_empty() {
            let line = lang.say(Key::OnlyCandidate, &[("node", node)]);
            page.plain(format_args!("    {line}\n"));
        }
    }
    page.plain("\n");
}

fn chains_text(page: &mut Page, explanation: &Explanation, node: Option<&str>, lang: Lang) {
    for (row, links) in rows(explanation, node).iter().take(MAX_CHAINS) {
        if links.is_empty() && node.is_none() {
            continue;
        }
        page.bold(lang.say(Key::WhyNot, &[("node", &row.node)]));
        page.plain("\n");
        if links.is_empty() {
            let line = lang.say(Key::NothingAgainst, &[("node", &row.node)]);
            page.plain(format_args!("  {line}\n"));
        }
        for link in links {
            link_text(page, link, lang);
        }
        page.plain("\n");
    }
}

fn link_text(page: &mut Page, link: &Link, lang: Lang) {
    let plugin = link.plugin.map_or("", |plugin| plugin.0);
    page.plain(format_args!("  {plugin}: {}", lang.link(link)));
    if !link.was_seen {
        page.plain(" ");
        page.dim(lang.template(Key::FoundInAddition));
    }
    page.plain("\n");
    for (who, facts) in [(Key::PodSays, &link.pod), (Key::NodeSays, &link.node)] {
        for fact in facts {
            let (who, fact) = (lang.template(who), lang.fact(fact));
            page.dim(format_args!("    {who}  {fact}"));
            page.plain("\n");
        }
    }
}

fn moves_text(page: &mut Page, explanation: &Explanation, lang: Lang) {
    if explanation.moves.is_empty() {
        return;
    }
    page.bold(lang.template(Key::MovesHeading));
    page.plain("\n");
    let skipped = explanation.moves.len().saturating_sub(MAX_MOVES);
    if skipped > 0 {
        page.plain(format_args!("  … {skipped}\n"));
    }
    for entry in explanation.moves.iter().skip(skipped) {
        page.plain(format_args!(
            "  {:>6}  {} → {}: {}",
            (entry.at - Timestamp::ZERO).to_string(),
            lang.place(entry.from),
            lang.place(entry.to),
            lang.cause(&entry.cause, entry.to)
        ));
        if let (Place::Backoff | Place::ErrorBackoff, Some(until)) = (entry.to, entry.backoff_until)
        {
            let until = (until - Timestamp::ZERO).to_string();
            let aside = lang.say(Key::BackoffUntil, &[("at", &until)]);
            page.plain(" ");
            page.dim(format_args!("({aside})"));
        }
        page.plain("\n");
    }
}

/// More than anybody reads.
const MAX_ROWS: usize = 100;
const MAX_SCORES: usize = 10;
const MAX_CHAINS: usize = 20;
const MAX_MOVES: usize = 30;
