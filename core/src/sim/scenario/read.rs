//! What one document of kind Scenario says.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::api::decode::{Data, Decoded, Origin, Value};
use crate::api::{FieldPath, Kind};
use crate::order;
use crate::time::{Span, Timestamp};

use super::super::error::InputError;
use super::super::faults::{EffectKind, FaultOutcome, FaultRule};
use super::super::run::LATEST_END;
use super::super::settings::{self, Settings};
use super::super::world::Subresource;
use super::fields::{At, Fields, Reader, one_or_more};
use super::{Action, Content, Entry, Group, Scenario, TimelineEntry, Written};
use crate::api::ObjectKey;
use crate::rng::Seed;

/// Reads the document into `scenario`; errors, unknown kinds and ignored fields go to `decoded` and the reader.
pub(super) fn document(
    reader: &mut Reader<'_>,
    root: Value<'_>,
    scenario: &mut Scenario,
    decoded: &mut Decoded,
) {
    let mut fields = reader.fields(At::new(root, FieldPath::root()));
    fields.take("apiVersion");
    fields.take("kind");
    if let Some(metadata) = fields.take("metadata") {
        let mut metadata = reader.fields(metadata);
        scenario.name = reader.text(metadata.take("name"));
        scenario.title = reader.text(metadata.take("title"));
        scenario.description = reader.text(metadata.take("description"));
        for ignored in [
            "labels",
            "annotations",
            "namespace",
            "creationTimestamp",
            "uid",
        ] {
            metadata.take(ignored);
        }
        reader.finish(metadata);
    }
    if let Some(spec) = fields.take("spec") {
        let spec = reader.fields(spec);
        read_spec(reader, spec, scenario, decoded);
    }
    reader.finish(fields);
}

fn read_spec(
    reader: &mut Reader<'_>,
    mut spec: Fields<'_>,
    scenario: &mut Scenario,
    decoded: &mut Decoded,
) {
    if let Some(seed) = reader.count(spec.take("seed")) {
        scenario.seed = Seed(seed);
    }
    read_until(reader, spec.take("until"), scenario);
    if let Some(at) = spec.take("schedulerConfiguration") {
        scenario.configuration = Some(Written::of(at.value, at.origin(reader.root)));
    }
    if let Some(at) = spec.take("featureGates") {
        read_gates(reader, at, scenario);
    }
    for at in reader.list(spec.take("objects")) {
        let entries = read_entry(reader, at, decoded);
        scenario.objects.extend(entries);
    }
    for at in reader.list(spec.take("timeline")) {
        let entry = read_timeline_entry(reader, at, decoded);
        scenario.timeline.extend(entry);
    }
    if let Some(at) = spec.take("simulation") {
        let fields = reader.fields(at);
        read_settings(reader, fields, &mut scenario.settings);
    }
    reader.finish(spec);
}

/// The end of the run. It has a limit, because a pod that waits is tried again as long as the run goes on.
fn read_until(reader: &mut Reader<'_>, at: Option<At<'_>>, scenario: &mut Scenario) {
    let until = reader.span(at.clone());
    if let (Some(at), Some(_)) = (&at, until.filter(|until| *until > LATEST_END)) {
        reader.mismatch(at, "at most 8760h, a year");
    }
    scenario.until = until.or(scenario.until);
}

#[inline(never)]
fn read_gates(reader: &mut Reader<'_>, at: At<'_>, scenario: &mut Scenario) {
    scenario.gates_place = Some(at.origin(reader.root));
    if !matches!(at.value.data(), Data::Map(_)) {
        reader.error(
            &at,
            InputError::invalid("this", "a map of gates, such as GangScheduling: true"),
        );
    }
    for (key, value) in at.value.pairs() {
        let name = key.as_str().unwrap_or_default();
        let at = At::new(value, at.path.clone().field(name));
        if let Some(on) = reader.bool(Some(at)) {
            scenario.gates.push((name.to_string(), on));
        }
    }
    order::sort_by(&mut scenario.gates, Ord::cmp);
}

