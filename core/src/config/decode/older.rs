//! Reads what only older versions have at the top of the document.

use alloc::format;
use alloc::string::String;

use crate::config::legacy::{PolicySource, Provider};
use crate::config::reader::{At, Fields, Reader, child};
use crate::config::version::ApiVersion;
use crate::config::{Gates, PluginArgs};

use super::profile::WrittenProfile;

/// Says that the version is an older one and what follows from it.
pub(super) fn note_version(reader: &mut Reader, version: ApiVersion) {
    let consequence = match version {
        ApiVersion::V1 => return,
        ApiVersion::V1Beta3 => "it means the same as v1",
        _ => {
            "it is read with the default plugins and weights of its time, which know nothing of resource claims"
        }
    };
    let name = version.name();
    let text = format!("Kubernetes 1.36 no longer reads {name}; {consequence}");
    reader.note("apiVersion", text);
}

/// What older versions say beyond today's.
#[derive(Debug, Default)]
pub(super) struct Older {
    /// The named algorithm provider, if any.
    pub(super) provider: Option<Provider>,
    /// Where the Policy is, if there is to be one.
    pub(super) policy: Option<PolicySource>,
    /// Whether the profile of the oldest version chooses plugins or arguments.
    pub(super) chooses_plugins: bool,
}

impl Older {
    /// Reads the profile of a version that has it spread over the top.
    pub(super) fn read_single_profile(
        &mut self,
        reader: &mut Reader,
        fields: &mut Fields<'_>,
        gates: Gates,
    ) -> WrittenProfile {
        let mut profile = WrittenProfile {
            scheduler_name: reader.string(fields.take("schedulerName")),
            ..WrittenProfile::default()
        };
        profile.read_plugins(reader, fields, ApiVersion::V1Alpha1, gates);
        self.chooses_plugins = profile.chooses_plugins();
        if let Some(at) = fields.take("algorithmSource") {
            self.read_algorithm_source(reader, &at);
        }
        if let Some(weight) = reader.i32(fields.take("hardPodAffinitySymmetricWeight")) {
            let args = profile.args_mut("InterPodAffinity", gates);
            if let PluginArgs::InterPodAffinity(args) = args {
                args.hard_pod_affinity_weight = weight;
            }
        }
        profile
    }

    /// Reads the other fields that have gone since and applies those that still mean something.
    pub(super) fn read_and_apply(
        &mut self,
        reader: &mut Reader,
        fields: &mut Fields<'_>,
        profiles: &mut [WrittenProfile],
        version: ApiVersion,
        gates: Gates,
    ) {
        if version <= ApiVersion::V1Beta2 {
            for name in ["healthzBindAddress", "metricsBindAddress"] {
                let at = fields.take(name);
                let path = child(fields.path(), name);
                if reader.string(at).is_some_and(|text| !text.is_empty()) {
                    reader.note(&path, "there is no insecure port since 1.23; ignored");
                }
            }
        }
        if version > ApiVersion::V1Alpha2 {
            return;
        }
        if reader.bool(fields.take("disablePreemption")) == Some(true) {
            for profile in profiles.iter_mut() {
                let point = &mut profile.plugins.post_filter;
                point.disabled.push("DefaultPreemption".into());
            }
            let path = child(fields.path(), "disablePreemption");
            reader.note(&path, "written as a disabled DefaultPreemption since 1.19");
        }
        if let Some(seconds) = reader.i64(fields.take("bindTimeoutSeconds")) {
            for profile in profiles {
                if let PluginArgs::VolumeBinding(args) = profile.args_mut("VolumeBinding", gates) {
                    args.bind_timeout_seconds = seconds;
                }
            }
            let path = child(fields.path(), "bindTimeoutSeconds");
            reader.note(&path, "an argument of VolumeBinding since 1.19");
        }
    }

    fn read_algorithm_source(&mut self, reader: &mut Reader, at: &At<'_>) {
        let mut fields = reader.fields(at);
        let provider = fields.take("provider");
        let path = child(&at.path, "provider");
        if let Some(name) = reader.string(provider) {
            self.provider = Provider::by_name(&name);
            if self.provider.is_none() {
                reader.problem(
                    &path,
                    format!("algorithm provider \"{name}\" is not registered; expected DefaultProvider or ClusterAutoscalerProvider"),
                );
            }
        }
        if let Some(at) = fields.take("policy") {
            let mut fields = reader.fields(&at);
            let file = fields.take("file").and_then(|at| {
                let mut fields = reader.fields(&at);
                let path = reader.string(fields.take("path"));
                reader.finish(fields);
                path.map(|path| PolicySource::File { path })
            });
            let map = fields.take("configMap").map(|at| {
                let mut fields = reader.fields(&at);
                let namespace = reader.string(fields.take("namespace"));
                let name = reader.string(fields.take("name"));
                reader.finish(fields);
                PolicySource::ConfigMap {
                    namespace: namespace.unwrap_or_else(|| String::from("kube-system")),
                    name: name.unwrap_or_default(),
                }
            });
            reader.finish(fields);
            self.policy = file.or(map);
        }
        reader.finish(fields);
    }
}
