//! kube-scheduler's flags: what is honoured, what is accepted, what is refused. None of these needs a cluster, except for a
//! Policy that is kept in one.

use core::time::Duration;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use berth_tests::binary::{Run, berth, binary};
use berth_tests::cluster::{Api, ControlPlane, Scheduler};
use serde_json::json;

use crate::common::{node, pod};

/// The configuration that these flags come to, as text.
fn written(name: &str, flags: &[&str]) -> String {
    let path = path(name);
    let mut arguments = vec!["run", "--write-config-to", &path];
    arguments.extend(flags);
    let run = berth(&arguments);
    assert_eq!(run.code, 0, "{}", run.stderr);
    fs::read_to_string(&path).expect("it was written")
}

fn path(name: &str) -> String {
    let folder: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "flags"].iter().collect();
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder.join(name).display().to_string()
}

fn file(name: &str, text: &str) -> String {
    let path = path(name);
    fs::write(&path, text).expect("the file can be written");
    path
}

/// Runs the binary under kube-scheduler's name.
fn kube_scheduler(arguments: &[&str]) -> Run {
    let link = path("kube-scheduler");
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(binary(), &link).expect("a link can be made");
    let output = Command::new(&link).args(arguments).output();
    let output = output.expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Run {
        code: output.status.code().expect("no signal ended it"),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    }
}

#[test]
fn flags_of_kubeadm_and_of_other_spellings_are_understood() {
    let flags = [
        "--bind-address=127.0.0.1",
        "--leader_elect=false",
        "--kubeconfig=/etc/kubernetes/scheduler.conf",
        "--authentication-kubeconfig=/etc/kubernetes/scheduler.conf",
        "--authorization_kubeconfig=/etc/kubernetes/scheduler.conf",
        "--feature-gates=kube:NodeDeclaredFeatures=false",
        "--feature-gates=OpportunisticBatching=false",
        "--profiling=false",
        "--kube_api_qps=7",
        "--lock-object-name=mine",
    ];
    let text = written("kubeadm.yaml", &flags);
    for line in [
        "leaderElect: false",
        "kubeconfig: /etc/kubernetes/scheduler.conf",
        "enableProfiling: false",
        "enableContentionProfiling: false",
        "qps: 7",
        "resourceName: mine",
    ] {
        assert!(text.contains(line), "{line} is not in:\n{text}");
    }
    assert!(!text.contains("NodeDeclaredFeatures"), "{text}");
}

