//! From the API server's lists and watches to changes of objects.
//!
//! One task a kind. It lists, in a stream where the server offers that and in pages where not, then watches from there,
//! and begins anew where it left off when the stream ends. When the server no longer knows that place, it lists again;
//! whoever gets the list finds out what has changed and what has gone. An object that cannot be read is named in the log
//! and left out; the rest goes on.

use core::hash::BuildHasher as _;
use core::time::Duration;
use std::hash::RandomState;

use berth_core::api::{
    CSIDriver, CSINode, CSIStorageCapacity, DeviceClass, Kind, Namespace, Node, Object,
    PersistentVolume, PersistentVolumeClaim, Pod, PodDisruptionBudget, PodGroup, PriorityClass,
    ReplicaSet, ReplicationController, ResourceClaim, ResourceSlice, Service, StatefulSet,
    StorageClass, VolumeAttachment,
};
use berth_core::scheduler::Change;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::sync::mpsc::Sender;
use tokio::task::JoinSet;
use tracing::{debug, error, warn};

use super::client::{Call, CallError, Client};
use super::lines::Lines;
use super::resources;
use super::rights;
use crate::driver::Wake;

/// The one table of what is read as which type: does something with the type of a kind.
macro_rules! by_kind {
    ($kind:expr, $type:ident => $what:expr) => {
        by_kind!(@ $kind, $type => $what;
            Pod Node Namespace Service ReplicationController ReplicaSet StatefulSet PodDisruptionBudget
            PersistentVolume PersistentVolumeClaim StorageClass CSINode CSIDriver CSIStorageCapacity VolumeAttachment
            ResourceClaim ResourceSlice DeviceClass PodGroup PriorityClass)
    };
    (@ $kind:expr, $type:ident => $what:expr; $($known:ident)*) => {
        match $kind {
            $(Kind::$known => {
                type $type = $known;
                $what
            })*
            other => unreachable!("{other} is not among the kinds that are read"),
        }
    };
}

/// Begins to watch a kind; goes on until nobody listens.
pub(super) fn spawn(kind: Kind, client: &Client, wake: &Sender<Wake>, tasks: &mut JoinSet<()>) {
    let watch = Watch {
        kind,
        client: client.clone(),
        wake: wake.clone(),
        streams: true,
    };
    by_kind!(kind, T => { tasks.spawn(watch.run::<T>()); });
}

/// An object that is read from an API server.
trait Watched: DeserializeOwned + Into<Object> + Send {}
impl<T: DeserializeOwned + Into<Object> + Send> Watched for T {}

/// The watch of one kind.
struct Watch {
    kind: Kind,
    client: Client,
    wake: Sender<Wake>,
    /// Whether the server is still believed to list in a stream.
    streams: bool,
}

/// Why a watch came to an end.
enum End {
    /// The server closed it, or the connection went; it goes on from the given version.
    Closed(String),
    /// The server does not know the version any more, or never did.
    Expired,
    /// Nobody listens.
    Unheard,
}

impl Watch {
    async fn run<T: Watched>(mut self) {
        let mut pause = Pause::default();
        loop {
            let listed = if self.streams {
                self.stream_list::<T>().await
            } else {
                self.page_list::<T>().await
            };
            let mut version = match listed {
                Ok(Some(version)) => version,
                Ok(None) => return,
                Err(error) if self.streams && offers_no_streams(&error) => {
                    debug!(kind = %self.kind, %error, "no list in a stream; lists in pages");
                    self.streams = false;
                    continue;
                }
                Err(error) => {
                    self.complain("list", &error);
                    pause.after_failure().await;
                    continue;
                }
            };
            pause = Pause::default();
            loop {
                match self.follow::<T>(version.clone(), &mut pause).await {
                    End::Closed(newest) => version = newest,
                    End::Expired => break,
                    End::Unheard => return,
                }
            }
        }
    }

    /// Everything there is, page by page, and the version to watch from. None when nobody listens.
    async fn page_list<T: Watched>(&self) -> Result<Option<String>, CallError> {
        let mut objects = Vec::new();
        let mut next = String::new();
        let version = loop {
            let path = self.path(&format!("limit={PAGE}&continue={next}"));
            let page = match typed_page::<T>(&self.client, &Call::get(path), self.kind).await {
                // The pages are too old: the list begins anew.
                Err(error) if error.code() == Some(410) && !next.is_empty() => {
                    next.clear();
                    objects.clear();
                    continue;
                }
                other => other?,
            };
            objects.extend(page.objects);
            match page.next {
                Some(token) => next = token,
                None => break page.version,
            }
        };
        let is_heard = self.tell(Wake::Listed(self.kind, objects)).await;
        Ok(is_heard.then_some(version))
    }

