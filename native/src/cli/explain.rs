//! `berth explain`: why a pod is where it is, or is not.

use berth_core::api::{Kind, Node, Object, ObjectKey, Pod};
use berth_core::explain::text::Lang;
use berth_core::explain::{Attempt, Matrix, PodWatch, Preemption, Truth, whole_truth};
use berth_core::framework::extension::CycleContext;
use berth_core::sim::{PodState, Report, ReportInput, Simulation};
use berth_core::snapshot::PodInfo;
use berth_core::time::Timestamp;

use crate::error::Error;

use super::explain_output;
use super::input::{self, Request};
use super::output::Format;

/// Explain one pod: which rule rejects which node, the scores, the choice
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    berth explain web-1 cluster.yaml\n  \
    berth explain shop/web-1 --node node-3 --lang zh cluster.yaml\n  \
    berth explain shop/web-1 --context staging\n\n\
    The exit code is 4 when the pod stays pending.")]
pub(crate) struct Arguments {
    /// The pod, name or namespace/name
    #[arg(value_name = "POD")]
    pod: String,
    /// Scenarios, or plain Kubernetes files; - is standard input
    #[cfg_attr(
        feature = "cluster",
        arg(required_unless_present = "context", value_name = "FILE")
    )]
    #[cfg_attr(not(feature = "cluster"), arg(required = true, value_name = "FILE"))]
    files: Vec<String>,
    /// A context of the kubeconfig: its cluster as it is now, before the files
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    /// The kubeconfig of the context; otherwise that of KUBECONFIG or of the home folder
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "FILE", default_value = "", requires = "context")]
    kubeconfig: String,
    /// Explain this node only
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
    /// A KubeSchedulerConfiguration to use instead of the scenario's
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// A list of later changes, in the form of a scenario's timeline
    #[arg(long, value_name = "FILE")]
    events: Option<String>,
    /// What randomness starts from
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// When to look, in simulated time; otherwise when nothing more can change
    #[arg(long, value_name = "DUR", value_parser = input::parse_span)]
    until: Option<berth_core::time::Span>,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    output: Format,
    /// The language of sentences
    #[arg(long, value_enum, default_value_t)]
    lang: Language,
}

/// A language of sentences.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Language {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

/// Everything that is said of the pod.
pub(crate) struct Explanation {
    /// The pod as the report has it.
    pub(crate) report: berth_core::sim::PodReport,
    /// The pod's object, as it was at its newest attempt.
    pub(crate) pod: Pod,
    /// Its newest attempt.
    pub(crate) attempt: Option<Attempt>,
    /// What each plugin said of each node in it.
    pub(crate) matrix: Matrix,
    /// The nodes as they were then, in the order of the matrix.
    pub(crate) nodes: Vec<Node>,
    /// What its newest attempt that made room found, or its newest attempt, if it looked: the number of that attempt, its
    /// instant, and what it found.
    pub(crate) preemption: Option<(u32, Timestamp, Preemption)>,
    /// Whether it is being deleted without a node.
    pub(crate) is_terminating: bool,
    /// Its moves in the queue.
    pub(crate) moves: Vec<berth_core::explain::QueueMove>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let run = input::prepare(&Request {
        files: &arguments.files,
        captured: captured(arguments)?,
        config: arguments.config.as_deref(),
        events: arguments.events.as_deref(),
        seed: arguments.seed,
        until: arguments.until,
    })?;
    let start = run.prepared.simulation;
    let (namespace, name) = find(&start, &arguments.pod)?;
    let explanation = explain(&start, &namespace, &name)?;
    if let Some(node) = &arguments.node
        && explanation.matrix.row(node).is_none()
    {
        return Err(Error::Usage(format!("there is no node {node}")));
    }
    let lang = match arguments.lang {
        Language::En => Lang::En,
        Language::Zh => Lang::Zh,
    };
    let node = arguments.node.as_deref();
    explain_output::print(&explanation, node, arguments.output, lang)?;
    match explanation.report.state {
        PodState::Bound | PodState::Succeeded | PodState::Failed => Ok(()),
        _ => Err(Error::Pending),
    }
}

/// The cluster of the context, if one is named.
#[cfg(feature = "cluster")]
fn captured(arguments: &Arguments) -> Result<Option<input::File>, Error> {
    use crate::cluster::{CaptureOptions, capture};

    let Some(context) = &arguments.context else {
        return Ok(None);
    };
    let scenario = capture(&CaptureOptions {
        kubeconfig: arguments.kubeconfig.clone(),
        context: Some(context.clone()),
        ..CaptureOptions::default()
    })?;
    let text = berth_core::sim::to_yaml(&scenario);
    Ok(Some(input::File::of_text(
        format!("context {context}"),
        text.into_bytes(),
    )))
}

#[cfg(not(feature = "cluster"))]
#[expect(clippy::unnecessary_wraps, reason = "with a cluster it can fail")]
const fn captured(_arguments: &Arguments) -> Result<Option<input::File>, Error> {
    Ok(None)
}

