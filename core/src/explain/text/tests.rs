//! Sentences of both languages.

use alloc::collections::BTreeSet;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Key, Lang};
use crate::explain::Link;
use crate::framework::reason::Reason;

fn blanks(template: &str) -> BTreeSet<&str> {
    let parts = template.split('{').skip(1);
    parts
        .filter_map(|part| part.split_once('}').map(|(name, _)| name))
        .collect()
}

#[test]
fn both_languages_leave_the_same_blanks() {
    for key in Key::ALL {
        let (en, zh) = (Lang::En.template(*key), Lang::Zh.template(*key));
        assert_eq!(blanks(en), blanks(zh), "{key:?}");
        assert!(!en.is_empty() && !zh.is_empty(), "{key:?}");
    }
}

fn link(reason: Reason) -> Link {
    Link {
        plugin: None,
        reason,
        pod: Vec::new(),
        node: Vec::new(),
        was_seen: true,
    }
}

#[test]
fn a_sentence_has_the_numbers_of_its_reason() {
    let reason = Reason::Insufficient {
        resource: Arc::from("cpu"),
        requested: 2_000,
        used: 3_500,
        allocatable: 4_000,
    };
    assert_eq!(
        Lang::En.link(&link(reason.clone())),
        "the pod asks for 2 cpu, and 500m is left: 4 less 3500m that other pods ask for"
    );
    assert_eq!(
        Lang::Zh.link(&link(reason)),
        "Pod 请求 2 cpu，只剩 500m：可分配 4，其他 Pod 已请求 3500m"
    );
    let spread = Reason::TopologySpread {
        topology_key: Arc::from("zone"),
        count: 3,
        minimum: 1,
        max_skew: 1,
    };
    assert_eq!(
        Lang::En.link(&link(spread)),
        "with the pod its domain of zone would have 3 matching pods, 2 more than the emptiest with 1; 1 more are allowed"
    );
}

#[test]
fn a_text_of_kubernetes_stays_as_it_is() {
    let reason = Reason::from("persistentvolumeclaim \"x\" not found");
    assert_eq!(Lang::Zh.link(&link(reason.clone())), reason.to_string());
    assert_eq!(Lang::En.say(Key::NoNodes, &[]), "there are no nodes");
}
