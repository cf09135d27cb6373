//! Upstream's scheduler benchmarks as scenarios, and how fast one runs.
//!
//! What a workload makes before the clock runs is there at the start; what is measured comes at [`MEASURED_AT`]. Load in
//! the background (churn, deletions, updates) is not expanded: such a workload says so. [`parked`] is one of our own.

use std::fs;

use berth_core::api::{Kind, Object};
use berth_core::config::Gates;
use berth_core::plugins;
use berth_core::sim::{Limits, SourceText, load, prepare};
use berth_core::time::Timestamp;
use serde_json::{Map, Value, json};

use crate::root;

/// The workload that others are measured by: plain pods on 5,000 nodes.
pub const BASIC: &str = "SchedulingBasic/5000Nodes_10000Pods_QueueingHintsEnabled";

/// One of upstream's workloads.
#[derive(Clone, Debug)]
pub struct Workload {
    value: Value,
}

/// How a run went.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// How many measured pods were bound.
    pub bound: usize,
    /// How many there were.
    pub pods: usize,
    /// How long that took, in seconds of the host's clock.
    pub seconds: f64,
    /// The digest of all decisions.
    pub digest: String,
}

impl Measurement {
    /// `bound pods seconds digest`, for whoever runs it in another process.
    #[must_use]
    pub fn to_line(&self) -> String {
        let Self {
            bound,
            pods,
            seconds,
            digest,
        } = self;
        format!("{bound} {pods} {seconds} {digest}")
    }
}

/// The instant at which the measured pods come.
pub const MEASURED_AT: Timestamp = Timestamp::from_secs(1);

impl Workload {
    /// All workloads, in the order of the file.
    ///
    /// # Panics
    ///
    /// When the file is not there or not JSON.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let path = root().join("tests/workloads/scheduler_perf.json");
        let text = fs::read_to_string(path).expect("the workloads are there");
        let values: Vec<Value> = serde_json::from_str(&text).expect("they are JSON");
        values.into_iter().map(|value| Self { value }).collect()
    }

    /// The workload of that name, `case/workload`.
    ///
    /// # Panics
    ///
    /// When there is none.
    #[must_use]
    pub fn named(name: &str) -> Self {
        let mut all = Self::all().into_iter();
        all.find(|workload| workload.name() == name)
            .unwrap_or_else(|| panic!("there is no workload {name}"))
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        self.value["name"].as_str().unwrap_or_default()
    }

    /// How many nodes it has.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.value["total_nodes"].as_u64().unwrap_or_default()
    }

    /// The floor of pods a second that upstream holds itself to, if it has one.
    #[must_use]
    pub fn floor(&self) -> Option<f64> {
        self.value["threshold_pods_per_s"].as_f64()
    }

    /// The workload as a scenario.
    ///
    /// # Errors
    ///
    /// What of it cannot be expanded.
    pub fn scenario(&self) -> Result<Value, String> {
        for field in ["background", "measure_window"] {
            if !self.value[field].is_null() {
                return Err(format!("{field} is not expanded"));
            }
        }
        if self.value["effective"]["queueing_hints"] == false {
            return Err("queueing hints cannot be switched off in 1.36".to_owned());
        }
        let gates = self.gates();
        let settings = gates.as_object().into_iter().flatten();
        let settings = settings.map(|(name, on)| (name.as_str(), on == &Value::Bool(true)));
        if let Err(error) = Gates::from_settings(settings) {
            return Err(format!("it needs other gates: {error}"));
        }
        let measure = &self.value["measure"];
        if measure.is_null() || measure["mode"] == "steady" {
            return Err("only bursts of pods are expanded".to_owned());
        }
        let mut objects = Vec::new();
        self.namespaces(&mut objects);
        self.nodes_and_others(&mut objects);
        for (step, group) in list(&self.value["init"]).iter().enumerate() {
            pods(&mut objects, group, &format!("init{step}"));
        }
        let mut measured = Vec::new();
        pods(&mut measured, measure, "measured");
        Ok(json!({
            "apiVersion": "berth/v1",
            "kind": "Scenario",
            "metadata": {"name": self.name()},
            "spec": {
                "featureGates": gates,
                "schedulerConfiguration": self.configuration(),
                "objects": objects,
                "timeline": [{"at": "1s", "apply": measured}],
            },
        }))
    }

    /// Whether it is about pods that want to be near or away from each other, or evenly spread.
    #[must_use]
    pub fn is_about_other_pods(&self) -> bool {
        let case = self.name().split('/').next().unwrap_or_default();
        let words = [
            "Affinity",
            "Spreading",
            "MixedSchedulingBasePod",
            "NodeInclusionPolicy",
        ];
        words.iter().any(|word| case.contains(word))
    }

    fn gates(&self) -> Value {
        let mut gates: Map<String, Value> = self.value["feature_gates"]
            .as_object()
            .cloned()
            .unwrap_or_default();
        // Upstream's harness switches it off unless a workload names it.
        gates
            .entry("OpportunisticBatching")
            .or_insert_with(|| false.into());
        gates.into()
    }

    fn configuration(&self) -> Value {
        self.value["scheduler_config"].clone()
    }

    fn namespaces(&self, objects: &mut Vec<Value>) {
        for group in list(&self.value["namespaces"]) {
            let count = group["count"].as_u64().unwrap_or(1);
            for index in 0..count {
                let name = group["name"].as_str().unwrap_or_default();
                let place = Place::new(index, count);
                objects.push(json!({
                    "apiVersion": "v1", "kind": "Namespace",
                    "metadata": {"name": place.fill_text(name), "labels": group["labels"]},
                }));
            }
        }
    }

    fn nodes_and_others(&self, objects: &mut Vec<Value>) {
        let groups = match &self.value["node_groups"] {
            Value::Array(groups) => groups.clone(),
            _ => vec![self.value["nodes"].clone()],
        };
        for group in &groups {
            let count = group["count"].as_u64().unwrap_or_default();
            for index in 0..count {
                let place = Place::new(index, count);
                objects.push(place.fill(&group["template"]));
                if !group["csinode"].is_null() {
                    objects.push(place.fill(&group["csinode"]));
                }
            }
        }
        for driver in list(&self.value["resource_drivers"]) {
            slices(objects, &groups, driver);
        }
        for group in list(&self.value["objects"]) {
            let count = group["count"].as_u64().unwrap_or(1);
            for index in 0..count {
                let place = Place::new(index, count);
                let mut object = place.fill(&group["template"]);
                set_namespace(&mut object, &group["namespace"], &place);
                set_name(&mut object, &format!("o-{index}"));
                objects.push(object);
            }
        }
    }
}

