//! How long plugins take: each plugin in a wrapper that looks at the clock, on those occasions that are chosen.
//!
//! Plugins are built by plain functions and called in the scheduling thread, so what was measured waits in that thread to
//! be taken. A Filter plugin is asked about many nodes at once here; kube-scheduler measures each node.
//!
//! Source: spec, E.1, `plugin_execution_duration_seconds`.

use core::cell::{Cell, RefCell};
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

use berth_core::api::Object;
use berth_core::config::{ConfigError, Gates, PluginArgs};
use berth_core::framework::cluster_event::{ClusterEvent, EventWithHint, QueueingHint};
use berth_core::framework::extension::{
    Bind, Filter, Permit, Plugin, PostBind, PostFilter, PreBind, PreEnqueue, PreFilter, PreScore,
    QueueContext, QueueSort, Reserve, Score, Signature,
};
use berth_core::framework::registry::{PluginFactory, Registry};
use berth_core::framework::status::{Code, PluginError, PluginName};
use berth_core::plugins::{self, VolumeBinding};
use berth_core::snapshot::{Listers, PodInfo};

mod points;

/// How long a plugin took once.
pub(super) struct Sample {
    pub(super) plugin: PluginName,
    pub(super) point: &'static str,
    pub(super) code: Code,
    pub(super) time: Duration,
}

thread_local! {
    static IS_MEASURING: Cell<bool> = const { Cell::new(false) };
    static SAMPLES: RefCell<Vec<Sample>> = const { RefCell::new(Vec::new()) };
    static FAILED_STAGES: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Says whether plugins that run in this thread are measured from here on.
pub(super) fn measure(is_measuring: bool) {
    IS_MEASURING.set(is_measuring);
}

/// Takes what was measured in this thread.
pub(super) fn take() -> Vec<Sample> {
    SAMPLES.take()
}

/// Takes the stages at which volumes could not be dealt with in this thread, in kube-scheduler's words.
///
/// Source: spec, E.2, `volume_scheduling_stage_error_total`.
pub(super) fn take_failed_stages() -> Vec<&'static str> {
    FAILED_STAGES.take()
}

/// The plugins that there are, each so that it can be measured.
pub(crate) fn registry() -> Registry {
    let names: Vec<PluginName> = plugins::in_tree().names().collect();
    let table: Vec<(PluginName, PluginFactory)> = names.into_iter().zip(FACTORIES).collect();
    Registry::of(&table)
}

/// The factory of the plugin with that number in the order of names.
fn build<const NUMBER: usize>(
    args: &PluginArgs,
    gates: &Gates,
) -> Result<Arc<dyn Plugin>, ConfigError> {
    let in_tree = plugins::in_tree();
    let found = in_tree.names().nth(NUMBER);
    let found = found.and_then(|name| in_tree.get(name.0));
    let (_, factory) = found.expect("a test counts the factories");
    Ok(Arc::new(Timed(factory(args, gates)?)))
}

/// A plugin that is measured. It implements what the plugin does.
struct Timed(Arc<dyn Plugin>);

impl Timed {
    /// Runs a plugin at a point, measured when it is to be; `code` says what came of it.
    fn run<T>(
        &self,
        point: &'static str,
        run: impl FnOnce() -> T,
        code: impl FnOnce(&T) -> Code,
    ) -> T {
        if !IS_MEASURING.get() {
            return run();
        }
        let began = Instant::now();
        let result = run();
        let sample = Sample {
            plugin: self.0.name(),
            point,
            code: code(&result),
            time: began.elapsed(),
        };
        SAMPLES.with_borrow_mut(|samples| samples.push(sample));
        result
    }

    fn binds_volumes(&self) -> bool {
        self.0.name() == VolumeBinding::NAME
    }

    /// Notes an error of the plugin that binds volumes.
    fn note_stage(&self, stage: &'static str, code: Code) {
        if code == Code::Error && self.binds_volumes() {
            FAILED_STAGES.with_borrow_mut(|stages| stages.push(stage));
        }
    }
}

impl Plugin for Timed {
    fn name(&self) -> PluginName {
        self.0.name()
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        self.0.events()
    }

    fn queueing_hint(
        &self,
        cx: &QueueContext<'_>,
        registered: &ClusterEvent,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        self.0.queueing_hint(cx, registered, pod, old, new)
    }

    fn sign(&self, listers: &Listers, pod: &PodInfo) -> Signature {
        self.run(
            "Sign",
            || self.0.sign(listers, pod),
            |signature| match signature {
                Signature::Parts(_) => Code::Success,
                Signature::Unsupported | Signature::Refused => Code::Unschedulable,
            },
        )
    }

    fn as_pre_enqueue(&self) -> Option<&dyn PreEnqueue> {
        self.0.as_pre_enqueue().map(|_| self as &dyn PreEnqueue)
    }

    fn as_queue_sort(&self) -> Option<&dyn QueueSort> {
        // Too small to be measured, and called far too often.
        self.0.as_queue_sort()
    }

    fn as_pre_filter(&self) -> Option<&dyn PreFilter> {
        self.0.as_pre_filter().map(|_| self as &dyn PreFilter)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        self.0.as_filter().map(|_| self as &dyn Filter)
    }

    fn as_post_filter(&self) -> Option<&dyn PostFilter> {
        self.0.as_post_filter().map(|_| self as &dyn PostFilter)
    }

    fn as_pre_score(&self) -> Option<&dyn PreScore> {
        self.0.as_pre_score().map(|_| self as &dyn PreScore)
    }

    fn as_score(&self) -> Option<&dyn Score> {
        self.0.as_score().map(|_| self as &dyn Score)
    }

    fn as_reserve(&self) -> Option<&dyn Reserve> {
        self.0.as_reserve().map(|_| self as &dyn Reserve)
    }

    fn as_permit(&self) -> Option<&dyn Permit> {
        self.0.as_permit().map(|_| self as &dyn Permit)
    }

    fn as_pre_bind(&self) -> Option<&dyn PreBind> {
        self.0.as_pre_bind().map(|_| self as &dyn PreBind)
    }

    fn as_bind(&self) -> Option<&dyn Bind> {
        self.0.as_bind().map(|_| self as &dyn Bind)
    }

    fn as_post_bind(&self) -> Option<&dyn PostBind> {
        self.0.as_post_bind()
    }
}

const FACTORIES: [PluginFactory; COUNT] = [
    build::<0>,
    build::<1>,
    build::<2>,
    build::<3>,
    build::<4>,
    build::<5>,
    build::<6>,
    build::<7>,
    build::<8>,
    build::<9>,
    build::<10>,
    build::<11>,
    build::<12>,
    build::<13>,
    build::<14>,
    build::<15>,
    build::<16>,
    build::<17>,
    build::<18>,
    build::<19>,
    build::<20>,
    build::<21>,
    build::<22>,
    build::<23>,
    build::<24>,
    build::<25>,
    build::<26>,
    build::<27>,
    build::<28>,
    build::<29>,
];
/// How many plugins there are.
const COUNT: usize = 30;

#[cfg(test)]
mod tests;
