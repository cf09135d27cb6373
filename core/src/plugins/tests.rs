pub(super) mod random_cluster;

use alloc::vec::Vec;

use super::{NOT_BUILT_YET, TABLE, in_tree};
use crate::config::{Gates, PluginArgs, defaults::default_plugins};

#[test]
fn every_plugin_of_the_default_profile_is_known() {
    let registry = in_tree();
    for entry in default_plugins(Gates::default()).multi_point.enabled {
        assert!(
            registry.get(&entry.name).is_some(),
            "{} is missing",
            entry.name
        );
    }
}

#[test]
fn the_table_has_the_order_of_the_default_profile() {
    let default: Vec<_> = default_plugins(Gates::default()).multi_point.enabled;
    let names: Vec<&str> = default.iter().map(|entry| entry.name.as_str()).collect();
    let table: Vec<&str> = TABLE.iter().map(|(name, _)| name.0).collect();
    assert_eq!(table[..names.len()], names);
}

#[test]
fn every_plugin_is_built_under_its_own_name_from_its_default_arguments() {
    for (name, factory) in TABLE {
        let gates = Gates::default();
        let args = PluginArgs::default_for(name.0, gates).unwrap_or_default();
        let plugin = factory(&args, &gates).expect("default arguments are fine");
        assert_eq!(plugin.name(), *name);
    }
}

#[test]
fn what_is_not_built_yet_stands_in_the_table() {
    for missing in NOT_BUILT_YET {
        assert!(
            TABLE.iter().any(|(name, _)| name.0 == *missing),
            "{missing}"
        );
    }
}
