//! Who asks, and may they: the API server is asked about bearer tokens and about rights.
//!
//! A proxy that shows a certificate is believed for whom it asks; else a client's certificate says who it is, else its
//! bearer token; else it is nobody in particular. One of these that is no good is refused, unless a later one is.
//!
//! Source: spec, D.3.

use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use http::{HeaderMap, Method};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tracing::warn;

use crate::cluster::{Reviewer, reviewer};
use crate::error::Error;

use super::authorities::{Authorities, Trusted};
use super::identity::{Chain, RequestHeaders, user_of};

/// Who may ask for what, as the flags say.
#[derive(Clone, Debug)]
pub(crate) struct AccessOptions {
    /// The kubeconfig for token reviews; empty is the service account, if there is one.
    pub(crate) authentication_kubeconfig: String,
    /// The kubeconfig for access reviews; empty is the service account, if there is one.
    pub(crate) authorization_kubeconfig: String,
    /// Paths that everybody may ask for; one that ends in `*` is a prefix.
    pub(crate) always_allow_paths: Vec<String>,
    /// Whether it is looked up in the cluster who signs certificates.
    pub(crate) looks_up: bool,
    /// Whether it is only warned when that fails.
    pub(crate) tolerates_failed_lookup: bool,
    /// Who signs client certificates, in place of those of the cluster; empty for the cluster's.
    pub(crate) client_ca_file: String,
    /// Who signs proxies' certificates, in place of those of the cluster; empty for the cluster's.
    pub(crate) proxy_ca_file: String,
    /// In which headers proxies say for whom they ask, and which ones are believed.
    pub(crate) headers: RequestHeaders,
    /// How long the review of a token is good.
    pub(crate) token_is_good_for: Duration,
    /// How long a yes is good.
    pub(crate) yes_is_good_for: Duration,
    /// How long a no is good.
    pub(crate) no_is_good_for: Duration,
}

/// What is made of a request.
pub(super) enum Verdict {
    Allowed,
    /// The token is not valid.
    Unauthorized,
    /// Who asks may not; in words.
    Forbidden(String),
}

/// Who asks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct User {
    pub(super) username: String,
    pub(super) uid: String,
    pub(super) groups: Vec<String>,
    pub(super) extra: Value,
}

impl User {
    /// Somebody who has shown who they are.
    fn authenticated(mut self) -> Self {
        let group = "system:authenticated";
        if !self.groups.iter().any(|known| known == group) {
            self.groups.push(group.to_owned());
        }
        self
    }
}

impl Default for User {
    fn default() -> Self {
        Self {
            username: "system:anonymous".to_owned(),
            uid: String::new(),
            groups: vec!["system:unauthenticated".to_owned()],
            extra: Value::Null,
        }
    }
}

/// Knows who may ask for what.
pub(super) struct Access {
    tokens: Option<Arc<Reviewer>>,
    rights: Option<Reviewer>,
    authorities: Authorities,
    options: AccessOptions,
    users: Remembered<Option<User>>,
    allowed: Remembered<bool>,
}

impl Access {
    /// # Errors
    ///
    /// A kubeconfig that was named and cannot be used; certificates that cannot be read or, where that is not to be
    /// tolerated, looked up.
    pub(super) async fn new(
        options: &AccessOptions,
        tasks: &mut JoinSet<()>,
    ) -> Result<Self, Error> {
        let tokens = reviewer(&options.authentication_kubeconfig).await?;
        let tokens = tokens.map(Arc::new);
        let rights = reviewer(&options.authorization_kubeconfig).await?;
        if tokens.is_none() {
            warn!(
                "no --authentication-kubeconfig and no service account: no bearer token will be accepted"
            );
        }
        if rights.is_none() {
            warn!(
                "no --authorization-kubeconfig and no service account: only paths that are always allowed are served"
            );
        }
        let authorities = Authorities::new(options, tokens.clone(), tasks).await?;
        Ok(Self {
            tokens,
            rights,
            authorities,
            options: options.clone(),
            users: Remembered::default(),
            allowed: Remembered::default(),
        })
    }

    pub(super) async fn check(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
        chain: &Chain,
    ) -> Verdict {
        let Some(user) = self.user(headers, chain).await else {
            return Verdict::Unauthorized;
        };
        if user.groups.iter().any(|group| group == "system:masters") || self.is_always_allowed(path)
        {
            return Verdict::Allowed;
        }
        let verb = method.as_str().to_lowercase();
        if self.may(&user, &verb, path).await {
            return Verdict::Allowed;
        }
        let name = user.username;
        Verdict::Forbidden(format!(
            "forbidden: User {name:?} cannot {verb} path {path:?}"
        ))
    }