/// [`BASIC`] with this many pods beside it that fit nowhere and have been found to, as a scenario.
///
/// # Panics
///
/// When the workload is not there.
#[must_use]
pub fn parked(pods: u64) -> Value {
    let basic = Workload::named(BASIC);
    let mut scenario = basic.scenario().expect("plain pods can be expanded");
    let objects = scenario["spec"]["objects"].as_array_mut();
    let objects = objects.expect("a scenario lists its objects");
    for number in 0..pods {
        let mut pod = Place::new(number, pods).fill(&basic.value["measure"]["pod"]);
        set_namespace(
            &mut pod,
            &basic.value["measure"]["namespace"],
            &Place::new(number, pods),
        );
        pod["metadata"]["name"] = format!("parked-{number}").into();
        let resources = &mut pod["spec"]["containers"][0]["resources"];
        resources["requests"]["cpu"] = "1000".into();
        if let Value::Object(resources) = resources {
            resources.remove("limits");
        }
        objects.push(pod);
    }
    scenario["metadata"]["name"] = format!("parked/{pods}Pods").into();
    scenario
}

/// Pods of one step; `sets` spreads them over numbered namespaces, and each may have a volume of its own.
fn pods(objects: &mut Vec<Value>, group: &Value, step: &str) {
    let count = group["count"].as_u64().unwrap_or_default();
    let sets = group["sets"].as_u64();
    for set in 0..sets.unwrap_or(1) {
        for index in 0..count {
            let place = Place {
                set,
                per_set: count,
                ..Place::new(index, count)
            };
            let mut pod = place.fill(&group["pod"]);
            set_namespace(&mut pod, &group["namespace"], &place);
            set_name(&mut pod, &format!("{step}-{index}"));
            let volume = &group["per_pod_volume"];
            if !volume.is_null() {
                for part in ["pv", "pvc"] {
                    let mut object = place.fill(&volume[part]);
                    if part == "pvc" {
                        set_namespace(&mut object, &group["namespace"], &place);
                    }
                    objects.push(object);
                }
            }
            objects.push(pod);
        }
    }
}

/// One slice with so many devices for each node that a driver is on.
fn slices(objects: &mut Vec<Value>, groups: &[Value], driver: &Value) {
    let name = driver["driver"].as_str().unwrap_or_default();
    let glob = driver["node_name_glob"].as_str().unwrap_or("*");
    let devices = driver["devices_per_node"].as_u64().unwrap_or(1);
    for group in groups {
        let count = group["count"].as_u64().unwrap_or_default();
        for index in 0..count {
            let node = Place::new(index, count).fill(&group["template"]["metadata"]["name"]);
            let node = node.as_str().unwrap_or_default();
            if !matches_glob(glob, node) {
                continue;
            }
            let devices: Vec<Value> = (0..devices).map(device).collect();
            objects.push(json!({
                "apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice",
                "metadata": {"name": format!("{node}-{name}")},
                "spec": {
                    "driver": name, "nodeName": node, "devices": devices,
                    "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
                },
            }));
        }
    }
}

fn device(number: u64) -> Value {
    json!({
        "name": format!("instance-{number}"),
        "attributes": {
            "model": {"string": "A100"}, "family": {"string": "GPU"},
            "driverVersion": {"version": "1.2.3"}, "dra.example.com/numa": {"int": number},
        },
        "capacity": {"memory": {"value": "1Gi"}},
    })
}

