//! An HTTP extender: it is asked in kube-scheduler's words, and its answers count.

use core::time::Duration;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{SyncSender, sync_channel};

use berth_tests::cluster::{Api, ControlPlane, Scheduler};
use serde_json::{Value, json};

use crate::common::{node, pod, wait_until_bound};

#[test]
fn an_extender_filters_scores_and_binds() {
    for is_node_cache_capable in [true, false] {
        let Some(plane) = ControlPlane::start() else {
            return;
        };
        let api = Api::new(&plane.kubeconfig("admin"));
        api.create_all((0..5).map(node).collect());
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        let (asked, questions) = sync_channel(1000);
        let server = Api::new(&plane.kubeconfig("admin"));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let _ = serve(stream, &asked, &server);
            }
        });
        let more = format!(
            "extenders:\n- urlPrefix: http://{address}/scheduler\n  filterVerb: filter\n  prioritizeVerb: prioritize\n  \
             bindVerb: bind\n  weight: 10\n  nodeCacheCapable: {is_node_cache_capable}\n"
        );
        let configuration = Scheduler::configuration(&plane, &more);
        let scheduler = Scheduler::berth(&plane, "berth", &["--config", &configuration]);
        api.create_all((0..10).map(pod).collect());
        wait_until_bound(&api, "default", Duration::from_secs(60));
        for (name, pod) in api.pods("default") {
            assert_eq!(
                pod["spec"]["nodeName"],
                "node-0003",
                "{name}: {}",
                scheduler.log()
            );
        }
        let mut verbs: Vec<String> = questions.try_iter().map(|(verb, _)| verb).collect();
        verbs.sort_unstable();
        verbs.dedup();
        assert_eq!(verbs, ["bind", "filter", "prioritize"]);
    }
}

/// Answers one question after another: nodes 2 and 3 pass, 3 is the better one.
fn serve(
    mut stream: TcpStream,
    asked: &SyncSender<(String, Value)>,
    api: &Api,
) -> std::io::Result<()> {
    loop {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte)?;
            head.push(byte[0]);
        }
        let head = String::from_utf8_lossy(&head).to_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        stream.read_exact(&mut body)?;
        let path = head.split(' ').nth(1).unwrap_or_default();
        let verb = path.strip_prefix("/scheduler/").unwrap_or(path).to_owned();
        let question: Value = serde_json::from_slice(&body)?;
        let answer = answer(&verb, &question, api).to_string();
        let _ = asked.send((verb, question));
        write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{answer}",
            answer.len()
        )?;
    }
}

fn answer(verb: &str, question: &Value, api: &Api) -> Value {
    let passes = |name: &Value| name == "node-0002" || name == "node-0003";
    match verb {
        "filter" if question["NodeNames"].is_array() => {
            let names = question["NodeNames"].as_array().expect("a list");
            json!({"nodenames": names.iter().filter(|name| passes(name)).collect::<Vec<_>>()})
        }
        "filter" => {
            let items = question["Nodes"]["items"].as_array().expect("a list");
            let items: Vec<&Value> = items
                .iter()
                .filter(|node| passes(&node["metadata"]["name"]))
                .collect();
            json!({"Nodes": {"items": items}, "FailedNodes": {"node-0001": "not this one"}})
        }
        "prioritize" => {
            json!([{"Host": "node-0003", "Score": 10}, {"Host": "node-0002", "Score": 0}])
        }
        _ => {
            let text = |field: &str| question[field].as_str().unwrap_or_default().to_owned();
            let path = format!(
                "/api/v1/namespaces/{}/pods/{}/binding",
                text("PodNamespace"),
                text("PodName")
            );
            let binding = json!({
                "apiVersion": "v1", "kind": "Binding",
                "metadata": {"name": text("PodName"), "namespace": text("PodNamespace"), "uid": text("PodUID")},
                "target": {"kind": "Node", "name": text("Node")},
            });
            match api.try_call("POST", &path, &binding) {
                Ok(_) => json!({}),
                Err((_, error)) => json!({"Error": error}),
            }
        }
    }
}
