//! `berth explain`: why a pod is where it is, or is not.

use berth_core::api::{Kind, Node, Object, ObjectKey, Pod};
use berth_core::explain::text::Lang;
use berth_core::explain::{Attempt, Matrix, PodWatch, Preemption, Truth, whole_truth};
use berth_core::framework::extension::CycleContext;
use berth_core::sim::{PodReport, PodState, Refusal, Report, ReportInput, Simulation, Warning};
use berth_core::snapshot::PodInfo;
use berth_core::time::Timestamp;

use crate::error::Error;

use super::explain_output;
use super::input::{self, Request};
use super::output::{Format, print_warnings, some};

/// Explain one pod: which rule rejects which node, the scores, the choice
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    berth explain web-1 cluster.yaml\n  \
    berth explain shop/web-1 --node node-3 --lang zh cluster.yaml\n  \
    berth explain shop/web-1 --context staging\n\n\
    In JSON instants are seconds from the start, and amounts name their unit.\n\
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
    #[arg(
        long,
        value_name = "FILE",
        default_value = "",
        hide_default_value = true,
        requires = "context"
    )]
    kubeconfig: String,
    /// Explain this node only
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
    /// A KubeSchedulerConfiguration, or an old Policy, to use instead of the scenario's
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// A list of later changes, in the form of a scenario's timeline
    #[arg(long, value_name = "FILE")]
    events: Option<String>,
    /// What randomness starts from
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// When to look, in simulated time; otherwise when nothing more can change, after 1h at the latest; 8760h at most
    #[arg(long, value_name = "DUR", value_parser = input::parse_until, allow_hyphen_values = true)]
    until: Option<berth_core::time::Span>,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    pub(crate) output: Format,
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
    pub(crate) report: PodReport,
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
    /// What became of it, if it is no longer there.
    pub(crate) fate: Option<Fate>,
    /// What the API server refused in the course of the run.
    pub(crate) refused: Vec<Refusal>,
    /// What else the run found.
    pub(crate) warnings: Vec<Warning>,
    /// The names of all profiles.
    pub(crate) profiles: Vec<String>,
    /// The names of the nodes at the end.
    pub(crate) nodes_at_end: Vec<String>,
    /// Its moves in the queue.
    pub(crate) moves: Vec<berth_core::explain::QueueMove>,
}

/// What became of a pod that is no longer there.
pub(crate) enum Fate {
    /// Somebody deleted it.
    Deleted {
        /// When it was gone.
        at: Timestamp,
    },
    /// It had to leave for another pod.
    Preempted {
        /// When it was asked to.
        at: Timestamp,
        /// From where.
        node: String,
        /// For whom, `namespace/name`.
        by: String,
    },
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
    let start = run.prepared.simulation.clone();
    let (namespace, name) = find(&start, &arguments.pod)?;
    let explanation = explain(&start, &namespace, &name)?;
    if let Some(node) = &arguments.node
        && explanation.matrix.row(node).is_none()
        && !explanation.nodes_at_end.contains(node)
    {
        let there = some(explanation.nodes_at_end.iter().map(String::as_str));
        return Err(Error::Usage(format!(
            "there is no node {node}; expected one of {there}"
        )));
    }
    let lang = match arguments.lang {
        Language::En => Lang::En,
        Language::Zh => Lang::Zh,
    };
    let node = arguments.node.as_deref();
    explain_output::print(&explanation, node, arguments.output, lang)?;
    let input = run.prepared.warnings.iter();
    let warnings: Vec<_> = input.chain(&explanation.warnings).cloned().collect();
    print_warnings(&warnings);
    run.check(&explanation.refused)?;
    match explanation.report.state {
        PodState::Bound | PodState::Succeeded | PodState::Failed => Ok(()),
        PodState::Deleted | PodState::Preempted => Ok(()),
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
            None => Err(no_pod(wanted, &keys)),
        };
    }
    let mut named: Vec<&ObjectKey> = keys.iter().filter(|key| key.name == wanted).collect();
    named.sort_by_key(|key| key.namespace != "default");
    match named.as_slice() {
        [] => Err(no_pod(wanted, &keys)),
        [first, second, ..] if first.namespace != "default" => Err(Error::Usage(format!(
            "there are {}/{wanted} and {}/{wanted}; say which",
            first.namespace, second.namespace
        ))),
        [first, ..] => Ok((first.namespace.clone(), first.name.clone())),
    }
}

fn no_pod(wanted: &str, keys: &[ObjectKey]) -> Error {
    let pods = keys.iter().filter(|key| key.kind == Kind::Pod);
    let mut names: Vec<String> = pods
        .map(|key| format!("{}/{}", key.namespace, key.name))
        .collect();
    names.sort();
    let there = some(names.iter().map(String::as_str));
    Error::Usage(format!("there is no pod {wanted}; expected one of {there}"))
}

fn explain(start: &Simulation, namespace: &str, name: &str) -> Result<Explanation, Error> {
    let mut watch = PodWatch::new(namespace, name);
    let mut end = start.clone();
    let mut last_step = None;
    let mut attempts = 0;
    let mut gone_at = None;
    while let Some(step) = end.step(&mut watch) {
        gone_at = match end.world().pod(namespace, name) {
            Some(_) => None,
            None => gone_at.or(Some(step.at)),
        };
        if watch.attempts.len() > attempts {
            attempts = watch.attempts.len();
            last_step = Some(end.steps());
        }
    }
    let whole = Report::of(&end, ReportInput::default());
    let report = whole.pod(namespace, name).cloned();
    let report =
        report.ok_or_else(|| Error::Usage(format!("there is no pod {namespace}/{name}")))?;
    let fate = fate(&end, &report, gone_at.unwrap_or_else(|| end.now()));
    let refused = end.refused().to_vec();
    let warnings = whole.warnings.into_iter().skip(refused.len()).collect();
    let profiles = end.scheduler().profiles().iter();
    let profiles = profiles.map(|profile| profile.name().to_string()).collect();
    let nodes_at_end = end.world().list(Kind::Node);
    let nodes_at_end = nodes_at_end.map(|node| node.key().name).collect();
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
    let world = then.world();
    let gone = world
        .gone()
        .get(&ObjectKey::new(Kind::Pod, namespace, name));
    let pod = world
        .pod(namespace, name)
        .or_else(|| gone.map(|gone| &gone.pod));
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
        fate,
        refused,
        warnings,
        profiles,
        nodes_at_end,
        moves: watch.moves,
    })
}

/// What became of a pod that was gone at the instant.
fn fate(end: &Simulation, report: &PodReport, at: Timestamp) -> Option<Fate> {
    match report.state {
        PodState::Deleted => Some(Fate::Deleted { at }),
        PodState::Preempted => {
            let name = format!("{}/{}", report.namespace, report.name);
            let mut victims = end.world().preempted().iter().rev();
            let entry = victims.find(|entry| entry.pod == name)?;
            Some(Fate::Preempted {
                at: entry.at,
                node: entry.node.clone(),
                by: entry.by.clone(),
            })
        }
        _ => None,
    }
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
