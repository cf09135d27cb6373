use alloc::string::ToString;

use serde_json::{Value, json};

use crate::config::{
    Configuration, Gate, Gates, Header, InterPodAffinityArgs, NodeAffinityArgs, PluginArgs,
    ReadOptions, read_value,
};

fn options(gates: Gates) -> ReadOptions {
    ReadOptions {
        gates,
        header: Header::Optional,
        ..ReadOptions::default()
    }
}

#[track_caller]
fn refused(document: Value, expected: &str) {
    let error = read_value(&document, options(Gates::default())).expect_err("this is refused");
    assert_eq!(error.to_string(), expected);
}

/// A document with one profile and arguments for one plugin.
fn args(plugin: &str, args: Value) -> Value {
    json!({"profiles": [{"pluginConfig": [{"name": plugin, "args": args}]}]})
}

#[track_caller]
fn args_refused(plugin: &str, written: Value, expected: &str) {
    let error = read_value(&args(plugin, written), options(Gates::default()))
        .expect_err("this is refused")
        .to_string();
    let text = error.replace("profiles[0].pluginConfig[0].args.", "");
    assert_eq!(text, expected);
}

#[test]
fn the_default_is_valid() {
    assert_eq!(Configuration::default().validate(), Ok(()));
}

#[test]
fn numbers_at_the_top_have_ranges() {
    refused(
        json!({"percentageOfNodesToScore": 101}),
        "percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]",
    );
    refused(
        json!({"profiles": [{"percentageOfNodesToScore": -1}]}),
        "profiles[0].percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]",
    );
    refused(
        json!({"parallelism": 0, "podInitialBackoffSeconds": 0, "podMaxBackoffSeconds": -1}),
        "[parallelism: Invalid value: 0: should be an integer value greater than zero, \
         podInitialBackoffSeconds: Invalid value: 0: must be greater than 0, \
         podMaxBackoffSeconds: Invalid value: -1: must be greater than or equal to PodInitialBackoffSeconds]",
    );
    refused(
        json!({"clientConnection": {"burst": -1}}),
        "clientConnection.burst: Invalid value: -1: must be non-negative",
    );
}

#[test]
fn leader_election_has_rules_only_when_it_is_on() {
    let election = json!({"leaseDuration": "-1s", "renewDeadline": "-1s", "retryPeriod": "-1s",
        "resourceLock": "endpoints"});
    refused(
        json!({"leaderElection": election}),
        "[leaderElection.leaseDuration: Invalid value: \"-1s\": must be greater than zero, \
         leaderElection.renewDeadline: Invalid value: \"-1s\": must be greater than zero, \
         leaderElection.retryPeriod: Invalid value: \"-1s\": must be greater than zero, \
         leaderElection.leaseDuration: Invalid value: \"-1s\": LeaseDuration must be greater than RenewDeadline, \
         leaderElection.resourceLock: Invalid value: \"endpoints\": resourceLock value must be \"leases\"]",
    );
    refused(
        json!({"leaderElection": {"renewDeadline": "12s", "retryPeriod": "10s"}}),
        "leaderElection.renewDeadline: Invalid value: \"12s\": renewDeadline must be greater than \
         retryPeriod*JitterFactor",
    );
    let mut off = election;
    off["leaderElect"] = json!(false);
    assert!(read_value(&json!({"leaderElection": off}), options(Gates::default())).is_ok());
    let mut nameless = Configuration::default();
    nameless.leader_election.resource_name.clear();
    assert_eq!(
        nameless.validate().unwrap_err().to_string(),
        "leaderElection.resourceName: Required value: resourceName is required"
    );
}

#[test]
fn profiles_have_names_of_their_own() {
    let mut none = Configuration::default();
    none.profiles.clear();
    assert_eq!(
        none.validate().unwrap_err().to_string(),
        "profiles: Required value"
    );
    refused(
        json!({"profiles": [{"schedulerName": ""}]}),
        "profiles[0].schedulerName: Required value",
    );
    refused(
        json!({"profiles": [{"schedulerName": "a"}, {}, {"schedulerName": "a"}]}),
        "[profiles[1].schedulerName: Required value, \
         profiles[2].schedulerName: Duplicate value: \"profiles[0].schedulerName\"]",
    );
}

