//! How a scenario fits into a link, and how it is taken out again without trusting the link.
//!
//! `<base>/#s1=<payload>.<check>&t=<seconds>&e=<event>&sel=<kind/ns/name>&v=<view>`: the payload is base64url without padding of raw
//! DEFLATE of the scenario's canonical JSON. The check is six characters over the payload; a link that ends before them
//! was cut, one with other characters is broken. Its last character is a letter or a digit, because programs that find
//! links in text leave punctuation at their end out.
//!
//! Every limit is checked before the memory for what it limits is taken.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use serde_json::Value;

use crate::api::Located;

use super::digest::Fnv;
use super::error::InputError;
use super::expand::check_limits;
use super::scenario::{Limits, Scenario, SourceText, load};

/// What a link shows besides the scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkView {
    /// The instant, in seconds, as it is written.
    pub time: Option<String>,
    /// Which event of the run it is, from 0; many share an instant. A version that counts events otherwise goes by the time.
    pub event: Option<String>,
    /// What is selected, `kind/namespace/name`.
    pub selection: Option<String>,
    /// Which view is open.
    pub view: Option<String>,
}

impl LinkView {
    /// Reads `t=<seconds>&e=<event>&sel=<kind/ns/name>&v=<view>`. What later versions add is not for this one.
    #[must_use]
    pub fn of_fields(fields: &str) -> Self {
        let mut view = Self::default();
        for (name, value) in fields.split('&').filter_map(|part| part.split_once('=')) {
            let place = match name {
                "t" => &mut view.time,
                "e" => &mut view.event,
                "sel" => &mut view.selection,
                "v" => &mut view.view,
                _ => continue,
            };
            *place = Some(value.to_string());
        }
        view
    }
}

/// Why a link cannot be made or opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShareError {
    /// The text has no scenario in it.
    NotALink,
    /// The end of the link is missing.
    Cut,
    /// Characters of the link were changed.
    Broken,
    /// The link was made by a newer version.
    TooNew {
        /// The form of the link, such as `s2`.
        form: String,
    },
    /// The scenario is larger than a link may hold.
    TooLarge {
        /// What of it.
        what: &'static str,
        /// How many there are, at least.
        found: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The scenario in the link is wrong.
    Invalid(Vec<Located<InputError>>),
}

impl core::error::Error for ShareError {}

impl fmt::Display for ShareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotALink => f.write_str("this is no link to a scenario; expected text with #s1= in it"),
            Self::Cut => f.write_str("the link is cut: its end is missing; expected all of it, up to the last character"),
            Self::Broken => f.write_str("the link is broken: some of its characters were changed; expected it as it was made"),
            Self::TooNew { form } => write!(f, "the link is too new: its form is {form}; expected s1, or a newer version of Berth"),
            Self::TooLarge { what, found, limit } => {
                write!(f, "the scenario is too large for a link: {found} {what}; expected at most {limit}")
            }
            Self::Invalid(errors) => match errors.first() {
                Some(first) => write!(f, "the scenario in the link is wrong: {first}"),
                None => f.write_str("the scenario in the link is wrong"),
            },
        }
    }
}

/// The link to a scenario below `base`, such as `https://berth.example`.
///
/// # Errors
///
/// The scenario is larger than a link may hold.
pub fn encode_link(base: &str, scenario: &Scenario, view: &LinkView) -> Result<String, ShareError> {
    check_expansion(scenario)?;
    let mut document = scenario.to_json();
    drop_noise(&mut document);
    let json = document.to_string();
    check_json(json.as_bytes())?;
    let payload = URL_SAFE_NO_PAD.encode(compress_to_vec(json.as_bytes(), LEVEL));
    let mut fragment = format!("{FORM}={payload}.{}", check_of(&payload));
    let parts = [
        ("t", &view.time),
        ("e", &view.event),
        ("sel", &view.selection),
        ("v", &view.view),
    ];
    for (name, value) in parts {
        if let Some(value) = value {
            fragment.push_str(&format!("&{name}={value}"));
        }
    }
    limit("characters", fragment.len(), MAX_FRAGMENT)?;
    Ok(format!("{}/#{fragment}", base.trim_end_matches('/')))
}

/// The scenario behind a link, or behind its part after `#`.
///
/// # Errors
///
/// The link is cut, broken, too new or too large, or what it holds is no scenario.
pub fn decode_link(link: &str) -> Result<(Scenario, LinkView), ShareError> {
    let link = link.trim();
    let fragment = link.split_once('#').map_or(link, |(_, fragment)| fragment);
    let fragment = unwrapped(fragment);
    let fragment = fragment.as_str();
    limit("characters", fragment.len(), MAX_FRAGMENT)?;
    let (first, fields) = fragment.split_once('&').unwrap_or((fragment, ""));
    let payload = payload_of(first)?;
    let view = LinkView::of_fields(fields);
    let packed = URL_SAFE_NO_PAD
        .decode(payload)
        .map_err(|_| ShareError::Broken)?;
    let json = decompress_to_vec_with_limit(&packed, MAX_INFLATED).map_err(|error| {
        if error.status == TINFLStatus::HasMoreOutput {
            ShareError::TooLarge {
                what: "bytes",
                found: MAX_INFLATED as u64 + 1,
                limit: MAX_INFLATED as u64,
            }
        } else {
            ShareError::Broken
        }
    })?;
    check_json(&json)?;
    let loaded = load(&[SourceText {
        name: "link",
        bytes: &json,
    }]);
    if !loaded.errors.is_empty() {
        return Err(ShareError::Invalid(loaded.errors));
    }
    check_expansion(&loaded.scenario)?;
    Ok((loaded.scenario, view))
}

