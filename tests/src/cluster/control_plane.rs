//! The control plane of `tests/cluster`, or a cluster that is already there.

use core::sync::atomic::{AtomicU32, Ordering};
use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::Api;
use crate::root;

/// A control plane that ends with this value, and with this process.
#[derive(Debug)]
pub struct ControlPlane {
    programs: PathBuf,
    folder: PathBuf,
    process: Option<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    commands: Option<ChildStdin>,
    answers: Lines<BufReader<ChildStdout>>,
}

impl ControlPlane {
    /// Starts one, or takes the cluster of `BERTH_TEST_KUBECONFIG`. None, said on standard error, where the tests are not
    /// switched on: `BERTH_CONTROL_PLANE` names the folder of its programs.
    ///
    /// # Panics
    ///
    /// When it does not get ready.
    #[must_use]
    pub fn start() -> Option<Self> {
        Self::start_with(None)
    }

    /// The same with these controllers only, as the controller manager's flag names them.
    ///
    /// # Panics
    ///
    /// When it does not get ready.
    #[must_use]
    pub fn start_with(controllers: Option<&str>) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let Some(programs) = env::var_os("BERTH_CONTROL_PLANE").map(PathBuf::from) else {
            eprintln!(
                "skipped: BERTH_CONTROL_PLANE does not name a control plane; `make test-cluster` builds and sets it"
            );
            return None;
        };
        remove_what_was_left();
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("berth-cluster-{}-{number}", std::process::id()));
        if let Some(kubeconfig) = env::var_os("BERTH_TEST_KUBECONFIG") {
            return Some(Self::given(programs, folder, Path::new(&kubeconfig)));
        }
        // Ends when this thread does, also before it is ready and reads its input; clears up then, so that whoever ends all
        // processes of a terminal or a job must not reach it.
        let mut child = Command::new("setpriv")
            .args(["--pdeathsig", "TERM"])
            .arg(root().join("tests/cluster/control-plane"))
            .args([&programs, &folder])
            .args(controllers)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the control plane's script starts");
        let commands = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("its output is a pipe")).lines();
        let mut process = Process {
            child,
            commands,
            answers,
        };
        process.expect("ready");
        Some(Self {
            programs,
            folder,
            process: Some(process),
        })
    }

    /// The cluster of a kubeconfig, made free of what an earlier test has left: its namespace default is emptied, and nodes,
    /// classes, roles and the Lease with the names that tests use are deleted. Other users' kubeconfigs may lie beside the
    /// one given, as the script leaves them.
    fn given(programs: PathBuf, folder: PathBuf, kubeconfig: &Path) -> Self {
        fs::create_dir_all(&folder).expect("a folder can be made");
        let beside = |user: &str| kubeconfig.with_file_name(format!("{user}.kubeconfig"));
        for user in ["admin", "scheduler", "berth", "nobody"] {
            let copy = folder.join(format!("{user}.kubeconfig"));
            if user != "admin" && beside(user).exists() {
                fs::copy(beside(user), copy).expect("a user's kubeconfig can be read");
            } else if ["admin", "scheduler"].contains(&user) {
                fs::copy(kubeconfig, copy).expect("the kubeconfig can be read");
            }
        }
        let plane = Self {
            programs,
            folder,
            process: None,
        };
        Api::new(&plane.kubeconfig("admin")).wipe();
        plane
    }

    /// Whether there is a kubeconfig of that user; said on standard error where there is none.
    #[must_use]
    pub fn has_user(&self, user: &str) -> bool {
        let is_there = self.kubeconfig(user).exists();
        if !is_there {
            eprintln!(
                "skipped: the cluster of BERTH_TEST_KUBECONFIG has no {user}.kubeconfig beside it"
            );
        }
        is_there
    }

    /// Whether it is ours to break; said on standard error where it is not.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        if self.process.is_none() {
            eprintln!("skipped: the test needs a control plane of its own");
        }
        self.process.is_some()
    }

    /// A program that was built with it.
    #[must_use]
    pub fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name)
    }

    /// A place for files that go with it.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The kubeconfig of a user: admin, scheduler, berth or nobody.
    #[must_use]
    pub fn kubeconfig(&self, user: &str) -> PathBuf {
        self.folder.join(format!("{user}.kubeconfig"))
    }

    /// The host and port of its API server.
    ///
    /// # Panics
    ///
    /// When the kubeconfig does not say so in the way of the script.
    #[must_use]
    pub fn address(&self) -> String {
        let text = fs::read_to_string(self.kubeconfig("admin")).expect("the kubeconfig is there");
        let (_, rest) = text.split_once("https://").expect("it has a server");
        let (server, _) = rest.split_once('"').expect("the server ends");
        server.to_owned()
    }

    /// Ends one of its programs without a word.
    ///
    /// # Panics
    ///
    /// When it is not ours.
    pub fn kill(&mut self, program: &str) {
        self.command("kill", program, "killed");
    }

    /// Starts a program that was killed. The API server answers again when this returns.
    ///
    /// # Panics
    ///
    /// When it is not ours, or does not get ready.
    pub fn start_again(&mut self, program: &str) {
        self.command("start", program, "ready");
    }

    /// Ends the script that runs it as nobody can prepare for.
    ///
    /// # Panics
    ///
    /// When it is not ours.
    pub fn kill_script(&mut self) {
        let process = self.process.as_mut();
        let process = process.expect("only a control plane of ours is broken");
        process.child.kill().expect("it runs");
        process.child.wait().expect("it can be waited for");
    }

    fn command(&mut self, command: &str, program: &str, answer: &str) {
        let process = self
            .process
            .as_mut()
            .expect("only a control plane of ours is broken");
        let commands = process.commands.as_mut().expect("it has not been ended");
        writeln!(commands, "{command} {program}").expect("the script listens");
        process.expect(answer);
    }
}

impl Process {
    fn expect(&mut self, word: &str) {
        let line = self.answers.next().and_then(Result::ok);
        let line =
            line.unwrap_or_else(|| panic!("the control plane ended instead of getting ready"));
        assert!(
            line.starts_with(word),
            "the control plane says {line:?} instead of {word:?}"
        );
    }
}

impl Drop for ControlPlane {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            // The script ends with its input, and takes the folder with it.
            process.commands.take();
            let _ = process.child.wait();
        }
        if env::var_os("BERTH_KEEP_CONTROL_PLANE").is_none() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Removes the folders of test runs that were killed.
fn remove_what_was_left() {
    let entries = fs::read_dir(env::temp_dir()).into_iter().flatten();
    for entry in entries.map_while(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let rest = name
            .strip_prefix("berth-cluster-")
            .and_then(|rest| rest.split_once('-'));
        let is_left = rest.is_some_and(|(process, _)| !Path::new("/proc").join(process).exists());
        if is_left && Path::new("/proc/self").exists() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
