use http::HeaderValue;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, PKCS_ED25519,
};

use super::*;

fn key() -> KeyPair {
    KeyPair::generate_for(&PKCS_ED25519).expect("a key can be made")
}

pub(in super::super) fn signer() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, key()).expect("it can be made")
}

pub(in super::super) fn signed_by(
    signer: &CertifiedIssuer<'static, KeyPair>,
    name: &str,
    groups: &[&str],
) -> Chain {
    let mut params = CertificateParams::default();
    params.distinguished_name = rcgen::DistinguishedName::new();
    if !name.is_empty() {
        params.distinguished_name.push(DnType::CommonName, name);
    }
    for group in groups {
        params
            .distinguished_name
            .push(DnType::OrganizationName, *group);
    }
    let certificate = params.signed_by(&key(), signer).expect("it can be signed");
    vec![certificate.der().clone()]
}

#[test]
fn a_certificate_counts_only_with_those_who_signed_it() {
    let (ours, theirs) = (signer(), signer());
    let authority = Authority::read(ours.pem().as_bytes()).expect("it can be read");
    let verify = |chain: Chain| authority.verify(&chain).is_ok();
    assert!(verify(signed_by(&ours, "ann", &[])));
    assert!(!verify(signed_by(&theirs, "ann", &[])));
    assert!(!verify(Chain::new()));
    assert!(Authority::read(b"").is_err(), "nobody could sign");
    assert!(Authority::read(b"-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----").is_err());
}

#[test]
fn a_certificate_names_a_user_and_groups() {
    let signer = signer();
    let user = user_of(&signed_by(&signer, "ann", &["system:masters"])).expect("it has a name");
    assert_eq!(user.username, "ann");
    assert_eq!(user.groups, ["system:masters"]);
    assert_eq!(user_of(&signed_by(&signer, "", &["system:masters"])), None);
    assert_eq!(user_of(&Chain::new()), None);
}

#[test]
fn a_proxy_says_for_whom_it_asks() {
    let names = RequestHeaders {
        allowed_names: vec!["front".to_owned()],
        username: vec!["X-Remote-User".to_owned()],
        uid: vec!["X-Remote-Uid".to_owned()],
        group: vec!["X-Remote-Group".to_owned()],
        extra_prefix: vec!["X-Remote-Extra-".to_owned()],
    };
    assert!(names.allow("front") && !names.allow("back") && !names.allow(""));
    assert!(RequestHeaders::default().allow("anybody"));
    let mut headers = HeaderMap::new();
    assert_eq!(names.user(&headers), None);
    for (name, value) in [
        ("x-remote-user", "ann"),
        ("x-remote-group", "one"),
        ("x-remote-group", "two"),
        ("x-remote-uid", "7"),
        ("x-remote-extra-scopes", "a"),
        ("x-remote-extra-example.com%2fteam", "b"),
    ] {
        headers.append(name, HeaderValue::from_static(value));
    }
    let user = names.user(&headers).expect("it says so");
    assert_eq!((&*user.username, &*user.uid), ("ann", "7"));
    assert_eq!(user.groups, ["one", "two"]);
    assert_eq!(
        user.extra,
        serde_json::json!({"scopes": ["a"], "example.com/team": ["b"]})
    );
}
