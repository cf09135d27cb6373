//! What an API server takes as a namespace and as a label selector, so that nobody is asked in vain.
//!
//! Source: Kubernetes v1.36 `apimachinery/pkg/labels/selector.go`.

use berth_core::api::names::{
    NameFault, dns_label_faults, join_faults, label_value_faults, qualified_name_faults,
};

/// Reads a namespace.
pub(crate) fn parse_namespace(text: &str) -> Result<String, String> {
    check(&dns_label_faults(text))?;
    Ok(text.to_owned())
}

/// Reads a label selector: requirements parted by commas, each `key`, `!key`, `key=value`, `key!=value`, `key in (a,b)`,
/// `key notin (a,b)`, `key>1` or `key<1`.
pub(crate) fn parse_selector(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    for requirement in requirements(text) {
        check_requirement(requirement.trim()).map_err(|fault| {
            format!(
                "{:?}: {fault}; expected labels as in app=web,tier!=cache or app in (web,api)",
                requirement.trim()
            )
        })?;
    }
    Ok(text.to_owned())
}

/// The parts between commas that stand in no parentheses.
fn requirements(text: &str) -> Vec<&str> {
    let mut is_inside = false;
    let is_border = |c: char| {
        is_inside = c == '(' || (is_inside && c != ')');
        c == ',' && !is_inside
    };
    text.split(is_border).collect()
}

fn check_requirement(text: &str) -> Result<(), String> {
    if let Some(key) = text.strip_prefix('!') {
        return check(&qualified_name_faults(key.trim()));
    }
    if let Some(list) = text.strip_suffix(')') {
        let (head, values) = list.split_once('(').ok_or("a list without its (")?;
        let head = head.trim_end();
        let key = head
            .strip_suffix(" notin")
            .or_else(|| head.strip_suffix(" in"));
        let key = key.ok_or("a list without in or notin before it")?;
        check(&qualified_name_faults(key.trim()))?;
        return values
            .split(',')
            .try_for_each(|value| check(&label_value_faults(value.trim())));
    }
    for operator in ["!=", "==", "="] {
        if let Some((key, value)) = text.split_once(operator) {
            check(&qualified_name_faults(key.trim()))?;
            return check(&label_value_faults(value.trim()));
        }
    }
    if let Some((key, value)) = text.split_once(['<', '>']) {
        check(&qualified_name_faults(key.trim()))?;
        let number = value.trim().parse::<i64>();
        return number
            .map(|_| ())
            .map_err(|_| format!("{value:?} is no whole number"));
    }
    check(&qualified_name_faults(text))
}

fn check(faults: &[NameFault]) -> Result<(), String> {
    if faults.is_empty() {
        return Ok(());
    }
    Err(join_faults(faults))
}

#[cfg(test)]
mod tests;
