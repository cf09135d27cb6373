use serde_json::json;

use super::*;

#[test]
fn what_matched_before_matches_afterwards_and_says_nothing() {
    let mut scenario = json!({"metadata": {"name": "acme"}, "spec": {"objects": [
        {"kind": "Node", "metadata": {"name": "acme-1", "labels": {
            "kubernetes.io/hostname": "acme-1", "kubernetes.io/os": "linux", "acme.io/tier": "gold",
        }}, "spec": {"taints": [{"key": "acme.io/tier", "value": "gold", "effect": "NoSchedule"}]}},
        {"kind": "Pod", "metadata": {"name": "till", "namespace": "bank", "annotations": {"owner": "me"}}, "spec": {
            "nodeName": "acme-1",
            "nodeSelector": {"acme.io/tier": "gold"},
            "containers": [{"name": "till", "image": "acme.io/till:1"}],
            "tolerations": [{"key": "acme.io/tier", "operator": "Equal", "value": "gold", "effect": "NoSchedule"}],
        }},
    ]}});
    redact(&mut scenario);
    let objects = &scenario["spec"]["objects"];
    let (node, pod) = (&objects[0], &objects[1]);
    assert_eq!(node["metadata"]["labels"]["kubernetes.io/os"], "linux");
    assert_eq!(pod["spec"]["nodeName"], node["metadata"]["name"]);
    assert_eq!(
        pod["spec"]["nodeSelector"]["acme.io/tier"],
        node["metadata"]["labels"]["acme.io/tier"]
    );
    assert_eq!(
        pod["spec"]["tolerations"][0]["value"],
        node["spec"]["taints"][0]["value"]
    );
    assert_eq!(pod["spec"]["tolerations"][0]["operator"], "Equal");
    let text = scenario.to_string();
    for word in ["acme-1", "till", "bank", "gold", "acme.io/till", "owner"] {
        assert!(!text.contains(&format!("\"{word}")), "{word} is in {text}");
    }
}
