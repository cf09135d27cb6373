//! Which ports a pod takes, and which cannot be taken together.

use alloc::vec::Vec;

use super::HostPort;
use crate::api::Pod;

fn port(ip: &str, protocol: &str, port: i32) -> HostPort {
    HostPort {
        port,
        protocol: protocol.into(),
        ip: ip.into(),
    }
}

#[test]
fn only_lasting_containers_take_ports() {
    let pod: Pod = serde_json::from_str(
        r#"{"spec": {
            "containers": [{"ports": [{"containerPort": 1, "hostPort": 80}, {"containerPort": 2}]}],
            "initContainers": [
                {"ports": [{"hostPort": 81}]},
                {"restartPolicy": "Always", "ports": [{"hostPort": 82, "hostIP": "10.0.0.1", "protocol": "UDP"}]}
            ]}}"#,
    )
    .unwrap();
    let expected: Vec<HostPort> = [port("0.0.0.0", "TCP", 80), port("10.0.0.1", "UDP", 82)].into();
    assert_eq!(pod.host_ports(), expected);
}

#[test]
fn every_address_conflicts_with_each_one() {
    let check = |a: &HostPort, b: &HostPort, expected| {
        assert_eq!(a.conflicts_with(b), expected, "{a:?} {b:?}");
        assert_eq!(b.conflicts_with(a), expected, "{b:?} {a:?}");
    };
    check(
        &port("0.0.0.0", "TCP", 80),
        &port("127.0.0.1", "TCP", 80),
        true,
    );
    check(
        &port("10.0.0.1", "TCP", 80),
        &port("127.0.0.1", "TCP", 80),
        false,
    );
    check(
        &port("127.0.0.1", "TCP", 80),
        &port("127.0.0.1", "TCP", 80),
        true,
    );
    check(
        &port("0.0.0.0", "TCP", 80),
        &port("0.0.0.0", "UDP", 80),
        false,
    );
    check(
        &port("0.0.0.0", "TCP", 80),
        &port("0.0.0.0", "TCP", 81),
        false,
    );
    check(&port("::", "TCP", 80), &port("::1", "TCP", 80), false);
}
