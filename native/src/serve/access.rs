//! Who asks, and may they: the API server is asked about bearer tokens and about rights.
//!
//! Source: spec, D.3. Client certificates and front proxies are not recognised: whoever comes with them alone counts as
//! anonymous.

use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use http::{HeaderMap, Method};
use serde::Deserialize;
use serde_json::{Value, json};
use tracing::warn;

use crate::cluster::{Reviewer, reviewer};
use crate::error::Error;

/// Who may ask for what, as the flags say.
#[derive(Clone, Debug)]
pub(crate) struct AccessOptions {
    /// The kubeconfig for token reviews; empty is the service account, if there is one.
    pub(crate) authentication_kubeconfig: String,
    /// The kubeconfig for access reviews; empty is the service account, if there is one.
    pub(crate) authorization_kubeconfig: String,
    /// Paths that everybody may ask for; one that ends in `*` is a prefix.
    pub(crate) always_allow_paths: Vec<String>,
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
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
struct User {
    username: String,
    uid: String,
    groups: Vec<String>,
    extra: Value,
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
    tokens: Option<Reviewer>,
    rights: Option<Reviewer>,
    always_allow_paths: Vec<String>,
    users: Remembered<Option<User>>,
    allowed: Remembered<bool>,
}

impl Access {
    /// # Errors
    ///
    /// A kubeconfig that was named and cannot be used.
    pub(super) async fn new(options: &AccessOptions) -> Result<Self, Error> {
        let tokens = reviewer(&options.authentication_kubeconfig).await?;
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
        Ok(Self {
            tokens,
            rights,
            always_allow_paths: options.always_allow_paths.clone(),
            users: Remembered::default(),
            allowed: Remembered::default(),
        })
    }

    pub(super) async fn check(&self, method: &Method, path: &str, headers: &HeaderMap) -> Verdict {
        let Some(user) = self.user(headers).await else {
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

    /// Who asks; none when the token is not valid.
    async fn user(&self, headers: &HeaderMap) -> Option<User> {
        let header = headers
            .get(http::header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok());
        let Some(token) = header.and_then(|value| value.strip_prefix("Bearer ")) else {
            return Some(User::default());
        };
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
            serde_json::from_value(status["user"].clone()).ok()
        } else {
            None
        };
        self.users.remember(token, user.clone());
        user
    }

    fn is_always_allowed(&self, path: &str) -> bool {
        self.always_allow_paths
            .iter()
            .any(|allowed| match allowed.strip_suffix('*') {
                Some(prefix) => path.starts_with(prefix),
                None => path == allowed,
            })
    }

    async fn may(&self, user: &User, verb: &str, path: &str) -> bool {
        let Some(reviewer) = &self.rights else {
            return false;
        };
        let key = format!(
            "{verb} {path} {} {} {:?}",
            user.username, user.uid, user.groups
        );
        if let Some(allowed) = self.allowed.recall(&key) {
            return allowed;
        }
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
        let answer = reviewer
            .review("/apis/authorization.k8s.io/v1/subjectaccessreviews", &body)
            .await;
        let Ok(answer) = answer else { return false };
        let allowed = answer["status"]["allowed"] == true;
        self.allowed.remember(&key, allowed);
        allowed
    }
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
        let (at, answer) = answers.get(key)?;
        (at.elapsed() < GOOD_FOR).then(|| answer.clone())
    }

    fn remember(&self, key: &str, answer: T) {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.retain(|_, (at, _)| at.elapsed() < GOOD_FOR);
        answers.insert(key.to_owned(), (Instant::now(), answer));
    }
}

/// How long an answer is good.
const GOOD_FOR: Duration = Duration::from_secs(10);
