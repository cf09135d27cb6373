//! What may be a name, a label key or a label value, and in Kubernetes' words why something may not.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// Why text may not be used as a name.
///
/// `Display` is Kubernetes' text to the letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameFault {
    part: Part,
    rule: Rule,
}

/// Which part of the text is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    Prefix,
    Name,
}

/// Which rule is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    NonEmpty,
    NoMoreThan(usize),
    QualifiedName,
    OneSlash,
    LabelValue,
    DnsLabel,
    DnsSubdomain,
}

/// What is wrong with a label key, taint key or resource name: `name`, or `dns.subdomain/name`.
#[must_use]
pub fn qualified_name_faults(text: &str) -> Vec<NameFault> {
    let mut faults = Vec::new();
    let name = match text.split_once('/') {
        None => text,
        Some((_, name)) if name.contains('/') => {
            faults.push(NameFault {
                part: Part::Whole,
                rule: Rule::OneSlash,
            });
            return faults;
        }
        Some(("", name)) => {
            faults.push(NameFault {
                part: Part::Prefix,
                rule: Rule::NonEmpty,
            });
            name
        }
        Some((prefix, name)) => {
            faults.extend(
                dns_subdomain_faults(prefix)
                    .into_iter()
                    .map(|fault| NameFault {
                        part: Part::Prefix,
                        ..fault
                    }),
            );
            name
        }
    };
    let mut broken = |rule| {
        faults.push(NameFault {
            part: Part::Name,
            rule,
        })
    };
    if name.is_empty() {
        broken(Rule::NonEmpty);
    } else if name.len() > MAX_LABEL {
        broken(Rule::NoMoreThan(MAX_LABEL));
    }
    if !is_bounded_by(
        name,
        |b| b.is_ascii_alphanumeric(),
        |b| matches!(b, b'-' | b'_' | b'.'),
    ) {
        broken(Rule::QualifiedName);
    }
    faults
}

/// What is wrong with a label value.
#[must_use]
pub fn label_value_faults(text: &str) -> Vec<NameFault> {
    let has_form = text.is_empty()
        || is_bounded_by(
            text,
            |b| b.is_ascii_alphanumeric(),
            |b| matches!(b, b'-' | b'_' | b'.'),
        );
    whole_faults(text, MAX_LABEL, Rule::LabelValue, has_form)
}

/// What is wrong with a name of the form `my-name`, as namespaces and containers have.
#[must_use]
pub fn dns_label_faults(text: &str) -> Vec<NameFault> {
    whole_faults(text, MAX_LABEL, Rule::DnsLabel, is_dns_label(text))
}

/// What is wrong with a name of the form `my-name.example.com`, as most objects have.
#[must_use]
pub fn dns_subdomain_faults(text: &str) -> Vec<NameFault> {
    whole_faults(
        text,
        MAX_SUBDOMAIN,
        Rule::DnsSubdomain,
        text.split('.').all(is_dns_label),
    )
}

/// Faults in Kubernetes' words, parted by semicolons.
#[must_use]
pub fn join_faults(faults: &[NameFault]) -> String {
    let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

fn whole_faults(text: &str, limit: usize, form: Rule, has_form: bool) -> Vec<NameFault> {
    let mut faults = Vec::new();
    if text.len() > limit {
        faults.push(NameFault {
            part: Part::Whole,
            rule: Rule::NoMoreThan(limit),
        });
    }
    if !has_form {
        faults.push(NameFault {
            part: Part::Whole,
            rule: form,
        });
    }
    faults
}

fn is_dns_label(text: &str) -> bool {
    is_bounded_by(
        text,
        |b| b.is_ascii_lowercase() || b.is_ascii_digit(),
        |b| b == b'-',
    )
}

/// Whether the text is made of `outer` and `inner`, and starts and ends with an `outer`.
fn is_bounded_by(text: &str, outer: impl Fn(u8) -> bool, inner: impl Fn(u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    bytes.first().copied().is_some_and(&outer)
        && bytes.last().copied().is_some_and(&outer)
        && bytes.iter().all(|&b| outer(b) || inner(b))
}

impl fmt::Display for NameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.part {
            Part::Whole => "",
            Part::Prefix => "prefix part ",
            Part::Name => "name part ",
        })?;
        match self.rule {
            Rule::NonEmpty => f.write_str("must be non-empty"),
            Rule::NoMoreThan(limit) => write!(f, "must be no more than {limit} bytes"),
            Rule::QualifiedName => f.write_str(QUALIFIED_NAME),
            Rule::OneSlash => write!(
                f,
                "a qualified name {QUALIFIED_NAME} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            ),
            Rule::LabelValue => f.write_str(
                "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must \
                 start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used \
                 for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
            ),
            Rule::DnsLabel => f.write_str(
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start \
                 and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
                 '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
            ),
            Rule::DnsSubdomain => f.write_str(
                "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must \
                 start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
                 '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
            ),
        }
    }
}

const MAX_LABEL: usize = 63;
const MAX_SUBDOMAIN: usize = 253;
const QUALIFIED_NAME: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
     alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
     '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

#[cfg(test)]
mod tests;
