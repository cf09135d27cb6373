//! Objects, gates and plugins out of a case.

use std::sync::Arc;

use berth_core::api::{Kind, Object, Pod};
use berth_core::config::{Gate, Gates, Header, PluginArgs, ReadOptions, read_value};
use berth_core::framework::extension::Plugin;
use berth_core::plugins::in_tree;
use berth_core::snapshot::PodInfo;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A value of a known type.
pub(super) fn value<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| format!("  {error}: {value}"))
}

/// A list under a key; absent is empty.
pub(super) fn list<T: DeserializeOwned>(case: &Value, key: &str) -> Result<Vec<T>, String> {
    match &case[key] {
        Value::Null => Ok(Vec::new()),
        list => value(list),
    }
}

/// Objects of any kind under a key.
pub(super) fn objects(case: &Value, key: &str) -> Result<Vec<Object>, String> {
    let list: Vec<Value> = list(case, key)?;
    list.iter().map(object).collect()
}

/// An object under a key, if it is there.
pub(super) fn optional_object(case: &Value, key: &str) -> Result<Option<Object>, String> {
    match &case[key] {
        Value::Null => Ok(None),
        found => object(found).map(Some),
    }
}

/// An object, by its `kind`.
fn object(text: &Value) -> Result<Object, String> {
    let name = text["kind"].as_str().unwrap_or_default();
    let kind = Kind::by_name(name).ok_or_else(|| format!("  no kind is called {name:?}"))?;
    Ok(match kind {
        Kind::Pod => Object::Pod(value(text)?),
        Kind::Node => Object::Node(value(text)?),
        Kind::Namespace => Object::Namespace(value(text)?),
        Kind::Service => Object::Service(value(text)?),
        Kind::ReplicaSet => Object::ReplicaSet(value(text)?),
        Kind::ReplicationController => Object::ReplicationController(value(text)?),
        Kind::StatefulSet => Object::StatefulSet(value(text)?),
        Kind::PersistentVolume => Object::PersistentVolume(value(text)?),
        Kind::PersistentVolumeClaim => Object::PersistentVolumeClaim(value(text)?),
        Kind::StorageClass => Object::StorageClass(value(text)?),
        Kind::CSINode => Object::CSINode(value(text)?),
        Kind::CSIDriver => Object::CSIDriver(value(text)?),
        Kind::CSIStorageCapacity => Object::CSIStorageCapacity(value(text)?),
        Kind::VolumeAttachment => Object::VolumeAttachment(value(text)?),
        Kind::ResourceClaim => Object::ResourceClaim(value(text)?),
        Kind::ResourceSlice => Object::ResourceSlice(value(text)?),
        Kind::DeviceClass => Object::DeviceClass(value(text)?),
        other => return Err(format!("  no case has had a {other:?} so far")),
    })
}

/// The pod of a case.
pub(super) fn pod(case: &Value) -> Result<PodInfo, String> {
    let pod: Arc<Pod> = value(&case["pod"])?;
    Ok(PodInfo::new(pod))
}

/// The gates of a case: the release's, and those it names.
pub(super) fn gates(case: &Value) -> Result<Gates, String> {
    let mut gates = Gates::default();
    let Some(settings) = case["feature_gates"].as_object() else {
        return Ok(gates);
    };
    for (name, on) in settings {
        let gate = Gate::from_name(name).ok_or_else(|| format!("  no gate is called {name:?}"))?;
        gates = gates.with(gate, on.as_bool().ok_or("  a gate is on or off")?);
    }
    Ok(gates)
}

/// The plugin with the arguments that a case gives it.
pub(super) fn plugin(name: &str, args: &Value, gates: Gates) -> Result<Arc<dyn Plugin>, String> {
    let (_, factory) = in_tree()
        .get(name)
        .ok_or_else(|| format!("  no plugin is called {name:?}"))?;
    let args = match args {
        Value::Null => PluginArgs::default_for(name, gates).unwrap_or_default(),
        args => read_args(name, args, gates)?,
    };
    factory(&args, &gates).map_err(|error| format!("  {error}"))
}

/// Arguments as a configuration of today's version says them.
fn read_args(name: &str, args: &Value, gates: Gates) -> Result<PluginArgs, String> {
    let document = json!({
        "profiles": [{ "pluginConfig": [{ "name": name, "args": args }] }]
    });
    let options = ReadOptions {
        gates,
        header: Header::Optional,
        ..ReadOptions::default()
    };
    let read = read_value(&document, options).map_err(|error| format!("  {error}"))?;
    let profile = read.configuration.profiles.first();
    let args = profile.and_then(|profile| profile.args(name)).cloned();
    args.ok_or_else(|| format!("  {name} has lost its arguments"))
}
