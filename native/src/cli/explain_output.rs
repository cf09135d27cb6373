//! How an explanation is printed.

use berth_core::explain::text::{Key, Lang};
use berth_core::explain::{Attempt, Ending, Link, Row, Scores, by_reason, chain};
use berth_core::framework::trace::Place;
use berth_core::sim::to_yaml;
use berth_core::time::Timestamp;
use serde_json::{Value, json};

use crate::error::Error;

use super::explain::Explanation;
use super::output::{self, Format, Paint};

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
        Format::Text => to_text(explanation, node, lang, Paint::for_stdout()),
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
    json!({
        "apiVersion": "berth/v1",
        "kind": "Explanation",
        "pod": explanation.report,
        "attempt": explanation.attempt,
        "preemption": explanation.preemption.as_ref().map(|(number, at, found)| {
            let mut value = serde_json::to_value(found).unwrap_or_default();
            if let Value::Object(fields) = &mut value {
                fields.insert("attempt".to_owned(), (*number).into());
                fields.insert("at".to_owned(), serde_json::to_value(at).unwrap_or_default());
            }
            value
        }),
        "matrix": explanation.matrix,
        "reasons": by_reason(&explanation.matrix),
        "chains": chains,
        "moves": explanation.moves,
    })
}

/// The rows that are explained, each with what stands against its node.
fn rows<'a>(explanation: &'a Explanation, node: Option<&str>) -> Vec<(&'a Row, Vec<Link>)> {
    let wanted = explanation.matrix.rows.iter().zip(&explanation.nodes);
    wanted
        .filter(|(row, _)| node.is_none_or(|node| *row.node == *node))
        .map(|(row, node)| (row, chain(&explanation.pod, Some(node), row)))
        .collect()
}

