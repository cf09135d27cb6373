use serde_json::json;

use super::super::identity::tests::{signed_by, signer};
use super::*;

#[test]
fn a_part_that_cannot_be_read_stays_as_it_was_and_holds_up_no_other() {
    let (first, second) = (signer(), signer());
    let mut sources = Sources {
        client_ca_file: String::new(),
        proxy_ca_file: String::new(),
        found: Trusted::default(),
    };
    let map = |clients: &str, proxies: &str, users: &str| {
        json!({"data": {
            "client-ca-file": clients,
            "requestheader-client-ca-file": proxies,
            "requestheader-allowed-names": "[\"front\"]",
            "requestheader-username-headers": users,
        }})
    };
    let by = |authority: &Option<Authority>| {
        let signs = |signer| {
            let chain = signed_by(signer, "ann", &[]);
            authority
                .as_ref()
                .is_some_and(|authority| authority.verify(&chain).is_ok())
        };
        (signs(&first), signs(&second))
    };
    let mut check = |map: &Value, faults: &[&str], clients, proxies, users: &[&str]| {
        let found = sources.take(map);
        assert_eq!(found.len(), faults.len(), "{found:?}");
        for (found, key) in found.iter().zip(faults) {
            assert!(found.contains(key), "{found}");
        }
        let trusted = sources.trusted();
        assert_eq!(
            (by(&trusted.clients), by(&trusted.proxies)),
            (clients, proxies)
        );
        assert_eq!(trusted.headers.username, users);
    };
    let (one, other) = (first.pem(), second.pem());
    let (nobody, only_first, only_second) = ((false, false), (true, false), (false, true));
    check(
        &map(&one, &one, "[\"a\"]"),
        &[],
        only_first,
        only_first,
        &["a"],
    );
    check(
        &map("-----BEGIN CERTIFICATE-----\nno", &other, "[\"b\"]"),
        &["client-ca-file"],
        only_first,
        only_second,
        &["b"],
    );
    check(
        &map(&other, "", "no list"),
        &["requestheader-username-headers"],
        only_second,
        nobody,
        &["b"],
    );
}