    /// Everything there is as the beginning of a watch, and the version to watch from. None when nobody listens.
    async fn stream_list<T: Watched>(&self) -> Result<Option<String>, CallError> {
        let query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true\
                     &timeoutSeconds=60";
        let body = self.client.stream(&self.path(query)).await?;
        let mut lines = Lines::new(body);
        let mut objects = Vec::new();
        while let Some(line) = lines.next().await? {
            let event = Event::read(line)?;
            match event.kind {
                "BOOKMARK" => {
                    let bookmark = Bookmark::read(event.object)?;
                    if bookmark.metadata.annotations.is_end() {
                        let is_heard = self.tell(Wake::Listed(self.kind, objects)).await;
                        return Ok(is_heard.then_some(bookmark.metadata.resource_version));
                    }
                }
                "ERROR" => return Err(refusal(event.object)),
                _ => objects.extend(read::<T>(event.object.get(), self.kind)),
            }
        }
        Err(CallError::Unreachable("the list ended early".to_owned()))
    }

    /// Passes on what changes from a version on, until the stream ends.
    async fn follow<T: Watched>(&self, mut version: String, pause: &mut Pause) -> End {
        let seconds = WATCH_SECONDS + jitter(WATCH_SECONDS);
        let query = format!(
            "watch=true&allowWatchBookmarks=true&resourceVersion={version}&timeoutSeconds={seconds}"
        );
        let body = match self.client.stream(&self.path(&query)).await {
            Ok(body) => body,
            Err(error) if error.code() == Some(410) => return End::Expired,
            Err(error) => {
                self.complain("watch", &error);
                pause.after_failure().await;
                return End::Closed(version);
            }
        };
        *pause = Pause::default();
        // A connection that died without a word must not be listened to for ever.
        let longest = Duration::from_secs(seconds) + GRACE;
        let mut lines = Lines::new(body);
        loop {
            let line = match tokio::time::timeout(longest, lines.next()).await {
                Ok(Ok(Some(line))) => line,
                Ok(Ok(None)) | Err(_) => break,
                Ok(Err(error)) => {
                    debug!(kind = %self.kind, %error, "a watch broke");
                    break;
                }
            };
            let Ok(event) = Event::read(line) else {
                // A line that was cut by the end of the connection is sent again.
                break;
            };
            match self.pass_on::<T>(&event).await {
                Ok(Some(newest)) => version = newest,
                Ok(None) => return End::Unheard,
                Err(error) if error.code() == Some(410) => return End::Expired,
                Err(error) => {
                    self.complain("watch", &error);
                    pause.after_failure().await;
                    return End::Closed(version);
                }
            }
        }
        tokio::time::sleep(BETWEEN_WATCHES).await;
        End::Closed(version)
    }

    /// Passes on one event and gives its version. None when nobody listens.
    async fn pass_on<T: Watched>(&self, event: &Event<'_>) -> Result<Option<String>, CallError> {
        if event.kind == "ERROR" {
            return Err(refusal(event.object));
        }
        if event.kind == "BOOKMARK" {
            return Ok(Some(
                Bookmark::read(event.object)?.metadata.resource_version,
            ));
        }
        let Some(object) = read::<T>(event.object.get(), self.kind) else {
            // What cannot be read has a version all the same.
            return Ok(Some(
                Bookmark::read(event.object)?.metadata.resource_version,
            ));
        };
        let version = object.metadata().resource_version.clone();
        let change = match event.kind {
            "DELETED" => Change::Deleted(object.key()),
            _ => Change::Applied(object),
        };
        Ok(self.tell(Wake::Changed(change)).await.then_some(version))
    }

    /// Whether anybody took it.
    async fn tell(&self, wake: Wake) -> bool {
        self.wake.send(wake).await.is_ok()
    }

    fn path(&self, query: &str) -> String {
        let selector = resources::selector(self.kind);
        let and = if selector.is_empty() { "" } else { "&" };
        format!(
            "{}?{query}{and}{selector}",
            resources::collection(self.kind)
        )
    }

    fn complain(&self, verb: &str, error: &CallError) {
        match rights::missing(error, verb, self.kind) {
            Some(text) => error!("{text}"),
            None => warn!(kind = %self.kind, %error, "failed to {verb}"),
        }
    }
}

