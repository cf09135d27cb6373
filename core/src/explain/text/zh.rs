//! The sentences in Chinese.

use super::Key;

/// The template of a key.
#[expect(clippy::too_many_lines, reason = "a table, one line a sentence")]
pub(super) const fn template(key: Key) -> &'static str {
    match key {
        Key::Text => "{text}",
        Key::NodeUnschedulable => {
            "节点已被封锁（cordon），而 Pod 不容忍 node.kubernetes.io/unschedulable:NoSchedule"
        }
        Key::NodeNameMismatch => "Pod 在 spec.nodeName 中指定了另一个节点",
        Key::UntoleratedTaint => "节点带有污点 {taint}，Pod 没有与之匹配的容忍",
        Key::NodeAffinityMismatch => "节点的标签不满足 Pod 的节点选择器或必需的节点亲和性",
        Key::EnforcedNodeAffinityMismatch => "节点的标签不满足调度配置附加的节点亲和性",
        Key::NodeAffinityConflict => "没有节点能同时满足 Pod 的全部必需节点亲和性",
        Key::PortsTaken => "Pod 需要的主机端口在该节点上已被占用",
        Key::TooManyPods => "节点上已有 {pods} 个 Pod，最多容纳 {allowed} 个",
        Key::Insufficient => {
            "Pod 请求 {requested} {resource}，只剩 {free}：可分配 {allocatable}，其他 Pod 已请求 {used}"
        }
        Key::NeverEnough => "Pod 请求 {requested} {resource}，而节点总共只有 {allocatable}",
        Key::DiskConflict => "Pod 需要的磁盘正被该节点上的另一个 Pod 使用",
        Key::ReadWriteOncePodConflict => {
            "Pod 的某个存储卷申领只允许一个 Pod 使用，而它正被另一个 Pod 使用"
        }
        Key::MaxVolumeCount => "驱动无法再为该节点挂接这么多存储卷",
        Key::UnboundImmediateClaims => "Pod 的某个存储卷申领属于立即绑定的存储类，但尚未绑定",
        Key::VolumeNodeAffinity => "从该节点无法访问 Pod 的某个存储卷",
        Key::NoMatchingVolume => "在该节点上找不到可用于 Pod 某个申领的存储卷",
        Key::NotEnoughStorage => "驱动为该节点剩余的空间不足",
        Key::VolumeNotFound => "Pod 的某个申领绑定到了不存在的存储卷",
        Key::VolumeZoneMismatch => "Pod 的某个存储卷位于另一个可用区",
        Key::TopologySpread => {
            "放入该 Pod 后，其 {key} 拓扑域将有 {count} 个匹配的 Pod，比最空的域（{minimum} 个）多 {skew} 个；最多允许多 {max} 个"
        }
        Key::TopologySpreadMissingLabel => "节点没有标签 {key}，而 Pod 要按它分布",
        Key::PodAffinity => "同一 {key} 中没有该 Pod 必须靠近的 Pod",
        Key::PodAntiAffinity => "同一 {key} 中有该 Pod 必须远离的 Pod",
        Key::ExistingPodAntiAffinity => "同一 {key} 中有一个 Pod 要求远离这样的 Pod",
        Key::MissingFeatures => "节点不具备 Pod 需要的特性",
        Key::NodeLabelPresence => "节点带有配置所禁止的标签，或缺少配置所要求的标签",
        Key::ServiceAffinity => "节点不在该 Pod 所属服务的其他 Pod 所在之处",
        Key::NotInPreFilterSet => "该节点不在 {plugins} 于搜索之前允许的节点之中",
        Key::EmptyPreFilterSet => "{plugins} 没有留下任何可搜索的节点",
        Key::SchedulingGates => "Pod 在等待调度门控：{gates}",
        Key::NoVictims => "节点上没有优先级更低的 Pod",
        Key::PreemptionNotHelpful => "在这里移除 Pod 也无济于事",
        Key::NoClaimsToDeallocate => "Pod 没有可以归还的设备申领",
        Key::NoNodes => "没有节点",
        Key::RejectedBefore => "{plugin} 此前已拒绝该节点",
        Key::EnoughFound => "已找到足够多的可行节点",
        Key::OutsideOfPreFilter => "{plugins} 在搜索之前已排除该节点",
        Key::PodRejected => "{plugin} 在搜索之前已拒绝该 Pod",
        Key::OnlyNominated => "只询问了被提名的节点",
        Key::NoSearch => "这次尝试没有进行到搜索",
        Key::Nowhere => "不在队列中",
        Key::Active => "activeQ",
        Key::Backoff => "backoffQ",
        Key::ErrorBackoff => "backoffQ（出错之后）",
        Key::Unschedulable => "unschedulablePods",
        Key::Gated => "被门控",
        Key::InFlight => "处理中",
        Key::Created => "它被创建",
        Key::Updated => "它被修改（{event}）",
        Key::Deleted => "它被删除，或已被绑定",
        Key::Popped => "轮到它了",
        Key::PoppedFromBackoff => "activeQ 为空，所以退避结束之前就轮到它了",
        Key::AttemptFailed => "尝试失败，而且发生过的事件都帮不上忙",
        Key::GatedBy => "{plugin} 扣住了它",
        Key::Event => "{event} 可能有帮助",
        Key::EventOf => "{plugin} 认为 {event} 可能有帮助",
        Key::EventInFlight => "{event} 在尝试期间发生，可能有帮助",
        Key::BackoffComplete => "它的退避结束了",
        Key::UnschedulableTimeout => "它已等待到 Pod 所允许的最长时间",
        Key::Activated => "有人要求尝试它",
        Key::Done => "这次尝试结束了",
        Key::Passed => "通过",
        Key::Rejected => "拒绝",
        Key::Skipped => "对该 Pod 无事可做",
        Key::NotRunWord => "未运行",
        Key::WouldPass => "本会通过",
        Key::WouldReject => "本会拒绝",
        Key::NoAttempt => "调度器还没有尝试过 {pod}",
        Key::AttemptAt => "{pod}：第 {number} 次尝试，时间 {at}，共 {nodes} 个节点",
        Key::BoundTo => "已放置到 {node}",
        Key::FailedWith => "未能放置：{message}",
        Key::ScoresHeading => "得分：归一化值 × 权重（原始值）",
        Key::ChosenOf => "{node} 以 {score} 分被选中，同分的共 {count} 个：{tied}",
        Key::ChosenAlone => "{node} 以 {score} 分被选中",
        Key::PreemptionHeading => "抢占",
        Key::PreemptionChosen => "在 {node} 上，{victims} 需要离开",
        Key::PreemptionNone => "没有一组优先级更低的 Pod 能腾出空间",
        Key::WhyNot => "为什么不是 {node}",
        Key::NothingAgainst => "没有什么妨碍 {node}",
        Key::FoundInAddition => "（调度器没有检查这一项）",
        Key::MovesHeading => "在队列中的移动",
        Key::NodesHeading => "每个插件对每个节点的结论",
        Key::Total => "总分",
        Key::PodSays => "Pod",
        Key::NodeSays => "节点",
        Key::NotSet => "未设置",
        Key::PodsOnNode => "节点上的 Pod 数",
        Key::RequestedByPods => "节点上的 Pod 已请求",
        Key::MatchingInDomain => "该域中匹配的 Pod 数（含此 Pod）",
        Key::MatchingInEmptiest => "最空的域中匹配的 Pod 数",
        Key::StillPending => "{pod} 仍在等待",
        Key::Legend => "+ 通过   x 拒绝   - 对该 Pod 无事可做   . 未运行   (+) (x) 本会得出的结论",
    }
}