fn matches_glob(glob: &str, name: &str) -> bool {
    match glob.split_once('*') {
        None => glob == name,
        Some((start, end)) => {
            name.starts_with(start) && name.ends_with(end.trim_start_matches('*'))
        }
    }
}

/// Where in its group an object stands: what the placeholders of its template mean.
#[derive(Clone, Copy, Debug)]
struct Place {
    index: u64,
    count: u64,
    set: u64,
    per_set: u64,
}

impl Place {
    const fn new(index: u64, count: u64) -> Self {
        Self {
            index,
            count,
            set: 0,
            per_set: count,
        }
    }

    /// The template with its placeholders filled in.
    fn fill(&self, template: &Value) -> Value {
        match template {
            Value::String(text) => self.fill_text(text).into(),
            Value::Array(values) => values.iter().map(|value| self.fill(value)).collect(),
            Value::Object(map) => match map.get("$int").and_then(Value::as_str) {
                Some(text) if map.len() == 1 => {
                    let number: i64 = self.fill_text(text).parse().expect("$int is a number");
                    number.into()
                }
                _ => map
                    .iter()
                    .map(|(key, value)| (self.fill_text(key), self.fill(value)))
                    .collect(),
            },
            other => other.clone(),
        }
    }

    fn fill_text(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let (inside, after) = after.split_once('}').expect("placeholders are closed");
            filled.push_str(before);
            filled.push_str(&self.value_of(inside));
            rest = after;
        }
        filled + rest
    }

    fn value_of(&self, inside: &str) -> String {
        if let Some(values) = inside.strip_prefix("cycle:") {
            let values: Vec<&str> = values.split(',').collect();
            return values[usize::try_from(self.index).expect("an index") % values.len()]
                .to_owned();
        }
        if let Some(width) = inside.strip_prefix("i:") {
            let width = width.trim_start_matches('0').parse().expect("a width");
            return format!("{:0width$}", self.index);
        }
        let number = match inside.split_once(['/', '%']) {
            Some((left, right)) => {
                let (left, right) = (self.number(left), self.number(right));
                if inside.contains('/') {
                    left / right
                } else {
                    left % right
                }
            }
            None => self.number(inside),
        };
        number.to_string()
    }

    fn number(&self, name: &str) -> u64 {
        match name {
            "i" => self.index,
            "n" => self.count,
            "k" => self.set,
            "g" => self.per_set,
            digits => digits.parse().expect("a number or one of i, n, k, g"),
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn set_namespace(object: &mut Value, namespace: &Value, place: &Place) {
    if let Some(namespace) = namespace.as_str() {
        object["metadata"]["namespace"] = place.fill_text(namespace).into();
    }
}

/// `generateName` becomes a name that says which step made the object.
fn set_name(object: &mut Value, end: &str) {
    let metadata = &mut object["metadata"];
    if metadata.get("name").is_none() {
        let prefix = metadata["generateName"].as_str().unwrap_or("object-");
        metadata["name"] = format!("{prefix}{end}").into();
    }
    if let Value::Object(fields) = metadata {
        fields.remove("generateName");
    }
}

/// Runs a workload's scenario and takes the time from the arrival of the measured pods to the end, on `clock` in seconds.
///
/// The simulated API server is part of what is measured: it fills in, checks and stores every pod and every binding.
/// Reading the document is not.
///
/// # Panics
///
/// When the document is not a scenario that can run.
#[must_use]
pub fn measure(document: &str, clock: &dyn Fn() -> f64) -> Measurement {
    let mut loaded = load(&[SourceText {
        name: "workload",
        bytes: document.as_bytes(),
    }]);
    assert!(loaded.errors.is_empty(), "{}", loaded.errors[0]);
    loaded.scenario.settings.runs_kubelet = false;
    let prepared = prepare(&loaded, None, Limits::COMMAND_LINE, &plugins::in_tree());
    let mut simulation = match prepared {
        Ok(prepared) => prepared.simulation,
        Err(errors) => panic!("{}", errors[0]),
    };
    let refused = simulation.refused().first();
    assert!(refused.is_none(), "{}", refused.expect("one").roughly());
    let just_before = MEASURED_AT - berth_core::time::Span::MICROSECOND;
    while simulation.step_until(just_before, &mut ()).is_some() {}
    let is_there = |object: &Object| object.key();
    let before: std::collections::BTreeSet<_> =
        simulation.world().list(Kind::Pod).map(is_there).collect();
    let start = clock();
    simulation.run(&mut ());
    let seconds = clock() - start;
    let measured: Vec<&Object> = simulation
        .world()
        .list(Kind::Pod)
        .filter(|object| !before.contains(&object.key()))
        .collect();
    let is_bound = |object: &&&Object| matches!(object, Object::Pod(pod) if pod.is_assigned());
    Measurement {
        bound: measured.iter().filter(is_bound).count(),
        pods: measured.len(),
        seconds,
        digest: simulation.digest(),
    }
}
