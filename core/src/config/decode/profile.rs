//! Reads `profiles[]`.

use alloc::string::String;
use alloc::vec::Vec;

use crate::config::defaults::{complete_plugin_config, default_plugins, merge_plugins};
use crate::config::legacy;
use crate::config::reader::{At, Fields, Reader};
use crate::config::version::ApiVersion;
use crate::config::{
    ExtensionPoint, Gates, PluginArgs, PluginConfig, PluginEntry, PluginSet, Plugins, Profile,
};

use super::args::read_args;

/// What a profile says, before anything is laid under it.
#[derive(Debug, Default)]
pub(super) struct WrittenProfile {
    pub(super) scheduler_name: Option<String>,
    pub(super) percentage_of_nodes_to_score: Option<i32>,
    pub(super) plugins: Plugins,
    pub(super) plugin_config: Vec<PluginConfig>,
}

impl WrittenProfile {
    /// Whether it says anything about plugins or their arguments.
    pub(super) fn chooses_plugins(&self) -> bool {
        !self.plugins.is_empty() || !self.plugin_config.is_empty()
    }

    /// Reads one profile.
    pub(super) fn read(
        reader: &mut Reader,
        at: &At<'_>,
        version: ApiVersion,
        gates: Gates,
    ) -> Self {
        let mut fields = reader.fields(at);
        let mut profile = Self {
            scheduler_name: reader.string(fields.take("schedulerName")),
            ..Self::default()
        };
        if version >= ApiVersion::V1Beta3 {
            profile.percentage_of_nodes_to_score =
                reader.i32(fields.take("percentageOfNodesToScore"));
        }
        profile.read_plugins(reader, &mut fields, version, gates);
        reader.finish(fields);
        profile
    }

    /// Reads `plugins` and `pluginConfig`, which the oldest version has at the top.
    pub(super) fn read_plugins(
        &mut self,
        reader: &mut Reader,
        fields: &mut Fields<'_>,
        version: ApiVersion,
        gates: Gates,
    ) {
        if let Some(at) = fields.take("plugins") {
            self.plugins = read_plugins(reader, &at, version);
        }
        for at in reader.list(fields.take("pluginConfig")) {
            let mut fields = reader.fields(&at);
            let name = reader.string(fields.take("name")).unwrap_or_default();
            let args = read_args(reader, &name, fields.take("args"), version, gates);
            reader.finish(fields);
            self.plugin_config.push(PluginConfig { name, args });
        }
    }

    /// Lays the profile over the defaults of its version and completes its arguments.
    pub(super) fn complete(
        self,
        scheduler_name: String,
        base: &Plugins,
        gates: Gates,
        version: ApiVersion,
    ) -> Profile {
        let mut plugins = merge_plugins(base, &self.plugins);
        let mut plugin_config = self.plugin_config;
        if version < ApiVersion::V1 {
            legacy::modernise(&mut plugins, &mut plugin_config);
        }
        complete_plugin_config(&plugins, &mut plugin_config, gates);
        Profile {
            scheduler_name,
            percentage_of_nodes_to_score: self.percentage_of_nodes_to_score,
            plugins,
            plugin_config,
            always_check_all_predicates: false,
        }
    }

    /// The arguments written for `plugin`, made if there are none.
    pub(super) fn args_mut(&mut self, plugin: &str, gates: Gates) -> &mut PluginArgs {
        let found = self.plugin_config.iter().position(|c| c.name == plugin);
        let i = found.unwrap_or_else(|| {
            let args = PluginArgs::default_for(plugin, gates).unwrap_or_default();
            let name = plugin.into();
            self.plugin_config.push(PluginConfig { name, args });
            self.plugin_config.len() - 1
        });
        let entry = self.plugin_config.get_mut(i);
        &mut entry.expect("the entry was found or pushed").args
    }
}

/// The plugins of a profile that says nothing, in the version's time.
pub(super) fn base_plugins(version: ApiVersion, gates: Gates) -> Plugins {
    match version {
        ApiVersion::V1 | ApiVersion::V1Beta3 => default_plugins(gates),
        ApiVersion::V1Beta2 => legacy::plugins_of_1_22(),
        ApiVersion::V1Alpha1 | ApiVersion::V1Alpha2 | ApiVersion::V1Beta1 => {
            legacy::Provider::Default.plugins(legacy::LegacyGates::default())
        }
    }
}

fn read_plugins(reader: &mut Reader, at: &At<'_>, version: ApiVersion) -> Plugins {
    let mut fields = reader.fields(at);
    let mut plugins = Plugins::default();
    for point in ExtensionPoint::ALL {
        if is_point_of(point, version) {
            *plugins.point_mut(point) = read_set(reader, fields.take(point.field()));
        }
    }
    if version >= ApiVersion::V1Beta3 {
        plugins.multi_point = read_set(reader, fields.take("multiPoint"));
    }
    if version == ApiVersion::V1Alpha1 && !plugins.post_filter.is_empty() {
        reader.note(
            &alloc::format!("{}.postFilter", at.path),
            "this extension point is called preScore since 1.18",
        );
        plugins.pre_score = core::mem::take(&mut plugins.post_filter);
    }
    if version <= ApiVersion::V1Alpha2 {
        let unreserve = fields.take("unreserve");
        if let Some(at) = &unreserve {
            reader.note(
                &at.path,
                "this extension point is a part of reserve since 1.19",
            );
        }
        for entry in read_set(reader, unreserve).enabled {
            if plugins.reserve.entry(&entry.name).is_none() {
                plugins.reserve.enabled.push(entry);
            }
        }
    }
    reader.finish(fields);
    plugins
}

/// Whether the version had the extension point.
fn is_point_of(point: ExtensionPoint, version: ApiVersion) -> bool {
    match point {
        ExtensionPoint::PreEnqueue => version >= ApiVersion::V1Beta2,
        ExtensionPoint::PlacementGenerate | ExtensionPoint::PlacementScore => {
            version >= ApiVersion::V1
        }
        ExtensionPoint::PreScore => version >= ApiVersion::V1Alpha2,
        _ => true,
    }
}

fn read_set(reader: &mut Reader, at: Option<At<'_>>) -> PluginSet {
    let Some(at) = at else {
        return PluginSet::default();
    };
    let mut fields = reader.fields(&at);
    let enabled = read_entries(reader, fields.take("enabled"));
    let disabled = read_entries(reader, fields.take("disabled"));
    reader.finish(fields);
    PluginSet {
        enabled,
        disabled: disabled.into_iter().map(|entry| entry.name).collect(),
    }
}

fn read_entries(reader: &mut Reader, at: Option<At<'_>>) -> Vec<PluginEntry> {
    let mut entries = Vec::new();
    for at in reader.list(at) {
        let mut fields = reader.fields(&at);
        let name = reader.string(fields.take("name")).unwrap_or_default();
        let weight = reader.i32(fields.take("weight")).unwrap_or(0);
        reader.finish(fields);
        entries.push(PluginEntry { name, weight });
    }
    entries
}