/// The object, unless it cannot be read, which is said.
fn read<T: Watched>(text: &str, kind: Kind) -> Option<Object> {
    match serde_json::from_str::<T>(text) {
        Ok(object) => Some(object.into()),
        Err(error) => {
            let which = serde_json::from_str::<Bookmark>(text)
                .unwrap_or_default()
                .metadata;
            error!(
                %kind, namespace = which.namespace, name = which.name, %error,
                "an object cannot be read and is left out"
            );
            None
        }
    }
}

/// One page of a list.
pub(super) struct Listed {
    pub(super) objects: Vec<Object>,
    /// What to ask on with, ready for a query; none on the last page.
    pub(super) next: Option<String>,
    /// The version to watch from.
    version: String,
}

/// Asks for one page of a list of any kind.
pub(super) async fn read_page(
    client: &Client,
    call: &Call,
    kind: Kind,
) -> Result<Listed, CallError> {
    by_kind!(kind, T => typed_page::<T>(client, call, kind).await)
}

async fn typed_page<T: Watched>(
    client: &Client,
    call: &Call,
    kind: Kind,
) -> Result<Listed, CallError> {
    let page: Page = client.call(call).await?;
    let next = &page.metadata.next;
    Ok(Listed {
        objects: page
            .items
            .iter()
            .filter_map(|item| read::<T>(item.get(), kind))
            .collect(),
        next: (!next.is_empty()).then(|| percent_encoded(next)),
        version: page.metadata.resource_version,
    })
}

/// A server that is too old for a list in a stream, or has it switched off, says that the options are wrong.
fn offers_no_streams(error: &CallError) -> bool {
    matches!(error.code(), Some(400 | 403 | 405 | 422))
}

/// The pause after failures one after another: twice as long each time, and never the same for two.
#[derive(Default)]
pub(super) struct Pause {
    failures: u32,
}

impl Pause {
    pub(super) async fn after_failure(&mut self) {
        let base = FIRST_PAUSE_MS << self.failures.min(6);
        self.failures += 1;
        tokio::time::sleep(Duration::from_millis(base + jitter(base))).await;
    }
}

/// A number below `limit` that differs from process to process and from call to call.
pub(super) fn jitter(limit: u64) -> u64 {
    RandomState::new().hash_one(limit) % limit.max(1)
}

/// A page of a list.
#[derive(Deserialize)]
struct Page {
    metadata: PageMeta,
    #[serde(default)]
    items: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PageMeta {
    #[serde(default)]
    resource_version: String,
    #[serde(default, rename = "continue")]
    next: String,
}

/// One line of a watch.
#[derive(Deserialize)]
pub(super) struct Event<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'a str,
    #[serde(borrow)]
    pub(super) object: &'a RawValue,
}

impl<'a> Event<'a> {
    pub(super) fn read(line: &'a [u8]) -> Result<Self, CallError> {
        serde_json::from_slice(line).map_err(|error| CallError::Unreadable(error.to_string()))
    }
}

/// What every object of a watch has, bookmarks included.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Bookmark {
    metadata: BookmarkMeta,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct BookmarkMeta {
    resource_version: String,
    namespace: String,
    name: String,
    annotations: BookmarkAnnotations,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct BookmarkAnnotations {
    #[serde(rename = "k8s.io/initial-events-end")]
    initial_events_end: String,
}

impl BookmarkAnnotations {
    fn is_end(&self) -> bool {
        self.initial_events_end == "true"
    }
}

impl Bookmark {
    fn read(object: &RawValue) -> Result<Self, CallError> {
        serde_json::from_str(object.get()).map_err(|error| CallError::Unreadable(error.to_string()))
    }
}

/// The error that a watch reports in its stream.
pub(super) fn refusal(object: &RawValue) -> CallError {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Status {
        code: u16,
        reason: String,
        message: String,
    }
    match serde_json::from_str::<Status>(object.get()) {
        Ok(status) => CallError::Refused {
            code: status.code,
            reason: status.reason,
            message: status.message,
        },
        Err(error) => CallError::Unreadable(error.to_string()),
    }
}

/// The text as a part of a query.
pub(super) fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// Objects a page, as kube-scheduler asks for.
const PAGE: usize = 500;
/// How long a watch is asked to last at least, in seconds; up to twice as long, so that watches do not end together.
pub(super) const WATCH_SECONDS: u64 = 300;
/// How much longer it is listened to.
pub(super) const GRACE: Duration = Duration::from_secs(30);
const FIRST_PAUSE_MS: u64 = 200;
/// A server that closes watches one after another is not asked without a break.
pub(super) const BETWEEN_WATCHES: Duration = Duration::from_millis(20);
