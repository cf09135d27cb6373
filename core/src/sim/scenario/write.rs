//! How a scenario is written down: canonical JSON with sorted keys and without what is at its default.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value, json};

use crate::rng::Seed;
use crate::time::{Span, Timestamp};

use super::super::faults::{EffectKind, FaultRule};
use super::super::settings::{Settings, tie_rule_name};
use super::super::world::Subresource;
use super::{API_VERSION, Action, Content, Entry, KIND, Scenario, TimelineEntry};

impl Scenario {
    /// The scenario as a document. Keys come out sorted, because the maps of `serde_json` are.
    ///
    /// Objects are written as a scheduler reads them: fields that decide nothing are not there.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut metadata = Map::new();
        put_text(&mut metadata, "name", &self.name);
        put_text(&mut metadata, "title", &self.title);
        put_text(&mut metadata, "description", &self.description);
        let mut spec = Map::new();
        if self.seed != Seed::default() {
            spec.insert("seed".to_string(), self.seed.0.into());
        }
        if let Some(until) = self.until {
            spec.insert("until".to_string(), span(until));
        }
        if let Some(written) = &self.configuration {
            spec.insert("schedulerConfiguration".to_string(), written.value.clone());
        }
        if !self.gates.is_empty() {
            let gates = self.gates.iter();
            let gates: Map<String, Value> = gates
                .map(|(name, on)| (name.clone(), (*on).into()))
                .collect();
            spec.insert("featureGates".to_string(), gates.into());
        }
        put_list(&mut spec, "objects", self.objects.iter().map(entry));
        put_list(
            &mut spec,
            "timeline",
            self.timeline.iter().map(timeline_entry),
        );
        let settings = settings(&self.settings);
        if !settings.is_empty() {
            spec.insert("simulation".to_string(), settings.into());
        }
        let mut document = Map::new();
        document.insert("apiVersion".to_string(), API_VERSION.into());
        document.insert("kind".to_string(), KIND.into());
        if !metadata.is_empty() {
            document.insert("metadata".to_string(), metadata.into());
        }
        document.insert("spec".to_string(), spec.into());
        document.into()
    }
}

fn put_text(map: &mut Map<String, Value>, name: &str, text: &str) {
    if !text.is_empty() {
        map.insert(name.to_string(), text.into());
    }
}

fn put_list(map: &mut Map<String, Value>, name: &str, values: impl Iterator<Item = Value>) {
    let values: Vec<Value> = values.collect();
    if !values.is_empty() {
        map.insert(name.to_string(), values.into());
    }
}

fn span(span: Span) -> Value {
    span.to_string().into()
}

fn instant(at: Timestamp) -> Value {
    span(at - Timestamp::ZERO)
}

fn entry(entry: &Entry) -> Value {
    match &entry.content {
        Content::Object(object) => object.to_json(),
        Content::Group(group) => {
            let mut fields = Map::new();
            fields.insert("count".to_string(), group.count.into());
            put_text(&mut fields, "name", &group.name);
            put_list(
                &mut fields,
                "zones",
                group.zones.iter().map(|zone| zone.as_str().into()),
            );
            json!({"group": fields, "template": *group.template})
        }
    }
}

fn timeline_entry(entry_: &TimelineEntry) -> Value {
    let mut fields = Map::new();
    fields.insert("at".to_string(), instant(entry_.at));
    let (name, value) = match &entry_.action {
        Action::Apply(entries) => match entries.as_slice() {
            [one] => ("apply", entry(one)),
            several => ("apply", several.iter().map(entry).collect()),
        },
        Action::Patch {
            key,
            subresource,
            patch,
        } => {
            let mut fields = key_fields(key);
            let part = match subresource {
                Subresource::None => "",
                Subresource::Status => "status",
                Subresource::Resize => "resize",
            };
            put_text(&mut fields, "subresource", part);
            fields.insert("patch".to_string(), Value::clone(patch));
            ("patch", fields.into())
        }
        Action::Delete { key, grace_seconds } => {
            let mut fields = key_fields(key);
            if let Some(seconds) = grace_seconds {
                fields.insert("gracePeriodSeconds".to_string(), (*seconds).into());
            }
            ("delete", fields.into())
        }
    };
    fields.insert(name.to_string(), value);
    fields.into()
}

fn key_fields(key: &crate::api::ObjectKey) -> Map<String, Value> {
    let mut fields = Map::new();
    put_text(&mut fields, "kind", key.kind.as_str());
    put_text(&mut fields, "namespace", &key.namespace);
    put_text(&mut fields, "name", &key.name);
    fields
}

fn settings(settings: &Settings) -> Map<String, Value> {
    let defaults = Settings::default();
    let mut fields = Map::new();
    if settings.pod_start_delay != defaults.pod_start_delay {
        fields.insert("podStartDelay".to_string(), span(settings.pod_start_delay));
    }
    if settings.bind_latency != defaults.bind_latency {
        fields.insert("bindLatency".to_string(), span(settings.bind_latency));
    }
    if settings.ties != defaults.ties {
        put_text(&mut fields, "ties", &tie_rule_name(settings.ties));
    }
    if settings.makes_ephemeral_claims {
        fields.insert("ephemeralClaims".to_string(), true.into());
    }
    put_list(&mut fields, "faults", settings.faults.iter().map(fault));
    fields
}

fn fault(rule: &FaultRule) -> Value {
    let defaults = FaultRule::default();
    let mut fields = Map::new();
    if rule.effect != EffectKind::Any {
        put_text(&mut fields, "effect", rule.effect.name());
    }
    if rule.outcome != defaults.outcome {
        put_text(&mut fields, "outcome", rule.outcome.name());
    }
    put_text(&mut fields, "pod", rule.pod.as_deref().unwrap_or_default());
    if rule.percent != defaults.percent {
        fields.insert("percent".to_string(), rule.percent.into());
    }
    if let Some(times) = rule.times {
        fields.insert("times".to_string(), times.into());
    }
    if rule.from != defaults.from {
        fields.insert("from".to_string(), instant(rule.from));
    }
    if rule.until != defaults.until {
        fields.insert("until".to_string(), instant(rule.until));
    }
    if rule.delay != defaults.delay {
        fields.insert("delay".to_string(), span(rule.delay));
    }
    fields.into()
}