/// An object, a list of objects, or a group.
fn read_entry(reader: &mut Reader<'_>, at: At<'_>, decoded: &mut Decoded) -> Vec<Entry> {
    if at.value.get("group").is_some() {
        return read_group(reader, at).into_iter().collect();
    }
    let before = decoded.objects.len();
    let origin = at.origin(reader.root);
    decoded.add(&origin.source, origin.document, at.value);
    let found = decoded.objects.drain(before..);
    found
        .map(|found| Entry {
            content: Content::Object(found.object),
            origin: Origin {
                path: origin.path.clone().join(&found.origin.path),
                ..found.origin
            },
        })
        .collect()
}

fn read_group(reader: &mut Reader<'_>, at: At<'_>) -> Option<Entry> {
    let whole = at.clone();
    let mut fields = reader.fields(at);
    let mut group = Group {
        count: 1,
        name: String::new(),
        zones: Vec::new(),
        template: Arc::default(),
        count_place: None,
    };
    if let Some(at) = fields.take("group") {
        let mut fields = reader.fields(at);
        let count = fields.take("count");
        group.count_place = count.as_ref().map(|at| at.origin(reader.root));
        group.count = reader.count(count).unwrap_or(1);
        group.name = reader.text(fields.take("name"));
        group.zones = reader.texts(fields.take("zones"));
        reader.finish(fields);
    }
    let template = fields.take("template");
    reader.finish(fields);
    let Some(template) = template else {
        reader.error(
            &whole,
            InputError::missing("a template for the objects of the group"),
        );
        return None;
    };
    let origin = template.origin(reader.root);
    group.template = Arc::new(template.value.to_json());
    Some(Entry {
        content: Content::Group(group),
        origin,
    })
}

/// An entry of the timeline: an instant, and one of apply, patch and delete.
#[inline(never)]
pub(super) fn read_timeline_entry(
    reader: &mut Reader<'_>,
    at: At<'_>,
    decoded: &mut Decoded,
) -> Option<TimelineEntry> {
    let whole = at.clone();
    let mut fields = reader.fields(at);
    let when = match fields.take("at") {
        Some(at) => reader.span(Some(at)),
        None => {
            reader.error(&whole, InputError::missing("at: when it happens"));
            None
        }
    };
    let parts = [
        fields.take("apply"),
        fields.take("patch"),
        fields.take("delete"),
    ];
    let origin = whole.origin(reader.root);
    let action = match parts {
        [Some(at), None, None] => {
            let entries = one_or_more(at).into_iter();
            let entries: Vec<Entry> = entries
                .flat_map(|at| read_entry(reader, at, decoded))
                .collect();
            Some(Action::Apply(entries))
        }
        [None, Some(at), None] => read_patch(reader, at),
        [None, None, Some(at)] => read_delete(reader, at),
        _ => {
            reader.error(
                &whole,
                InputError::missing("exactly one of apply, patch and delete"),
            );
            None
        }
    };
    reader.finish(fields);
    Some(TimelineEntry {
        at: Timestamp::ZERO + when?,
        action: action?,
        origin,
    })
}