#[test]
fn every_flag_of_kube_scheduler_is_there_and_one_without_effect_is_named() {
    let help = berth(&["run", "--help"]).stdout;
    for flag in FLAGS {
        assert!(help.contains(&format!("--{flag}")), "--{flag}");
    }
    let path = path("accepted.yaml");
    let run = berth(&[
        "run",
        "--write-config-to",
        &path,
        "--tls-cipher-suites=TLS_AES_128_GCM_SHA256",
        "--log-flush-frequency=1s",
        "--emulated-version=kube=1.35",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for flag in [
        "tls-cipher-suites",
        "log-flush-frequency",
        "emulated-version",
    ] {
        let said = format!("--{flag} has no effect here");
        assert!(run.stderr.contains(&said), "{}", run.stderr);
    }
    assert_eq!(run.stderr.matches("no effect").count(), 3, "{}", run.stderr);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for (flags, said) in [
        (
            vec!["--emulated-version=1.20"],
            "emulation version 1.20 is not between [1.33, 1.36]",
        ),
        (
            vec!["--feature-gates=NoSuchGate=true"],
            "unrecognized feature gate: NoSuchGate",
        ),
        (
            vec!["--algorithm-provider=Other"],
            "\"Other\" is not registered",
        ),
        (
            vec!["--use-legacy-policy-config"],
            "required when --use-legacy-policy-config is true",
        ),
        (
            vec!["--policy-config-file=/no/such/file"],
            "missing policy config file /no/such/file",
        ),
        (
            vec!["--leader-elect-renew-deadline=20s"],
            "leaseDuration must be greater",
        ),
        (vec!["--version=yes"], "expected true, false or raw"),
        (vec!["--tls-cert-file=x.crt"], "--tls-private-key-file"),
    ] {
        let mut arguments = vec!["run"];
        arguments.extend(&flags);
        let run = berth(&arguments);
        assert!(run.stderr.contains(said), "{flags:?}: {}", run.stderr);
        assert!(
            matches!(run.code, 1 | 2),
            "{flags:?} ended with {}",
            run.code
        );
    }
    for wrong in [
        "--no-such-flag",
        "positional",
        "--config=/no/such/file",
        "--kubeconfig=/no/such/file",
        "--leader-elect-renew-deadline=20s",
    ] {
        assert_eq!(kube_scheduler(&[wrong]).code, 1, "{wrong:?}");
    }
    for (wrong, code) in [("--no-such-flag", 2), ("--config=/no/such/file", 3)] {
        assert_eq!(berth(&["run", wrong]).code, code, "{wrong:?}");
    }
}

#[test]
fn under_the_name_of_kube_scheduler_it_says_whose_version_it_has() {
    let run = kube_scheduler(&["--version"]);
    assert_eq!((run.code, &*run.stdout), (0, "Kubernetes v1.36.2\n"));
    let run = kube_scheduler(&["--version=raw"]);
    assert!(run.stdout.contains("as berth "), "{}", run.stdout);
    assert_eq!(kube_scheduler(&["--help"]).code, 0);
}

#[test]
fn providers_and_policies_of_old_choose_the_plugins() {
    let text = written(
        "provider.yaml",
        &[
            "--algorithm-provider=ClusterAutoscalerProvider",
            "--scheduler-name=old",
        ],
    );
    assert!(text.contains("schedulerName: old"), "{text}");
    assert!(text.contains("type: MostAllocated"), "{text}");
    let policy = file(
        "policy.json",
        r#"{"kind": "Policy", "apiVersion": "v1", "predicates": [{"name": "PodFitsResources"}],
            "priorities": [{"name": "MostRequestedPriority", "weight": 7}]}"#,
    );
    let flag = format!("--policy-config-file={policy}");
    let text = written("policy.yaml", &[&flag]);
    assert!(
        text.contains("type: MostAllocated") && text.contains("weight: 7"),
        "{text}"
    );
    assert!(!text.contains("ImageLocality"), "{text}");
    let config = file(
        "plugins.yaml",
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n\
         profiles:\n- plugins:\n    score:\n      disabled: [{name: ImageLocality}]\n",
    );
    let both = berth(&["run", "--config", &config, &flag]);
    assert_eq!(both.code, 1);
    assert!(
        both.stderr
            .contains("cannot set a Plugin config and Policy config"),
        "{}",
        both.stderr
    );
}

#[test]
fn a_policy_in_a_config_map_decides() {
    let Some(plane) = ControlPlane::start().filter(ControlPlane::is_ours) else {
        return;
    };
    let api = Api::new(&plane.kubeconfig("admin"));
    // Without any predicate but those that are always there, what a pod asks for counts for nothing.
    api.create(&json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "policy", "namespace": "kube-system"},
        "data": {"policy.cfg": "{\"kind\": \"Policy\", \"apiVersion\": \"v1\", \"predicates\": [], \"priorities\": []}"},
    }));
    api.create(&node(0));
    let mut large = pod(0);
    large["spec"]["containers"][0]["resources"]["requests"]["cpu"] = json!("64");
    api.create(&large);
    let run = |plane: &ControlPlane, user: &str, map: &str| {
        let kubeconfig = plane.kubeconfig(user).display().to_string();
        let flag = format!("--policy-configmap={map}");
        let arguments = ["--kubeconfig", &kubeconfig, "--leader-elect=false", &flag];
        Scheduler::berth(plane, map, &arguments)
    };
    let mut nothing = run(&plane, "admin", "nothing");
    assert_eq!(nothing.wait(LIMIT), Some(1));
    let said = "couldn't get policy config map kube-system/nothing";
    assert!(nothing.log().contains(said), "{}", nothing.log());
    let mut refused = run(&plane, "scheduler", "policy");
    assert_eq!(
        refused.wait(LIMIT),
        Some(1),
        "its role has no right to ConfigMaps"
    );
    assert!(refused.log().contains("forbidden"), "{}", refused.log());
    let scheduler = run(&plane, "admin", "policy");
    api.wait("the pod is bound", LIMIT, |api| api.bound("default") == 1);
    drop(scheduler);
}

/// Flags of kube-scheduler 1.36, as its `/flagz` lists them, and those of 1.21 that chose plugins.
const FLAGS: &[&str] = &[
    "allow-metric-labels",
    "allow-metric-labels-manifest",
    "authentication-kubeconfig",
    "authentication-skip-lookup",
    "authentication-token-webhook-cache-ttl",
    "authentication-tolerate-lookup-failure",
    "authorization-always-allow-paths",
    "authorization-kubeconfig",
    "authorization-webhook-cache-authorized-ttl",
    "authorization-webhook-cache-unauthorized-ttl",
    "bind-address",
    "cert-dir",
    "client-ca-file",
    "config",
    "contention-profiling",
    "disable-http2-serving",
    "disabled-metrics",
    "emulated-version",
    "feature-gates",
    "help",
    "http2-max-streams-per-connection",
    "kube-api-burst",
    "kube-api-content-type",
    "kube-api-qps",
    "kubeconfig",
    "leader-elect",
    "leader-elect-lease-duration",
    "leader-elect-renew-deadline",
    "leader-elect-resource-lock",
    "leader-elect-resource-name",
    "leader-elect-resource-namespace",
    "leader-elect-retry-period",
    "log-flush-frequency",
    "log-json-info-buffer-size",
    "log-json-split-stream",
    "log-text-info-buffer-size",
    "log-text-split-stream",
    "logging-format",
    "master",
    "min-compatibility-version",
    "permit-address-sharing",
    "permit-port-sharing",
    "pod-max-in-unschedulable-pods-duration",
    "profiling",
    "requestheader-allowed-names",
    "requestheader-client-ca-file",
    "requestheader-extra-headers-prefix",
    "requestheader-group-headers",
    "requestheader-uid-headers",
    "requestheader-username-headers",
    "secure-port",
    "show-hidden-metrics-for-version",
    "tls-cert-file",
    "tls-cipher-suites",
    "tls-curve-preferences",
    "tls-min-version",
    "tls-private-key-file",
    "tls-sni-cert-key",
    "v",
    "version",
    "vmodule",
    "write-config-to",
    "algorithm-provider",
    "policy-config-file",
    "policy-configmap",
    "policy-configmap-namespace",
    "use-legacy-policy-config",
    "scheduler-name",
    "hard-pod-affinity-symmetric-weight",
    "address",
    "port",
];
const LIMIT: Duration = Duration::from_secs(60);