    /// Who asks; none when what they show is no good.
    async fn user(&self, headers: &HeaderMap, chain: &Chain) -> Option<User> {
        let trusted = self.authorities.now();
        let mut is_refused = false;
        if let Some(user) = by_proxy(&trusted, headers, chain) {
            return Some(user.authenticated());
        }
        if let Some(authority) = trusted.clients.as_ref().filter(|_| !chain.is_empty()) {
            if authority.verify(chain).is_ok() {
                if let Some(user) = user_of(chain) {
                    return Some(user.authenticated());
                }
            } else {
                is_refused = true;
            }
        }
        let header = headers
            .get(http::header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok());
        match header.and_then(bearer_token) {
            Some(token) => self.by_token(token).await,
            None if is_refused => None,
            None => Some(User::default()),
        }
    }

    /// Whose bearer token it is; none when it is not valid.
    async fn by_token(&self, token: &str) -> Option<User> {
        if let Some(user) = self.users.recall(token) {
            return user;
        }
        let reviewer = self.tokens.as_ref()?;
        let body = json!({
            "apiVersion": "authentication.k8s.io/v1",
            "kind": "TokenReview",
            "spec": {"token": token},
        });
        let answer = reviewer
            .review("/apis/authentication.k8s.io/v1/tokenreviews", &body)
            .await
            .ok()?;
        let status = &answer["status"];
        let user = if status["authenticated"] == true {
            user_of_review(&status["user"])
        } else {
            None
        };
        let good_for = self.options.token_is_good_for;
        self.users.remember(token, user.clone(), good_for);
        user
    }

    fn is_always_allowed(&self, path: &str) -> bool {
        let mut paths = self.options.always_allow_paths.iter();
        paths.any(|allowed| match allowed.strip_suffix('*') {
            Some(prefix) => path.starts_with(prefix),
            None => path == allowed,
        })
    }

    async fn may(&self, user: &User, verb: &str, path: &str) -> bool {
        let Some(reviewer) = &self.rights else {
            return false;
        };
        let body = json!({
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SubjectAccessReview",
            "spec": {
                "user": user.username,
                "uid": user.uid,
                "groups": user.groups,
                "extra": user.extra,
                "nonResourceAttributes": {"path": path, "verb": verb},
            },
        });
        // All that is asked is the key: two credentials of one user may differ in `extra` alone.
        let key = body.to_string();
        if let Some(allowed) = self.allowed.recall(&key) {
            return allowed;
        }
        let answer = reviewer
            .review("/apis/authorization.k8s.io/v1/subjectaccessreviews", &body)
            .await;
        let Ok(answer) = answer else { return false };
        let allowed = answer["status"]["allowed"] == true;
        let good_for = if allowed {
            self.options.yes_is_good_for
        } else {
            self.options.no_is_good_for
        };
        self.allowed.remember(&key, allowed, good_for);
        allowed
    }
}

/// The token of an `Authorization` header; none when it has another scheme or is empty.
fn bearer_token(header: &str) -> Option<&str> {
    let (scheme, token) = header.trim().split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("Bearer") && !token.is_empty()).then_some(token)
}

/// Whom a token review names; none when it names nobody.
fn user_of_review(user: &Value) -> Option<User> {
    let text = |field: &str| user[field].as_str().unwrap_or_default().to_owned();
    let groups = user["groups"].as_array().into_iter().flatten();
    let groups = groups.filter_map(Value::as_str).map(str::to_owned);
    let named = User {
        username: text("username"),
        uid: text("uid"),
        groups: groups.collect(),
        extra: user["extra"].clone(),
    };
    (!named.username.is_empty()).then(|| named.authenticated())
}

/// For whom a proxy asks that is believed; none when nobody of that kind asks.
fn by_proxy(trusted: &Trusted, headers: &HeaderMap, chain: &Chain) -> Option<User> {
    trusted.proxies.as_ref()?.verify(chain).ok()?;
    // A proxy without a name is believed where every name is.
    let name = user_of(chain).map_or_else(String::new, |proxy| proxy.username);
    if !trusted.headers.allow(&name) {
        return None;
    }
    trusted.headers.user(headers)
}

/// Answers that are still good.
struct Remembered<T>(Mutex<HashMap<String, (Instant, T)>>);

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Remembered<T> {
    fn recall(&self, key: &str) -> Option<T> {
        let answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (until, answer) = answers.get(key)?;
        (Instant::now() < *until).then(|| answer.clone())
    }

    fn remember(&self, key: &str, answer: T, good_for: Duration) {
        let now = Instant::now();
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.retain(|_, (until, _)| now < *until);
        answers.insert(key.to_owned(), (now + good_for, answer));
    }
}

#[cfg(test)]
mod tests;