fn to_text(explanation: &Explanation, node: Option<&str>, lang: Lang, paint: Paint) -> String {
    let mut text = String::new();
    let name = format!(
        "{}/{}",
        explanation.report.namespace, explanation.report.name
    );
    let Some(attempt) = &explanation.attempt else {
        text.push_str(&lang.say(Key::NoAttempt, &[("pod", &name)]));
        text.push('\n');
        if let Some(message) = &explanation.report.message {
            text.push_str(&format!("  {message}\n"));
        }
        moves_text(&mut text, explanation, lang, paint);
        return text;
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
    text.push_str(&paint.bold(&heading));
    text.push('\n');
    ending_text(&mut text, attempt, lang, paint);
    if explanation.is_terminating {
        text.push_str(&format!("{}\n\n", lang.template(Key::Terminating)));
    }
    matrix_text(&mut text, explanation, node, lang, paint);
    scores_text(&mut text, attempt, lang, paint);
    preemption_text(&mut text, explanation, lang, paint);
    chains_text(&mut text, explanation, node, lang, paint);
    moves_text(&mut text, explanation, lang, paint);
    text
}

fn ending_text(text: &mut String, attempt: &Attempt, lang: Lang, paint: Paint) {
    let line = match &attempt.ending {
        Ending::Assumed { node } | Ending::Bound { node } => {
            paint.good(&lang.say(Key::BoundTo, &[("node", node)]))
        }
        Ending::Failed { message, .. } => {
            paint.bad(&lang.say(Key::FailedWith, &[("message", message)]))
        }
        Ending::UnderWay => return,
    };
    text.push_str(&format!("{line}\n\n"));
}

/// The matrix: numbered columns, so that fifteen plugins fit beside a name.
fn matrix_text(
    text: &mut String,
    explanation: &Explanation,
    node: Option<&str>,
    lang: Lang,
    paint: Paint,
) {
    let matrix = &explanation.matrix;
    text.push_str(&paint.bold(lang.template(Key::NodesHeading)));
    text.push('\n');
    for (index, plugin) in matrix.plugins.iter().enumerate() {
        text.push_str(&format!("  {:>2} {plugin}\n", index + 1));
    }
    text.push_str(&format!("  {}\n\n", paint.dim(lang.template(Key::Legend))));
    let shown = |row: &&Row| node.is_none_or(|node| *row.node == *node);
    let rows: Vec<&Row> = matrix.rows.iter().filter(shown).collect();
    let width = rows.iter().map(|row| row.node.len()).max().unwrap_or(0);
    let numbers: Vec<String> = (1..=matrix.plugins.len())
        .map(|n| format!("{n:^3}"))
        .collect();
    text.push_str(&format!(
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
        let name = if row.is_feasible() {
            paint.good(&name)
        } else {
            name
        };
        let line = format!("  {name}  {}  {reason}", cells.join(" "));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    if rows.len() > MAX_ROWS {
        text.push_str(&format!("  … {}\n", rows.len() - MAX_ROWS));
    }
    text.push('\n');
}

fn scores_text(text: &mut String, attempt: &Attempt, lang: Lang, paint: Paint) {
    let Some(scores) = &attempt.scores else {
        return;
    };
    text.push_str(&paint.bold(lang.template(Key::ScoresHeading)));
    text.push('\n');
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
        text.push_str(&format!(
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
        text.push_str(&format!("  {line}\n"));
    }
    text.push('\n');
}

/// Places of the nodes, the highest total first.
fn best_first(scores: &Scores) -> Vec<usize> {
    let mut places: Vec<usize> = (0..scores.nodes.len()).collect();
    places.sort_by_key(|place| core::cmp::Reverse(scores.totals.get(*place).copied()));
    places
}

fn preemption_text(text: &mut String, explanation: &Explanation, lang: Lang, paint: Paint) {
    let Some((number, at, preemption)) = &explanation.preemption else {
        return;
    };
    let heading = lang.say(
        Key::PreemptionIn,
        &[
            ("number", &number.to_string()),
            ("at", &(*at - Timestamp::ZERO).to_string()),
        ],
    );
    text.push_str(&paint.bold(&heading));
    text.push_str(&format!("\n  {}\n", lang.preemption(preemption)));
    let runs = &preemption.dry_runs;
    if !runs.is_empty() {
        text.push_str(&format!("  {}\n", lang.template(Key::CandidatesHeading)));
    }
    for run in runs.iter().take(MAX_ROWS) {
        let line = format!("    {}", lang.dry_run(run));
        let line = match run.rejected {
            Some(_) => paint.dim(&line),
            None => line,
        };
        text.push_str(&format!("{line}\n"));
    }
    if runs.len() > MAX_ROWS {
        text.push_str(&format!("    … {}\n", runs.len() - MAX_ROWS));
    }
    if let Some(node) = &preemption.chosen {
        text.push_str(&format!("  {}\n", lang.template(Key::CriteriaHeading)));
        for criterion in &preemption.criteria {
            text.push_str(&format!("    {}\n", lang.criterion(criterion)));
        }
        if preemption.criteria.is_empty() {
            let line = lang.say(Key::OnlyCandidate, &[("node", node)]);
            text.push_str(&format!("    {line}\n"));
        }
    }
    text.push('\n');
}

fn chains_text(
    text: &mut String,
    explanation: &Explanation,
    node: Option<&str>,
    lang: Lang,
    paint: Paint,
) {
    for (row, links) in rows(explanation, node).iter().take(MAX_CHAINS) {
        if links.is_empty() && node.is_none() {
            continue;
        }
        text.push_str(&paint.bold(&lang.say(Key::WhyNot, &[("node", &row.node)])));
        text.push('\n');
        if links.is_empty() {
            let line = lang.say(Key::NothingAgainst, &[("node", &row.node)]);
            text.push_str(&format!("  {line}\n"));
        }
        for link in links {
            link_text(text, link, lang, paint);
        }
        text.push('\n');
    }
}

fn link_text(text: &mut String, link: &Link, lang: Lang, paint: Paint) {
    let plugin = link.plugin.map_or("", |plugin| plugin.0);
    let aside = if link.was_seen {
        String::new()
    } else {
        format!(" {}", paint.dim(lang.template(Key::FoundInAddition)))
    };
    text.push_str(&format!("  {plugin}: {}{aside}\n", lang.link(link)));
    for (who, facts) in [(Key::PodSays, &link.pod), (Key::NodeSays, &link.node)] {
        for fact in facts {
            let line = format!("    {}  {}", lang.template(who), lang.fact(fact));
            text.push_str(&paint.dim(&line));
            text.push('\n');
        }
    }
}

fn moves_text(text: &mut String, explanation: &Explanation, lang: Lang, paint: Paint) {
    if explanation.moves.is_empty() {
        return;
    }
    text.push_str(&paint.bold(lang.template(Key::MovesHeading)));
    text.push('\n');
    let skipped = explanation.moves.len().saturating_sub(MAX_MOVES);
    if skipped > 0 {
        text.push_str(&format!("  … {skipped}\n"));
    }
    for entry in explanation.moves.iter().skip(skipped) {
        text.push_str(&format!(
            "  {:>6}  {} → {}: {}\n",
            (entry.at - Timestamp::ZERO).to_string(),
            lang.place(entry.from),
            lang.place(entry.to),
            lang.cause(&entry.cause, entry.to)
        ));
        if let (Place::Backoff | Place::ErrorBackoff, Some(until)) = (entry.to, entry.backoff_until)
        {
            let until = (until - Timestamp::ZERO).to_string();
            let aside = lang.say(Key::BackoffUntil, &[("at", &until)]);
            text.pop();
            text.push_str(&format!(" {}\n", paint.dim(&format!("({aside})"))));
        }
    }
}

/// More than anybody reads.
const MAX_ROWS: usize = 100;
const MAX_SCORES: usize = 10;
const MAX_CHAINS: usize = 20;
const MAX_MOVES: usize = 30;
