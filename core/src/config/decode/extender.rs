//! Reads `extenders[]`.

use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::config::reader::{At, Reader};
use crate::config::{Extender, ExtenderManagedResource, ExtenderTlsConfig};

/// Reads one extender; whatever is absent has its default.
pub(super) fn read_extender(reader: &mut Reader, at: &At<'_>) -> Extender {
    let mut fields = reader.fields(at);
    let mut text = |reader: &mut Reader, name| reader.string(fields.take(name)).unwrap_or_default();
    let url_prefix = text(reader, "urlPrefix");
    let filter_verb = text(reader, "filterVerb");
    let preempt_verb = text(reader, "preemptVerb");
    let prioritize_verb = text(reader, "prioritizeVerb");
    let bind_verb = text(reader, "bindVerb");
    let http_timeout = reader.span(fields.take("httpTimeout"));
    let resources = reader.list(fields.take("managedResources"));
    let extender = Extender {
        url_prefix: trimmed(&url_prefix),
        filter_verb,
        preempt_verb,
        prioritize_verb,
        bind_verb,
        weight: reader.i64(fields.take("weight")).unwrap_or(0),
        enable_https: reader.bool(fields.take("enableHTTPS")).unwrap_or(false),
        tls_config: fields.take("tlsConfig").map(|at| read_tls(reader, &at)),
        http_timeout: http_timeout
            .filter(|span| !span.is_zero())
            .unwrap_or(Extender::DEFAULT_TIMEOUT),
        node_cache_capable: reader
            .bool(fields.take("nodeCacheCapable"))
            .unwrap_or(false),
        managed_resources: resources
            .iter()
            .map(|at| read_resource(reader, at))
            .collect(),
        ignorable: reader.bool(fields.take("ignorable")).unwrap_or(false),
    };
    reader.finish(fields);
    extender
}

/// A URL prefix without the slashes at its end, as calls append `/verb`.
pub(in crate::config) fn trimmed(url_prefix: &str) -> String {
    url_prefix.trim_end_matches('/').into()
}

fn read_resource(reader: &mut Reader, at: &At<'_>) -> ExtenderManagedResource {
    let mut fields = reader.fields(at);
    let resource = ExtenderManagedResource {
        name: reader.string(fields.take("name")).unwrap_or_default(),
        ignored_by_scheduler: reader
            .bool(fields.take("ignoredByScheduler"))
            .unwrap_or(false),
    };
    reader.finish(fields);
    resource
}

fn read_tls(reader: &mut Reader, at: &At<'_>) -> ExtenderTlsConfig {
    let mut fields = reader.fields(at);
    let mut text = |reader: &mut Reader, name| reader.string(fields.take(name)).unwrap_or_default();
    let server_name = text(reader, "serverName");
    let cert_file = text(reader, "certFile");
    let key_file = text(reader, "keyFile");
    let ca_file = text(reader, "caFile");
    let tls = ExtenderTlsConfig {
        insecure: reader.bool(fields.take("insecure")).unwrap_or(false),
        server_name,
        cert_file,
        key_file,
        ca_file,
        cert_data: read_base64(reader, fields.take("certData")),
        key_data: read_base64(reader, fields.take("keyData")),
        ca_data: read_base64(reader, fields.take("caData")),
    };
    reader.finish(fields);
    tls
}

fn read_base64(reader: &mut Reader, at: Option<At<'_>>) -> Vec<u8> {
    let Some(at) = at else { return Vec::new() };
    let path = at.path.clone();
    let text = reader.string(Some(at)).unwrap_or_default();
    STANDARD.decode(text.as_bytes()).unwrap_or_else(|_| {
        reader.problem(&path, "the text is not base64; expected encoded bytes");
        Vec::new()
    })
}