#[test]
fn there_is_one_queue_order() {
    refused(
        json!({"profiles": [{"plugins": {"queueSort": {"enabled": [{"name": "A"}, {"name": "B"}]}}}]}),
        "profiles[0].plugins.queueSort.Enabled: Invalid value: 2: only one queue sort plugin can be enabled",
    );
    refused(
        json!({"profiles": [
            {"schedulerName": "default-scheduler"},
            {"schedulerName": "second", "plugins": {"queueSort": {
                "enabled": [{"name": "PrioritySort"}], "disabled": [{"name": "*"}]}}}]}),
        "profiles[1].plugins.queueSort: Invalid value: \
         {\"Enabled\":[{\"Name\":\"PrioritySort\",\"Weight\":0}],\"Disabled\":[{\"Name\":\"*\",\"Weight\":0}]}: \
         must be the same for all profiles",
    );
    let sort = json!({"queueSort": {"enabled": [{"name": "Mine"}]}});
    refused(
        json!({"profiles": [
            {"schedulerName": "a", "plugins": sort, "pluginConfig": [{"name": "Mine", "args": {"x": 1}}]},
            {"schedulerName": "b", "plugins": sort, "pluginConfig": [{"name": "Mine", "args": {"x": 2}}]}]}),
        "profiles[1].pluginConfig.args: Invalid value: args: queueSort must be the same for all profiles",
    );
}

#[test]
fn plugins_that_were_folded_away_are_named() {
    let text = "was invalid in version \"kubescheduler.config.k8s.io/v1\" (KubeSchedulerConfiguration is version \
         \"kubescheduler.config.k8s.io/v1\")";
    for name in [
        "AzureDiskLimits",
        "CinderLimits",
        "EBSLimits",
        "GCEPDLimits",
    ] {
        refused(
            json!({"profiles": [{"plugins": {"filter": {"enabled": [{"name": name}]}}}]}),
            &alloc::format!(
                "profiles[0].plugins.filter.enabled[0]: Invalid value: \"{name}\": {text}"
            ),
        );
        refused(
            json!({"profiles": [{"pluginConfig": [{"name": name}]}]}),
            &alloc::format!("profiles[0].pluginConfig[0]: Invalid value: \"{name}\": {text}"),
        );
        let shared =
            json!({"profiles": [{"plugins": {"multiPoint": {"enabled": [{"name": name}]}}}]});
        assert!(read_value(&shared, options(Gates::default())).is_ok());
    }
}

#[test]
fn a_plugin_has_one_entry_of_its_own_kind() {
    refused(
        json!({"profiles": [{"pluginConfig": [{"name": "X"}, {"name": "X"}]}]}),
        "profiles[0].pluginConfig[1]: Duplicate value: \"X\"",
    );
    let mut wrong = Configuration::default();
    wrong.profiles[0].plugin_config[0].args = PluginArgs::NodeAffinity(NodeAffinityArgs::default());
    assert_eq!(
        wrong.validate().unwrap_err().to_string(),
        "profiles[0].pluginConfig[0].args: Invalid value: NodeAffinityArgs: has to match plugin args"
    );
}

#[test]
fn preemption_looks_at_some_node() {
    args_refused(
        "DefaultPreemption",
        json!({"minCandidateNodesPercentage": 101, "minCandidateNodesAbsolute": -1}),
        "[minCandidateNodesPercentage: Invalid value: 101: not in valid range [0, 100], \
         minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)]",
    );
    args_refused(
        "DefaultPreemption",
        json!({"minCandidateNodesPercentage": 0, "minCandidateNodesAbsolute": 0}),
        "[minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as minCandidateNodesAbsolute, \
         minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as minCandidateNodesPercentage]",
    );
}

#[test]
fn weights_of_affinity_and_balance() {
    args_refused(
        "InterPodAffinity",
        json!({"hardPodAffinityWeight": 101}),
        "hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]",
    );
    args_refused(
        "NodeResourcesBalancedAllocation",
        json!({"resources": [{"name": "cpu", "weight": 2}, {"name": "cpu"}]}),
        "[resources[0].weight: Invalid value: 2: must be 1, resources[1].name: Duplicate value: \"cpu\"]",
    );
}

#[test]
fn added_affinity_must_be_a_selector() {
    let term = |operator: &str, values: Value| json!({"matchExpressions": [{"key": "a", "operator": operator, "values": values}]});
    args_refused(
        "NodeAffinity",
        json!({"addedAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                term("Is", json!([])), term("In", json!([])), term("Exists", json!(["x"])), term("Gt", json!(["x"])),
                {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a", "b"]}]}]},
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 1, "preference": term("Lt", json!([]))}]}}),
        "[addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: \
         Unsupported value: \"Is\": supported values: \"DoesNotExist\", \"Exists\", \"Gt\", \"In\", \"Lt\", \"NotIn\", \
         addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1].matchExpressions[0].values: \
         Invalid value: []: for 'in', 'notin' operators, values set can't be empty, \
         addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[2].matchExpressions[0].values: \
         Invalid value: [\"x\"]: values set must be empty for exists and does not exist, \
         addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[3].matchExpressions[0].values: \
         Invalid value: [\"x\"]: for 'Gt', 'Lt' operators, the value must be an integer, \
         addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[4].matchFields[0].values: \
         Invalid value: [\"a\", \"b\"]: must have one element, \
         addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].matchExpressions[0].values: Invalid value: []: \
         for 'Gt', 'Lt' operators, exactly one value is required]",
    );
}

