//! Who somebody is by certificate, and how long it takes until a change of who signs them counts.

use core::time::Duration;
use std::path::{Path, PathBuf};
use std::process::Command;

use berth_tests::cluster::{Api, ControlPlane, Scheduler, tell};
use serde_json::json;

use crate::asker::{Asker, free_port};
use crate::common::served_at;

#[test]
fn client_certificates_and_proxies_say_who_asks() {
    let Some(plane) = ControlPlane::start().filter(ControlPlane::is_ours) else {
        return;
    };
    let api = Api::new(&plane.kubeconfig("admin"));
    let kubeconfig = plane.kubeconfig("scheduler").display().to_string();
    let port = free_port();
    let flags = served_at(&kubeconfig, &port);
    let mut arguments: Vec<&str> = flags.iter().map(String::as_str).collect();
    arguments.push("--leader-elect=false");
    let scheduler = Scheduler::berth_serving(&plane, "berth", &arguments);
    let url = format!("https://127.0.0.1:{port}/metrics");
    api.wait("it serves", LIMIT, |_| Asker::nobody().get(&url).0 == 403);
    let folder = plane.folder();
    let with = |signer: &str, subject: &str| {
        let (certificate, key) = signed(folder, signer, subject);
        Asker::nobody().with_certificate(&certificate, &key)
    };
    let code = |asker: Asker| asker.get(&url).0;
    assert_eq!(
        code(with("ca", "/O=system:masters/CN=ann")),
        200,
        "{}",
        scheduler.log()
    );
    assert_eq!(code(with("ca", "/CN=bob")), 403, "known, without the right");
    assert_eq!(
        code(with("api", "/O=system:masters/CN=eve")),
        401,
        "signed by nobody who counts"
    );
    let admin = Asker::user(&plane, "admin");
    let (certificate, key) = signed(folder, "api", "/CN=eve");
    assert_eq!(
        code(admin.with_certificate(&certificate, &key)),
        200,
        "a token makes up for it"
    );
    let for_ann = |asker: Asker| {
        let asker = asker.with_header("X-Remote-User: ann");
        asker.with_header("X-Remote-Group: system:masters")
    };
    assert_eq!(
        code(for_ann(with("proxy-ca", "/CN=front-proxy"))),
        200,
        "{}",
        scheduler.log()
    );
    assert_eq!(
        code(for_ann(with("proxy-ca", "/CN=somebody"))),
        401,
        "no proxy of that name"
    );
    assert_eq!(
        code(for_ann(with("ca", "/CN=front-proxy"))),
        403,
        "not signed as a proxy"
    );
    assert_eq!(code(for_ann(Asker::nobody())), 403, "anybody can say so");
    check_watch(&api, folder, &url);
}

/// Who signs is watched: another one counts long before anything is looked at again.
fn check_watch(api: &Api, folder: &Path, url: &str) {
    let (certificate, key) = (folder.join("other.crt"), folder.join("other.key"));
    let text = |path: &Path| path.display().to_string();
    run_openssl(&[
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "10",
        "-subj",
        "/CN=other",
        "-keyout",
        &text(&key),
        "-out",
        &text(&certificate),
    ]);
    let pem = std::fs::read_to_string(&certificate).expect("it was made");
    let (certificate, key) = signed(folder, "other", "/O=system:masters/CN=zoe");
    let zoe = Asker::nobody().with_certificate(&certificate, &key);
    assert_eq!(zoe.get(url).0, 401, "nobody knows who signed it");
    let path = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
    let known = api.get(path)["data"]["client-ca-file"].clone();
    let known = known.as_str().expect("it is published");
    let both = json!({"data": {"client-ca-file": format!("{known}{pem}")}});
    api.call("PATCH", path, &both);
    let limit = Duration::from_secs(20);
    let took = api.wait("the other one counts", limit, |_| zoe.get(url).0 == 200);
    tell(&format!(
        "another signer counted after {:.1} s",
        took.as_secs_f64()
    ));
}

fn run_openssl(arguments: &[&str]) {
    let output = Command::new("openssl").args(arguments).output();
    let output = output.expect("openssl starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A certificate and its key, signed by a certificate of the control plane's folder.
fn signed(folder: &Path, signer: &str, subject: &str) -> (PathBuf, PathBuf) {
    let name = format!("{signer}{}", subject.replace(['/', '=', ':'], "-"));
    let path = |ending: &str| folder.join(format!("{name}.{ending}"));
    let (request, certificate, key) = (path("csr"), path("crt"), path("key"));
    let [ca, ca_key] = ["crt", "key"].map(|ending| folder.join(format!("{signer}.{ending}")));
    let text = |path: &Path| path.display().to_string();
    run_openssl(&[
        "req",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        subject,
        "-keyout",
        &text(&key),
        "-out",
        &text(&request),
    ]);
    let extensions = path("ext");
    std::fs::write(&extensions, "extendedKeyUsage=clientAuth\n").expect("a file can be written");
    run_openssl(&[
        "x509",
        "-req",
        "-days",
        "10",
        "-in",
        &text(&request),
        "-CA",
        &text(&ca),
        "-CAkey",
        &text(&ca_key),
        "-CAcreateserial",
        "-extfile",
        &text(&extensions),
        "-out",
        &text(&certificate),
    ]);
    (certificate, key)
}

const LIMIT: Duration = Duration::from_secs(60);
