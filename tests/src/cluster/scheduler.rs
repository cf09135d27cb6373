//! A scheduler as a process: Berth, or the real one.

use core::time::Duration;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use super::ControlPlane;
use super::machine::seconds_of;
use crate::binary;

/// A scheduler that ends with this value.
#[derive(Debug)]
pub struct Scheduler {
    child: Child,
    log: PathBuf,
}

/// What a process has used.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Seconds on a processor.
    pub cpu_seconds: f64,
    /// The most memory that it ever held, in MiB.
    pub peak_mib: f64,
    /// The memory that it holds now, in MiB.
    pub now_mib: f64,
}

impl Scheduler {
    /// Starts Berth as the user `scheduler`, with these arguments after `run`.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[must_use]
    pub fn berth(plane: &ControlPlane, name: &str, arguments: &[&str]) -> Self {
        let mut all = vec!["run", "--secure-port=0"];
        all.extend(arguments);
        Self::start(binary::binary(), plane, name, &all)
    }

    /// Starts Berth with its health and metrics served as the arguments say.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[must_use]
    pub fn berth_serving(plane: &ControlPlane, name: &str, arguments: &[&str]) -> Self {
        let mut all = vec!["run"];
        all.extend(arguments);
        Self::start(binary::binary(), plane, name, &all)
    }

    /// Starts Berth with some variables of the environment set.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[must_use]
    pub fn berth_in(
        plane: &ControlPlane,
        name: &str,
        environment: &[(&str, String)],
        arguments: &[&str],
    ) -> Self {
        let mut all = vec!["run", "--secure-port=0"];
        all.extend(arguments);
        Self::start_in(binary::binary(), plane, name, environment, &all)
    }

    /// Starts Berth as in a pod of this cluster: with the token of a service account, the cluster's certificate and
    /// address where pods find them, and no kubeconfig.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[must_use]
    pub fn berth_in_pod(plane: &ControlPlane, name: &str, token: &str, arguments: &[&str]) -> Self {
        let account = plane.folder().join(format!("{name}-account"));
        fs::create_dir_all(&account).expect("a folder can be made");
        let authority = fs::read_to_string(plane.folder().join("ca.crt"));
        let authority = authority.expect("the control plane is ours");
        for (file, text) in [
            ("token", token),
            ("namespace", "kube-system"),
            ("ca.crt", &authority),
        ] {
            fs::write(account.join(file), text).expect("a file can be written");
        }
        let server = plane.address();
        let (host, port) = server.rsplit_once(':').expect("the server has a port");
        // Mounts of its own, in which nobody else sees the account.
        let script = "mount -t tmpfs none /run && mkdir -p /var/run/secrets/kubernetes.io && \
                      cp -r \"$1\" /var/run/secrets/kubernetes.io/serviceaccount && shift && exec \"$@\"";
        let mut all = vec![
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            script,
            "sh",
        ];
        let (account, program) = (
            account.display().to_string(),
            binary::binary().display().to_string(),
        );
        all.extend([&*account, &*program]);
        all.extend(arguments);
        let environment = [
            ("KUBERNETES_SERVICE_HOST", host.to_owned()),
            ("KUBERNETES_SERVICE_PORT", port.to_owned()),
        ];
        Self::start_in(Path::new("unshare"), plane, name, &environment, &all)
    }

    /// Starts the real one.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[must_use]
    pub fn real(plane: &ControlPlane, arguments: &[&str]) -> Self {
        let mut all = vec!["--secure-port=0"];
        all.extend(arguments);
        Self::start(
            &plane.program("kube-scheduler"),
            plane,
            "kube-scheduler",
            &all,
        )
    }

    fn start(program: &Path, plane: &ControlPlane, name: &str, arguments: &[&str]) -> Self {
        Self::start_in(program, plane, name, &[], arguments)
    }

    fn start_in(
        program: &Path,
        plane: &ControlPlane,
        name: &str,
        environment: &[(&str, String)],
        arguments: &[&str],
    ) -> Self {
        let log = plane.folder().join(format!("{name}.log"));
        let file = File::create(&log).expect("a log can be written");
        // Ends when this thread does, however that happens.
        let child = Command::new("setpriv")
            .args(["--pdeathsig", "KILL"])
            .arg(program)
            .args(arguments)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .env_remove("HTTPS_PROXY")
            .env_remove("https_proxy")
            .stdin(Stdio::null())
            .stdout(file.try_clone().expect("a log can be written"))
            .stderr(file)
            .spawn()
            .expect("the scheduler starts");
        Self { child, log }
    }

    /// Writes a configuration file for both kinds of scheduler: no election, no limit that matters, the user `scheduler`.
    ///
    /// # Panics
    ///
    /// When it cannot be written.
    #[must_use]
    pub fn configuration(plane: &ControlPlane, more: &str) -> String {
        let path = plane.folder().join("scheduler.yaml");
        let text = format!(
            "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n\
             leaderElection: {{leaderElect: false}}\n\
             clientConnection: {{kubeconfig: {}, qps: 5000, burst: 5000}}\n{more}",
            plane.kubeconfig("scheduler").display()
        );
        fs::write(&path, text).expect("a file can be written");
        path.display().to_string()
    }

    /// What it has used so far.
    ///
    /// # Panics
    ///
    /// When it has ended.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let id = self.child.id();
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
        let status = fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
        // What has ended and was not waited for is still listed, without any memory.
        assert!(
            status.contains("VmRSS"),
            "the scheduler has ended; its log:\n{}",
            self.log()
        );
        let kib = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
            number.unwrap_or(0.0) / 1024.0
        };
        Usage {
            cpu_seconds: seconds_of(&stat),
            peak_mib: kib("VmHWM"),
            now_mib: kib("VmRSS"),
        }
    }

    /// Sends a signal such as `TERM`, `STOP` or `CONT`.
    ///
    /// # Panics
    ///
    /// When that is not possible.
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill")
            .args([&format!("-{name}"), &id])
            .status();
        assert!(
            status.expect("kill starts").success(),
            "the scheduler has ended already"
        );
    }

    /// Waits for its end; its exit code, none for a signal.
    ///
    /// # Panics
    ///
    /// When it does not end within the limit.
    pub fn wait(&mut self, limit: Duration) -> Option<i32> {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status.code();
            }
            assert!(
                began.elapsed() < limit,
                "the scheduler does not end within {limit:?}; its log:\n{}",
                self.log()
            );
            super::pass(Duration::from_millis(20));
        }
    }

    /// Whether it still runs.
    ///
    /// # Panics
    ///
    /// Never: it is our own child.
    pub fn is_running(&mut self) -> bool {
        self.child
            .try_wait()
            .expect("it can be waited for")
            .is_none()
    }

    /// What it has logged.
    #[must_use]
    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