#[test]
fn fit_has_a_known_strategy() {
    args_refused(
        "NodeResourcesFit",
        json!({"scoringStrategy": {"type": "MostRequested"}}),
        "scoringStrategy.type: Unsupported value: \"MostRequested\": supported values: \"LeastAllocated\", \
         \"MostAllocated\", \"RequestedToCapacityRatio\"",
    );
    args_refused(
        "NodeResourcesFit",
        json!({"scoringStrategy": {}}),
        "scoringStrategy.type: Unsupported value: \"\": supported values: \"LeastAllocated\", \"MostAllocated\", \
         \"RequestedToCapacityRatio\"",
    );
    args_refused(
        "NodeResourcesFit",
        json!({"scoringStrategy": {"type": "LeastAllocated", "resources": [
            {"name": "cpu", "weight": 101}, {"name": "memory", "weight": -1}]}}),
        "[scoringStrategy.resources[0].weight: Invalid value: 101: resource weight of cpu not in valid range (0, 100], \
         scoringStrategy.resources[1].weight: Invalid value: -1: resource weight of memory not in valid range (0, 100]]",
    );
}

#[test]
fn a_ratio_has_a_curve_and_nothing_else_has() {
    args_refused(
        "NodeResourcesFit",
        json!({"scoringStrategy": {"type": "RequestedToCapacityRatio"}}),
        "scoringStrategy.requestedToCapacityRatio: Required value: must be specified when type is \
         RequestedToCapacityRatio; at least one point must be specified",
    );
    args_refused(
        "NodeResourcesFit",
        json!({"scoringStrategy": {"type": "MostAllocated", "requestedToCapacityRatio": {}}}),
        "scoringStrategy.requestedToCapacityRatio: Invalid value: {}: must be nil when type is not \
         RequestedToCapacityRatio",
    );
    args_refused(
        "NodeResourcesFit",
        json!({"scoringStrategy": {"type": "RequestedToCapacityRatio", "requestedToCapacityRatio": {"shape": [
            {"utilization": 50, "score": 11}, {"utilization": 50, "score": -1}, {"utilization": 101, "score": 0}]}}}),
        "[scoringStrategy.requestedToCapacityRatio.shape[1].utilization: Invalid value: 50: values must be sorted in \
         increasing order, \
         scoringStrategy.requestedToCapacityRatio.shape[0].score: Invalid value: 11: not in valid range [0, 10], \
         scoringStrategy.requestedToCapacityRatio.shape[1].score: Invalid value: -1: not in valid range [0, 10], \
         scoringStrategy.requestedToCapacityRatio.shape[2].utilization: Invalid value: 101: not in valid range [0, 100]]",
    );
}

#[test]
fn ignored_resources_are_names() {
    let error = read_value(
        &args(
            "NodeResourcesFit",
            json!({"ignoredResources": ["a b"], "ignoredResourceGroups": ["x/y", "fine.example"]}),
        ),
        options(Gates::default()),
    );
    let text = error.expect_err("this is refused").to_string();
    assert!(
        text.contains(".ignoredResources[0]: Invalid value: \"a b\": name part must consist of"),
        "{text}"
    );
    assert!(
        text.contains(".ignoredResourceGroups[0]: Invalid value: \"x/y\": resource group name can't contain '/'"),
        "{text}"
    );
    assert!(!text.contains("ignoredResourceGroups[1]"), "{text}");
}

