//! Which code and hue a workload has, for as long as its scenario is open.
//!
//! The cast is a list that only grows: a workload that is in it keeps its entry, also after it was deleted. New ones are
//! added in the order of a hash of their names, each with its first free code and hue, so adding a workload never
//! changes another one.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::api::Pod;
use crate::order::{self, SortedMap, SortedSet};

use super::palette::{HUES, Hue};
use super::scene::{Badge, Corner};

/// Which workload a pod is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// `namespace/kind/name` of its top owner.
    pub key: String,
    /// The name alone.
    pub name: String,
    /// Whose pods they are.
    pub corner: Corner,
    /// Whether it is a system workload, which takes no hue.
    pub is_system: bool,
}

impl Workload {
    /// The workload of a pod: its top owner as far as the pod can tell, or the pod itself.
    ///
    /// A ReplicaSet named after a pod template's hash counts as its Deployment, a Job named after a time as its CronJob,
    /// and bare pods that differ by a number at the end as one workload.
    #[must_use]
    pub fn of(pod: &Pod) -> Self {
        let meta = &pod.metadata;
        let (kind, name) = match meta.controller_owner() {
            Some(owner) => top_owner(pod, &owner.kind, &owner.name),
            None => ("Pod", without_number(&meta.name)),
        };
        let corner = match kind {
            "StatefulSet" => Corner::Base,
            "DaemonSet" => Corner::Pill,
            "Pod" => Corner::Cut,
            _ => Corner::Rounded,
        };
        let is_system = (meta.namespace == "kube-system" && corner == Corner::Pill)
            || pod.priority() >= SYSTEM_PRIORITY;
        Self {
            key: [meta.namespace.as_str(), kind, name].join("/"),
            name: String::from(name),
            corner,
            is_system,
        }
    }
}

/// What stands behind the owner, as far as names tell.
fn top_owner<'a>(pod: &'a Pod, kind: &'a str, name: &'a str) -> (&'a str, &'a str) {
    match kind {
        "ReplicaSet" => {
            let hash = pod.metadata.labels.get("pod-template-hash");
            hash.and_then(|hash| name.strip_suffix(hash.as_str())?.strip_suffix('-'))
                .map_or((kind, name), |deployment| ("Deployment", deployment))
        }
        "Job" => match name.rsplit_once('-') {
            Some((cron, time)) if time.len() >= 8 && time.bytes().all(|b| b.is_ascii_digit()) => {
                ("CronJob", cron)
            }
            _ => (kind, name),
        },
        "Node" => (
            "Pod",
            name_before(&pod.metadata.name, name).unwrap_or(&pod.metadata.name),
        ),
        _ => (kind, name),
    }
}

/// The name of a mirror pod without its node's.
fn name_before<'a>(pod: &'a str, node: &str) -> Option<&'a str> {
    pod.strip_suffix(node)?.strip_suffix('-')
}

fn without_number(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((head, tail))
            if !head.is_empty() && !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit()) =>
        {
            head
        }
        _ => name,
    }
}

/// A workload's entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Role {
    /// `namespace/kind/name`.
    pub key: String,
    /// One or two characters.
    pub code: String,
    /// Its hue.
    pub hue: Hue,
    /// Whether the hue was taken, which a double edge tells.
    pub is_doubled: bool,
}

/// The entries of a scenario, in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Role>", into = "Vec<Role>")]
pub struct Cast {
    roles: Vec<Role>,
    places: SortedMap<String, usize>,
}

impl From<Vec<Role>> for Cast {
    fn from(roles: Vec<Role>) -> Self {
        let keyed = roles.iter().enumerate();
        let places = keyed.map(|(place, role)| (role.key.clone(), place));
        Self {
            places: places.collect(),
            roles,
        }
    }
}

impl From<Cast> for Vec<Role> {
    fn from(cast: Cast) -> Self {
        cast.roles
    }
}

impl Cast {
    /// Gives an entry to each workload that has none, in the order of their hashes.
    pub fn admit<'a>(&mut self, workloads: impl IntoIterator<Item = &'a Workload>) {
        let mut new: Vec<&Workload> = workloads.into_iter().collect();
        new.retain(|workload| !self.places.contains_key(&workload.key));
        order::sort_by(&mut new, |one, two| {
            (fnv_1a(&one.key), &one.key).cmp(&(fnv_1a(&two.key), &two.key))
        });
        new.dedup_by(|one, two| one.key == two.key);
        for workload in new {
            let role = self.role_for(workload);
            self.places.insert(role.key.clone(), self.roles.len());
            self.roles.push(role);
        }
    }

    /// The entry of a workload.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Role> {
        self.roles.get(*self.places.get(key)?)
    }

    /// The entries, oldest first.
    #[must_use]
    pub fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// What a pod of the workload looks like.
    #[must_use]
    pub fn badge(&self, workload: &Workload) -> Badge {
        let role = self.get(&workload.key);
        Badge {
            code: role.map_or_else(|| first_code(&workload.name), |role| role.code.clone()),
            hue: role.map_or(Hue::System, |role| role.hue),
            is_doubled: role.is_some_and(|role| role.is_doubled),
            corner: workload.corner,
        }
    }

    fn role_for(&self, workload: &Workload) -> Role {
        if workload.is_system {
            return Role {
                key: workload.key.clone(),
                code: first_code(&workload.name),
                hue: Hue::System,
                is_doubled: false,
            };
        }
        let counted = || self.roles.iter().filter(|role| role.hue != Hue::System);
        let codes: SortedSet<&str> = counted().map(|role| role.code.as_str()).collect();
        let hues: SortedSet<Hue> = counted().map(|role| role.hue).collect();
        let candidates = codes_of(&workload.name);
        let code = candidates
            .iter()
            .find(|code| !codes.contains(code.as_str()))
            .or_else(|| candidates.first());
        let wanted = u8::try_from(fnv_1a(&workload.key) % u32::from(HUES)).unwrap_or(0);
        let hue = (0..HUES)
            .map(|step| Hue::Workload((wanted + step) % HUES))
            .find(|hue| !hues.contains(hue));
        Role {
            key: workload.key.clone(),
            code: code.cloned().unwrap_or_default(),
            is_doubled: hue.is_none(),
            hue: hue.unwrap_or(Hue::Workload(wanted)),
        }
    }
}

fn first_code(name: &str) -> String {
    codes_of(name).into_iter().next().unwrap_or_default()
}

/// Codes that fit a name, best first.
fn codes_of(name: &str) -> Vec<String> {
    let letters: Vec<char> = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let Some((first, rest)) = letters.split_first() else {
        return alloc::vec!["?".to_string()];
    };
    let pair = |second: char| String::from_iter([*first, second]);
    let mut codes = Vec::new();
    codes.extend(rest.first().map(|second| pair(*second)));
    if rest.is_empty() {
        codes.push(first.to_string());
    }
    let after_dash = name.split_once('-').and_then(|(_, tail)| {
        let mut tail = tail.chars();
        tail.find(char::is_ascii_alphanumeric)
    });
    codes.extend(after_dash.map(|second| pair(second.to_ascii_lowercase())));
    codes.extend(rest.iter().skip(1).map(|second| pair(*second)));
    codes.extend(('2'..='9').map(pair));
    codes
}

/// The hash that orders newcomers and chooses their hue.
fn fnv_1a(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// From here on priorities are the system's own.
const SYSTEM_PRIORITY: i32 = 2_000_000_000;

#[cfg(test)]
mod tests;
