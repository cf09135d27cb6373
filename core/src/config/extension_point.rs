//! Which moments of an attempt a plugin can take part in, and what Kubernetes calls them.

use core::fmt;

/// One extension point of the scheduling framework.
///
/// `multiPoint` is not one of them: it is a way to write the same entry for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExtensionPoint {
    /// Whether a pod may enter the active queue.
    PreEnqueue,
    /// Which of two waiting pods comes first.
    QueueSort,
    /// What can be said about the pod before any node is looked at.
    PreFilter,
    /// Which nodes cannot run the pod.
    Filter,
    /// What to do when no node can.
    PostFilter,
    /// What scoring needs to know beforehand.
    PreScore,
    /// Which of the feasible nodes is better.
    Score,
    /// What is set aside for the pod on the chosen node.
    Reserve,
    /// Whether the pod waits before it is bound.
    Permit,
    /// What must be true in the cluster before the pod is bound.
    PreBind,
    /// Who binds the pod.
    Bind,
    /// Who is told that the pod was bound.
    PostBind,
    /// Which sets of nodes a pod group may be placed on.
    PlacementGenerate,
    /// Which of those sets is better.
    PlacementScore,
}

impl ExtensionPoint {
    /// Every extension point, in the order in which a profile's plugins are registered for them.
    ///
    /// The order is upstream's. It decides which of several configuration mistakes is reported first.
    pub const ALL: [Self; 14] = [
        Self::PreFilter,
        Self::Filter,
        Self::PostFilter,
        Self::Reserve,
        Self::PreScore,
        Self::Score,
        Self::PreBind,
        Self::Bind,
        Self::PostBind,
        Self::Permit,
        Self::PreEnqueue,
        Self::QueueSort,
        Self::PlacementGenerate,
        Self::PlacementScore,
    ];

    /// The name as people say it: `PreFilter`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PreEnqueue => "PreEnqueue",
            Self::QueueSort => "QueueSort",
            Self::PreFilter => "PreFilter",
            Self::Filter => "Filter",
            Self::PostFilter => "PostFilter",
            Self::PreScore => "PreScore",
            Self::Score => "Score",
            Self::Reserve => "Reserve",
            Self::Permit => "Permit",
            Self::PreBind => "PreBind",
            Self::Bind => "Bind",
            Self::PostBind => "PostBind",
            Self::PlacementGenerate => "PlacementGenerate",
            Self::PlacementScore => "PlacementScore",
        }
    }

    /// The name of the interface as start-up errors print it: `PreFilterPlugin`.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::PreEnqueue => "PreEnqueuePlugin",
            Self::QueueSort => "QueueSortPlugin",
            Self::PreFilter => "PreFilterPlugin",
            Self::Filter => "FilterPlugin",
            Self::PostFilter => "PostFilterPlugin",
            Self::PreScore => "PreScorePlugin",
            Self::Score => "ScorePlugin",
            Self::Reserve => "ReservePlugin",
            Self::Permit => "PermitPlugin",
            Self::PreBind => "PreBindPlugin",
            Self::Bind => "BindPlugin",
            Self::PostBind => "PostBindPlugin",
            Self::PlacementGenerate => "PlacementGeneratePlugin",
            Self::PlacementScore => "PlacementScorePlugin",
        }
    }

    /// The key under `profiles[].plugins` in a configuration file: `preFilter`.
    pub const fn field(self) -> &'static str {
        match self {
            Self::PreEnqueue => "preEnqueue",
            Self::QueueSort => "queueSort",
            Self::PreFilter => "preFilter",
            Self::Filter => "filter",
            Self::PostFilter => "postFilter",
            Self::PreScore => "preScore",
            Self::Score => "score",
            Self::Reserve => "reserve",
            Self::Permit => "permit",
            Self::PreBind => "preBind",
            Self::Bind => "bind",
            Self::PostBind => "postBind",
            Self::PlacementGenerate => "placementGenerate",
            Self::PlacementScore => "placementScore",
        }
    }
}

impl fmt::Display for ExtensionPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