#[test]
fn default_constraints_are_constraints() {
    args_refused(
        "PodTopologySpread",
        json!({"defaultConstraints": [{"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "ScheduleAnyway"}]}),
        "defaultingType: Invalid value: \"System\": when .defaultConstraints are not empty",
    );
    args_refused(
        "PodTopologySpread",
        json!({"defaultingType": "Both"}),
        "defaultingType: Unsupported value: \"Both\": supported values: \"System\", \"List\"",
    );
    args_refused(
        "PodTopologySpread",
        json!({"defaultingType": "List", "defaultConstraints": [
            {"labelSelector": {}},
            {"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "Never"},
            {"maxSkew": 2, "topologyKey": "z", "whenUnsatisfiable": "Never"}]}),
        "[defaultConstraints[0].maxSkew: Invalid value: 0: not in valid range (0, inf), \
         defaultConstraints[0].topologyKey: Required value: can not be empty, \
         defaultConstraints[0].whenUnsatisfiable: Required value: can not be empty, \
         defaultConstraints[0].labelSelector: Forbidden: constraint must not define a selector, as they deduced for each pod, \
         defaultConstraints[1].whenUnsatisfiable: Unsupported value: \"Never\": supported values: \"DoNotSchedule\", \
         \"ScheduleAnyway\", \
         defaultConstraints[2].whenUnsatisfiable: Unsupported value: \"Never\": supported values: \"DoNotSchedule\", \
         \"ScheduleAnyway\", \
         defaultConstraints[2]: Duplicate value: \"{z, Never}\"]",
    );
}

#[test]
fn volumes_take_time_and_a_gate() {
    args_refused(
        "VolumeBinding",
        json!({"bindTimeoutSeconds": -1, "shape": [{"utilization": 0, "score": 0}]}),
        "[bindTimeoutSeconds: Invalid value: -1: invalid BindTimeoutSeconds, should not be a negative value, \
         shape: Invalid value: 1 points: unexpected field `shape`, remove it or turn on the feature gate \
         StorageCapacityScoring]",
    );
    let gates = Gates::default().with(Gate::StorageCapacityScoring, true);
    let document = args(
        "VolumeBinding",
        json!({"shape": [{"utilization": 0, "score": 11}]}),
    );
    let error = read_value(&document, options(gates)).expect_err("this is refused");
    assert_eq!(
        error.to_string(),
        "profiles[0].pluginConfig[0].args.shape[0].score: Invalid value: 11: not in valid range [0, 10]"
    );
}

#[test]
fn devices_take_time_and_gates() {
    args_refused(
        "DynamicResources",
        json!({"filterTimeout": "-1s", "bindingTimeout": "500ms"}),
        "[bindingTimeout: Invalid value: \"500ms\": must be at least 1 second, \
         filterTimeout: Invalid value: \"-1s\": must be zero or positive]",
    );
    let off = Gates::default()
        .with(Gate::DRASchedulerFilterTimeout, false)
        .with(Gate::DRADeviceBindingConditions, false);
    let document = args(
        "DynamicResources",
        json!({"filterTimeout": "1s", "bindingTimeout": "1m"}),
    );
    let error = read_value(&document, options(off)).expect_err("this is refused");
    assert_eq!(
        error
            .to_string()
            .replace("profiles[0].pluginConfig[0].args.", ""),
        "[bindingTimeout: Forbidden: feature gate DRADeviceBindingConditions is disabled, \
         filterTimeout: Forbidden: feature gate DRASchedulerFilterTimeout is disabled]"
    );
}

#[test]
fn extenders_have_rules() {
    refused(
        json!({"extenders": [{"prioritizeVerb": "p"}]}),
        "extenders[0].weight: Invalid value: 0: must have a positive weight applied to it",
    );
    refused(
        json!({"extenders": [{"bindVerb": "b"}, {"bindVerb": "b"}]}),
        "extenders: Invalid value: \"found 2 extenders implementing bind\": only one extender can implement bind",
    );
    refused(
        json!({"extenders": [
            {"managedResources": [{"name": "cpu"}, {"name": "example.com/a"}]},
            {"managedResources": [{"name": "example.com/a"}, {"name": "kubernetes.io/x"}, {"name": "requests.a/b"}]}]}),
        "[extenders[0].managedResources[0].name: Invalid value: \"cpu\": is an invalid extended resource name, \
         extenders[1].managedResources[0].name: Invalid value: \"example.com/a\": duplicate extender managed resource \
         name, \
         extenders[1].managedResources[1].name: Invalid value: \"kubernetes.io/x\": is an invalid extended resource \
         name, \
         extenders[1].managedResources[2].name: Invalid value: \"requests.a/b\": is an invalid extended resource name]",
    );
    refused(
        json!({"extenders": [{"tlsConfig": {"insecure": true, "caFile": "ca"}}]}),
        "extenders[0].tlsConfig.insecure: Invalid value: true: specifying a root certificates file with the insecure \
         flag is not allowed",
    );
}

#[test]
fn a_plugin_checks_its_own_arguments_from_their_root() {
    let args = InterPodAffinityArgs {
        hard_pod_affinity_weight: -1,
        ..InterPodAffinityArgs::default()
    };
    let error = PluginArgs::InterPodAffinity(args).validate(Gates::default());
    assert_eq!(
        error.unwrap_err().to_string(),
        "hardPodAffinityWeight: Invalid value: -1: not in valid range [0, 100]"
    );
}