/// The pod that is meant: `namespace/name`, or a name that only one pod has, the default namespace first.
fn find(start: &Simulation, wanted: &str) -> Result<(String, String), Error> {
    // Pods of the timeline come later, so the whole run is looked at.
    let mut end = start.clone();
    end.run(&mut ());
    let there = end.world().list(Kind::Pod).map(Object::key);
    let gone = end.world().gone().keys().cloned();
    let keys: Vec<ObjectKey> = there.chain(gone).collect();
    if let Some((namespace, name)) = wanted.split_once('/') {
        let is_there = |key: &&ObjectKey| key.namespace == namespace && key.name == name;
        return match keys.iter().find(is_there) {
            Some(_) => Ok((namespace.to_owned(), name.to_owned())),
            None => Err(Error::Usage(format!("there is no pod {wanted}"))),
        };
    }
    let mut named: Vec<&ObjectKey> = keys.iter().filter(|key| key.name == wanted).collect();
    named.sort_by_key(|key| key.namespace != "default");
    match named.as_slice() {
        [] => Err(Error::Usage(format!("there is no pod {wanted}"))),
        [first, second, ..] if first.namespace != "default" => Err(Error::Usage(format!(
            "there are {}/{wanted} and {}/{wanted}; say which",
            first.namespace, second.namespace
        ))),
        [first, ..] => Ok((first.namespace.clone(), first.name.clone())),
    }
}

fn explain(start: &Simulation, namespace: &str, name: &str) -> Result<Explanation, Error> {
    let mut watch = PodWatch::new(namespace, name);
    let mut end = start.clone();
    let mut last_step = None;
    let mut attempts = 0;
    while end.step(&mut watch).is_some() {
        if watch.attempts.len() > attempts {
            attempts = watch.attempts.len();
            last_step = Some(end.steps());
        }
    }
    let report = Report::of(&end, ReportInput::default());
    let report = report.pod(namespace, name).cloned();
    let report =
        report.ok_or_else(|| Error::Usage(format!("there is no pod {namespace}/{name}")))?;
    let is_terminating = {
        let pod = end.world().pod(namespace, name);
        pod.is_some_and(|pod| pod.is_terminating() && !pod.is_assigned())
    };
    // The run is a pure function of its start, so going there again shows what the attempt saw.
    let mut then = start.clone();
    match last_step {
        Some(steps) => while then.steps() < steps && then.step(&mut ()).is_some() {},
        None => then = end,
    }
    let pod = then.world().pod(namespace, name);
    let pod = pod.map_or_else(Pod::default, |pod| Pod::clone(pod));
    let preemption = preemption(&watch.attempts);
    let attempt = watch.attempts.pop();
    let (matrix, nodes) = match &attempt {
        Some(attempt) => look(&then, attempt, &pod),
        None => (Matrix::default(), Vec::new()),
    };
    Ok(Explanation {
        report,
        pod,
        attempt,
        matrix,
        nodes,
        preemption,
        is_terminating,
        moves: watch.moves,
    })
}

/// The newest preemption that made room, else what the newest attempt found.
fn preemption(attempts: &[Attempt]) -> Option<(u32, Timestamp, Preemption)> {
    let found = |attempt: &Attempt| {
        let preemption = attempt.preemption.clone()?;
        Some((attempt.number, attempt.at, preemption))
    };
    let made_room = |attempt: &&Attempt| {
        let preemption = attempt.preemption.as_ref();
        preemption.is_some_and(|preemption| preemption.chosen.is_some())
    };
    let newest = attempts
        .iter()
        .rev()
        .find(made_room)
        .or_else(|| attempts.last());
    newest.and_then(found)
}

/// The matrix of an attempt with the whole truth, and the nodes that it is about.
fn look(then: &Simulation, attempt: &Attempt, pod: &Pod) -> (Matrix, Vec<Node>) {
    let scheduler = then.scheduler();
    let snapshot = scheduler.snapshot();
    let names: Vec<_> = snapshot
        .iter()
        .map(|(row, _)| snapshot.name(row).clone())
        .collect();
    let mut matrix = Matrix::of(attempt, &names);
    let truth = scheduler
        .profiles()
        .get(&pod.spec.scheduler_name)
        .map_or_else(Truth::default, |framework| {
            let cx = CycleContext {
                now: attempt.at,
                snapshot,
                listers: scheduler.listers(),
                memory: scheduler.plugin_memory(),
            };
            let mut pending = pod.clone();
            pending.spec.node_name.clear();
            whole_truth(framework, &cx, &PodInfo::new(pending.into()))
        });
    matrix.add_truth(&truth);
    let nodes = snapshot
        .iter()
        .map(|(_, info)| info.node.as_deref().cloned().unwrap_or_default())
        .collect();
    (matrix, nodes)
}
