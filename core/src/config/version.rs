//! The forms a configuration has had, from Kubernetes 1.12 to today.

use alloc::string::String;

/// A version of the configuration's format.
///
/// The order is that of time: a later one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ApiVersion {
    /// Until 1.18: one unnamed profile, an algorithm source, plugins at the top.
    V1Alpha1,
    /// 1.18: profiles.
    V1Alpha2,
    /// 1.19 to 1.22.
    V1Beta1,
    /// 1.22 to 1.24: NodeResourcesFit scores.
    V1Beta2,
    /// 1.23 to 1.28: `multiPoint`, today's weights.
    V1Beta3,
    /// Since 1.25.
    V1,
}

impl ApiVersion {
    /// The version written as `apiVersion`, if it is one of this format's.
    pub fn parse(text: &str) -> Option<Self> {
        let version = match text.split_once('/')? {
            (GROUP, version) => version,
            ("componentconfig", "v1alpha1") => "v1alpha1",
            _ => return None,
        };
        let mut all = Self::ALL.into_iter();
        all.find(|known| known.name() == version)
    }

    /// The part after the group: `v1beta3`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V1Alpha1 => "v1alpha1",
            Self::V1Alpha2 => "v1alpha2",
            Self::V1Beta1 => "v1beta1",
            Self::V1Beta2 => "v1beta2",
            Self::V1Beta3 => "v1beta3",
            Self::V1 => "v1",
        }
    }

    /// Group and version: `kubescheduler.config.k8s.io/v1beta3`.
    pub fn text(self) -> String {
        alloc::format!("{GROUP}/{}", self.name())
    }

    const ALL: [Self; 6] = [
        Self::V1Alpha1,
        Self::V1Alpha2,
        Self::V1Beta1,
        Self::V1Beta2,
        Self::V1Beta3,
        Self::V1,
    ];
}

/// The API group of the configuration and of plugin arguments.
pub const GROUP: &str = "kubescheduler.config.k8s.io";
/// The kind of the configuration.
pub const KIND: &str = "KubeSchedulerConfiguration";
