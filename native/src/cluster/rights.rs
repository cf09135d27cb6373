//! What to say when a right is missing.

use berth_core::api::Kind;

use super::client::CallError;

/// The right that is missing for reading a kind, if that is what the error says.
pub(super) fn missing(error: &CallError, verb: &str, kind: Kind) -> Option<String> {
    missing_on(error, verb, kind.group(), kind.plural())
}

/// The right that is missing for `verb` on a resource, if that is what the error says.
pub(super) fn missing_on(
    error: &CallError,
    verb: &str,
    group: &str,
    resource: &str,
) -> Option<String> {
    let (Some(403), CallError::Refused { message, .. }) = (error.code(), error) else {
        return None;
    };
    let group = if group.is_empty() {
        "the core API group".to_owned()
    } else {
        format!("API group {group}")
    };
    Some(format!(
        "missing right: verb \"{verb}\" on resource \"{resource}\" of {group}; bind the ClusterRoles \
         system:kube-scheduler and system:volume-scheduler to the account that runs this: {message}"
    ))
}
