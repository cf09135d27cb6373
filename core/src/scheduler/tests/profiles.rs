use alloc::string::{String, ToString};

use serde_json::json;

use crate::config::{Configuration, PluginEntry, Profile};
use crate::rng::Seed;
use crate::scheduler::Scheduler;

use super::host::scripted_configuration;
use super::script::{gates, registry};

fn error_of(change: impl FnOnce(&mut Configuration)) -> String {
    let mut config = scripted_configuration(&[("A", json!({}))]);
    change(&mut config);
    Scheduler::new(config, &registry(), Seed(0))
        .map(|_| ())
        .unwrap_err()
        .to_string()
}

fn enable(profile: &mut Profile, name: &str) {
    profile.plugins.filter.enabled.push(PluginEntry {
        name: name.to_string(),
        weight: 0,
    });
}

#[test]
fn mistakes_in_a_profile_read_as_kube_schedulers() {
    let prefix = "initializing profiles: creating profile for scheduler name default-scheduler: ";
    let unknown = error_of(|config| enable(&mut config.profiles[0], "Nobody"));
    assert_eq!(
        unknown,
        [prefix, "FilterPlugin \"Nobody\" does not exist"].concat()
    );
    let wrong = error_of(|config| enable(&mut config.profiles[0], "PrioritySort"));
    assert_eq!(
        wrong,
        [
            prefix,
            "plugin \"PrioritySort\" does not extend FilterPlugin plugin"
        ]
        .concat()
    );
    let twice = error_of(|config| {
        enable(&mut config.profiles[0], "A");
        enable(&mut config.profiles[0], "A");
    });
    assert_eq!(
        twice,
        [
            prefix,
            "plugin \"A\" already registered as \"FilterPlugin\""
        ]
        .concat()
    );
    let unsorted = error_of(|config| {
        config.profiles[0]
            .plugins
            .multi_point
            .enabled
            .retain(|entry| entry.name != "PrioritySort");
    });
    let expected = "only one queue sort plugin required for profile with scheduler name \"default-scheduler\", but got 0";
    assert_eq!(unsorted, [prefix, expected].concat());
}

#[test]
fn a_scheduler_needs_a_profile_and_no_name_twice() {
    assert_eq!(
        error_of(|config| config.profiles.clear()),
        "initializing profiles: at least one profile is required"
    );
    let twice = error_of(|config| {
        let profile = config.profiles[0].clone();
        config.profiles.push(profile);
    });
    assert_eq!(
        twice,
        "initializing profiles: duplicate profile with scheduler name \"default-scheduler\""
    );
}

#[test]
fn the_default_configuration_builds() {
    let config = Configuration::for_gates(gates());
    let scheduler = Scheduler::new(config, &crate::plugins::in_tree(), Seed(0)).unwrap();
    assert_eq!(scheduler.profiles().iter().count(), 1);
}
