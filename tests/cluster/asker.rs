//! Somebody who asks a scheduler something over HTTP.

use std::path::Path;
use std::process::Command;

use berth_tests::cluster::ControlPlane;

/// Who asks, and how. The scheduler's own certificate is not looked at.
#[derive(Clone)]
pub(crate) struct Asker(Vec<String>);

impl Asker {
    /// Nobody in particular.
    pub(crate) fn nobody() -> Self {
        let arguments = [
            "--silent",
            "--insecure",
            "--noproxy",
            "*",
            "--write-out",
            "\n%{http_code}",
        ];
        Self(arguments.map(str::to_owned).to_vec())
    }

    /// A user of the control plane by its token; `wrong` has one that nobody knows, the empty name none.
    pub(crate) fn user(plane: &ControlPlane, user: &str) -> Self {
        let token = match user {
            "" => return Self::nobody(),
            "wrong" => "wrong".to_owned(),
            _ => {
                let text =
                    std::fs::read_to_string(plane.kubeconfig(user)).expect("the user is there");
                let (_, rest) = text.split_once("token: ").expect("it has a token");
                rest.split('}').next().unwrap_or_default().to_owned()
            }
        };
        Self::nobody().with_header(&format!("Authorization: Bearer {token}"))
    }

    /// The same with another header.
    pub(crate) fn with_header(mut self, header: &str) -> Self {
        self.0.extend(["--header".to_owned(), header.to_owned()]);
        self
    }

    /// The same with a certificate and its key.
    pub(crate) fn with_certificate(mut self, certificate: &Path, key: &Path) -> Self {
        let (certificate, key) = (certificate.display().to_string(), key.display().to_string());
        self.0
            .extend(["--cert".to_owned(), certificate, "--key".to_owned(), key]);
        self
    }

    /// In which form a GET is answered.
    pub(crate) fn content_type(self, url: &str) -> String {
        let mut asker = self;
        let arguments = [
            "--output",
            "/dev/null",
            "--write-out",
            "\n%{content_type}\n",
        ];
        asker.0.extend(arguments.map(str::to_owned));
        asker.get(url).1.trim().to_owned()
    }

    /// The status and the body of a GET; a status of 0 when there is no answer.
    pub(crate) fn get(&self, url: &str) -> (u16, String) {
        self.ask("GET", "", url)
    }

    /// The same with another method, and a body.
    pub(crate) fn ask(&self, method: &str, body: &str, url: &str) -> (u16, String) {
        let mut curl = Command::new("curl");
        curl.args(&self.0).args(["--request", method]);
        if !body.is_empty() {
            curl.args(["--data-binary", body]);
        }
        let output = curl.arg(url).output().expect("curl starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let (body, code) = text.rsplit_once('\n').unwrap_or_default();
        (code.parse().unwrap_or_default(), body.to_owned())
    }
}

/// A port that nobody listens on.
pub(crate) fn free_port() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    address.port().to_string()
}
