//! Cases of quantities: text, and what it is worth.

use berth_core::api::Quantity;
use serde_json::{Value, json};

/// Checks one case.
pub(super) fn check(case: &Value) -> Result<(), String> {
    super::unknown_keys(
        case,
        &[
            "input",
            "value",
            "milli_value",
            "canonical",
            "error",
            "overflow",
        ],
    )?;
    let parsed: Result<Quantity, _> = serde_json::from_value(case["input"].clone());
    let is_refusal_expected = case["error"].as_bool() == Some(true);
    // Beyond 64 bits, any refusal and any saturation will do.
    let is_overflow = case["overflow"].as_bool() == Some(true);
    let quantity = match (parsed, is_refusal_expected) {
        (Err(_), true) => return Ok(()),
        (Err(_), false) if is_overflow => return Ok(()),
        (Err(error), false) => return Err(format!("  refused: {error}")),
        (Ok(quantity), true) => return Err(format!("  taken for {quantity}, expected an error")),
        (Ok(quantity), false) => quantity,
    };
    let found = [
        ("value", json!(quantity.value())),
        ("milli_value", json!(quantity.milli_value())),
        ("canonical", json!(quantity.to_string())),
    ];
    for (key, found) in found {
        let expected = &case[key];
        if !expected.is_null() && *expected != found && !(is_overflow && key != "canonical") {
            return Err(format!("  {key}: expected {expected}, found {found}"));
        }
    }
    Ok(())
}