/// Which object is meant: kind, namespace, name.
fn read_key(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ObjectKey> {
    let whole = fields.at().clone();
    let kind_at = fields.take("kind");
    let kind_name = kind_at
        .as_ref()
        .and_then(|at| at.value.as_str())
        .unwrap_or_default();
    let kind = Kind::by_name(kind_name);
    fields.take("apiVersion");
    let namespace = reader.text(fields.take("namespace"));
    let name = reader.text(fields.take("name"));
    let Some(kind) = kind else {
        let error = match &kind_at {
            Some(_) => InputError::UnknownKind {
                kind: kind_name.to_string(),
            },
            None => InputError::missing("kind, namespace and name of an object"),
        };
        reader.error(kind_at.as_ref().unwrap_or(&whole), error);
        return None;
    };
    if name.is_empty() {
        reader.error(&whole, InputError::missing("the name of an object"));
        return None;
    }
    let namespace = if namespace.is_empty() {
        "default".to_string()
    } else {
        namespace
    };
    Some(ObjectKey::new(kind, namespace, name))
}

fn read_patch(reader: &mut Reader<'_>, at: At<'_>) -> Option<Action> {
    let whole = at.clone();
    let mut fields = reader.fields(at);
    let key = read_key(reader, &mut fields);
    let subresource = reader.choice(
        fields.take("subresource"),
        &["status", "resize"],
        Subresource::by_name,
    );
    let patch = fields.take("patch");
    if patch.is_none() {
        reader.error(&whole, InputError::missing("patch: what is to be changed"));
    }
    reader.finish(fields);
    Some(Action::Patch {
        key: key?,
        subresource: subresource.unwrap_or_default(),
        patch: Arc::new(patch?.value.to_json()),
    })
}

fn read_delete(reader: &mut Reader<'_>, at: At<'_>) -> Option<Action> {
    let mut fields = reader.fields(at);
    let key = read_key(reader, &mut fields);
    let grace = reader.count(fields.take("gracePeriodSeconds"));
    reader.finish(fields);
    Some(Action::Delete {
        key: key?,
        grace_seconds: grace.map(|seconds| i64::try_from(seconds).unwrap_or(i64::MAX)),
    })
}

#[inline(never)]
fn read_settings(reader: &mut Reader<'_>, mut fields: Fields<'_>, settings: &mut Settings) {
    if let Some(delay) = reader.span(fields.take("podStartDelay")) {
        settings.pod_start_delay = delay;
    }
    if let Some(latency) = reader.span(fields.take("bindLatency")) {
        settings.bind_latency = latency;
    }
    let ties = fields.take("ties");
    if let Some(rule) = reader.choice(ties, &["search-order", "seeded"], settings::tie_rule) {
        settings.ties = rule;
    }
    if let Some(makes) = reader.bool(fields.take("ephemeralClaims")) {
        settings.makes_ephemeral_claims = makes;
    }
    for at in reader.list(fields.take("faults")) {
        let fields = reader.fields(at);
        let rule = read_fault(reader, fields);
        settings.faults.push(rule);
    }
    reader.finish(fields);
}

fn read_fault(reader: &mut Reader<'_>, mut fields: Fields<'_>) -> FaultRule {
    let mut rule = FaultRule::default();
    if let Some(kind) = reader.choice(
        fields.take("effect"),
        EffectKind::NAMES,
        EffectKind::by_name,
    ) {
        rule.effect = kind;
    }
    if let Some(outcome) = reader.choice(
        fields.take("outcome"),
        FaultOutcome::NAMES,
        FaultOutcome::by_name,
    ) {
        rule.outcome = outcome;
    }
    if let Some(at) = fields.take("pod") {
        rule.pod = Some(reader.text(Some(at)));
    }
    let percent = fields.take("percent");
    if let Some(value) = reader.count(percent.clone()) {
        match u8::try_from(value) {
            Ok(value) if value <= 100 => rule.percent = value,
            _ => {
                if let Some(at) = percent {
                    reader.error(&at, InputError::invalid(value, "a number from 0 to 100"));
                }
            }
        }
    }
    if let Some(times) = reader.count(fields.take("times")) {
        rule.times = Some(u32::try_from(times).unwrap_or(u32::MAX));
    }
    let mut instant = |name: &'static str, reader: &mut Reader<'_>| -> Option<Span> {
        reader.span(fields.take(name))
    };
    if let Some(from) = instant("from", reader) {
        rule.from = Timestamp::ZERO + from;
    }
    if let Some(until) = instant("until", reader) {
        rule.until = Timestamp::ZERO + until;
    }
    if let Some(delay) = instant("delay", reader) {
        rule.delay = delay;
    }
    reader.finish(fields);
    rule
}

/// The whole text as one list of timeline entries.
pub(super) fn timeline(
    reader: &mut Reader<'_>,
    root: Value<'_>,
    decoded: &mut Decoded,
) -> Vec<TimelineEntry> {
    let at = At::new(root, FieldPath::root());
    let list = reader.list(Some(at));
    list.into_iter()
        .filter_map(|at| read_timeline_entry(reader, at, decoded))
        .collect()
}

/// A group or an object that stands alone in a plain file.
pub(super) fn plain_group(reader: &mut Reader<'_>, root: Value<'_>) -> Vec<Entry> {
    match read_group(reader, At::new(root, FieldPath::root())) {
        Some(entry) => vec![entry],
        None => Vec::new(),
    }
}
