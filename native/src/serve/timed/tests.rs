use berth_core::config::ExtensionPoint;
use berth_core::framework::cycle_state::CycleState;
use berth_core::framework::extension::{BindContext, PreBindStep};
use berth_core::framework::runtime::is_implemented;
use berth_core::snapshot::PluginMemory;
use berth_core::time::Timestamp;

use super::*;

#[test]
fn every_plugin_is_there_and_implements_what_it_does_without_a_clock() {
    let (plain, timed) = (plugins::in_tree(), registry());
    let names: Vec<PluginName> = plain.names().collect();
    assert_eq!(names, timed.names().collect::<Vec<_>>());
    assert_eq!(names.len(), COUNT, "each factory builds one of them");
    let gates = Gates::default();
    for name in names {
        for point in ExtensionPoint::ALL {
            let implements = |registry| is_implemented(registry, &gates, name.0, point);
            assert_eq!(
                implements(&plain),
                implements(&timed),
                "{name} at {point:?}"
            );
        }
    }
}

#[test]
fn only_what_is_to_be_measured_is() {
    let plugin = Timed(
        plugins::in_tree()
            .get("DefaultBinder")
            .and_then(|(_, factory)| factory(&PluginArgs::default(), &Gates::default()).ok())
            .expect("it can be built"),
    );
    for (is_measuring, count) in [(false, 0), (true, 1)] {
        measure(is_measuring);
        plugin.run("Bind", || (), |()| Code::Success);
        let taken = take();
        assert_eq!(taken.len(), count);
        assert!(
            taken
                .iter()
                .all(|sample| sample.plugin.0 == "DefaultBinder")
        );
    }
    assert!(take().is_empty(), "what was taken is gone");
}

#[test]
fn an_error_of_the_plugin_that_binds_volumes_is_counted_by_its_stage() {
    let built = |name: &str| {
        let args = PluginArgs::default_for(name, Gates::default()).unwrap_or_default();
        let plain = plugins::in_tree();
        let (_, factory) = plain.get(name).expect("it is there");
        Timed(factory(&args, &Gates::default()).expect("it can be built"))
    };
    measure(false);
    let volumes = built("VolumeBinding");
    let listers = Listers::default();
    let cx = BindContext {
        now: Timestamp::ZERO,
        listers: &listers,
    };
    let pod = PodInfo::new(Arc::default());
    // Nothing was decided for it, so nothing can be bound.
    let step = volumes.pre_bind(
        &cx,
        &mut PluginMemory::default(),
        &mut CycleState::default(),
        &pod,
        "n",
    );
    assert!(matches!(step, PreBindStep::Done(status) if status.code == Code::Error));
    assert_eq!(take_failed_stages(), ["bind"]);
    built("NodeResourcesFit").note_stage("bind", Code::Error);
    volumes.note_stage("assume", Code::Unschedulable);
    assert!(take_failed_stages().is_empty());
}