/// A fragment without the white space that mails and address bars put into long links; none has any of its own.
fn unwrapped(fragment: &str) -> String {
    let plain: String = fragment.split_whitespace().collect();
    let codes = ["%20", "%0A", "%0D", "%09"];
    let has_code = codes.iter().any(|code| plain.contains(code));
    if !has_code {
        return plain;
    }
    codes
        .iter()
        .fold(plain, |plain, code| plain.replace(code, ""))
}

/// The payload of `s1=<payload>.<check>`, if the check is right.
fn payload_of(part: &str) -> Result<&str, ShareError> {
    let (form, rest) = part.split_once('=').ok_or(ShareError::NotALink)?;
    if form != FORM {
        let is_form = form
            .strip_prefix('s')
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
        return Err(if is_form {
            ShareError::TooNew {
                form: form.chars().take(8).collect(),
            }
        } else {
            ShareError::NotALink
        });
    }
    let (payload, check) = rest.split_once('.').ok_or(ShareError::Cut)?;
    let right = check_of(payload);
    if check == right {
        return Ok(payload);
    }
    // The beginning of the right check says that nothing before it was changed.
    let is_cut = check.len() < right.len();
    Err(if is_cut {
        ShareError::Cut
    } else {
        ShareError::Broken
    })
}

/// Six characters that follow from the payload.
fn check_of(payload: &str) -> String {
    let mut fnv = Fnv::new();
    fnv.write(payload.as_bytes());
    let mut bits = fnv.finish();
    // The low bits of FNV are its weaker ones: fold the halves first.
    bits ^= bits >> 32;
    let mut check = String::new();
    for place in 0..CHECK_LENGTH {
        // The first 62 characters of the alphabet are letters and digits.
        let choices = if place + 1 == CHECK_LENGTH { 62 } else { 64 };
        let index = usize::try_from(bits % choices).unwrap_or_default();
        check.push(char::from(ALPHABET.get(index).copied().unwrap_or(b'A')));
        bits /= choices;
    }
    check
}

/// Depth and length of texts, before a document is made of the bytes.
fn check_json(json: &[u8]) -> Result<(), ShareError> {
    limit("bytes", json.len(), MAX_INFLATED)?;
    let (mut depth, mut length) = (0_usize, None::<usize>);
    let mut bytes = json.iter();
    while let Some(byte) = bytes.next() {
        match (length, byte) {
            (Some(_), b'"') => length = None,
            (Some(count), _) => {
                if *byte == b'\\' {
                    bytes.next();
                }
                length = Some(count + 1);
                limit("characters in one text", count + 1, MAX_TEXT)?;
            }
            (None, b'"') => length = Some(0),
            (None, b'{' | b'[') => {
                depth += 1;
                limit("levels", depth, MAX_DEPTH)?;
            }
            (None, b'}' | b']') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    Ok(())
}

fn check_expansion(scenario: &Scenario) -> Result<(), ShareError> {
    check_limits(scenario, Limits::PAGE).map_err(|error| match error.error {
        InputError::TooMany { what, found, limit } => ShareError::TooLarge { what, found, limit },
        _ => ShareError::Broken,
    })
}

fn limit(what: &'static str, found: usize, limit: usize) -> Result<(), ShareError> {
    if found > limit {
        return Err(ShareError::TooLarge {
            what,
            found: found as u64,
            limit: limit as u64,
        });
    }
    Ok(())
}

/// What other programs write into objects for themselves and decides nothing.
fn drop_noise(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(drop_noise),
        Value::Object(map) => {
            if let Some(Value::Object(metadata)) = map.get_mut("metadata") {
                let is_empty = match metadata.get_mut("annotations") {
                    Some(Value::Object(annotations)) => {
                        annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
                        annotations.is_empty()
                    }
                    _ => false,
                };
                if is_empty {
                    metadata.remove("annotations");
                }
                metadata.remove("resourceVersion");
            }
            map.values_mut().for_each(drop_noise);
        }
        _ => {}
    }
}

/// The form of the links that are made today.
const FORM: &str = "s1";
const LEVEL: u8 = 9;
const CHECK_LENGTH: usize = 6;
const MAX_FRAGMENT: usize = 128 * 1024;
const MAX_INFLATED: usize = 2 * 1024 * 1024;
const MAX_DEPTH: usize = 32;
const MAX_TEXT: usize = 4 * 1024;
/// Letters and digits first.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

#[cfg(test)]
mod tests;
