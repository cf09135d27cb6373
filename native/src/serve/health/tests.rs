use super::*;

fn checks(lease: Option<&str>) -> (Checks, watch::Sender<bool>) {
    let (sender, synced) = watch::channel(false);
    let lease = lease.map(|name| (name.to_owned(), Duration::from_secs(15)));
    (Checks::new(lease, synced), sender)
}

fn ask(checks: &Checks, path: &str, query: &str) -> (u16, String) {
    let (status, body) = checks
        .answer(path, query, &Health::default())
        .expect("it is a check");
    (status.as_u16(), body)
}

#[test]
fn an_instance_is_ready_between_its_first_lists_and_its_end() {
    let (checks, synced) = checks(Some("kube-scheduler"));
    let not_yet = "[+]leaderElection ok\n[+]shutdown ok\n[-]sched-handler-sync failed: reason withheld\n\
                   readyz check failed\n";
    assert_eq!(ask(&checks, "/readyz", ""), (500, not_yet.to_owned()));
    assert_eq!(
        ask(&checks, "/readyz/sched-handler-sync", ""),
        (
            500,
            "internal server error: handlers are not fully synchronized\n".to_owned()
        )
    );
    assert_eq!(ask(&checks, "/readyz", "exclude=sched-handler-sync").0, 200);
    synced.send(true).expect("it listens");
    assert_eq!(ask(&checks, "/readyz", ""), (200, "ok".to_owned()));
    checks.end();
    assert_eq!(ask(&checks, "/readyz", "").0, 500);
    assert_eq!(ask(&checks, "/livez", ""), (200, "ok".to_owned()));
}

#[test]
fn without_an_election_health_is_a_ping() {
    let (checks, _synced) = checks(None);
    assert_eq!(
        ask(&checks, "/healthz", "verbose"),
        (200, "[+]ping ok\nhealthz check passed\n".to_owned())
    );
    assert_eq!(
        checks.answer("/healthz/nothing", "", &Health::default()),
        None
    );
    assert_eq!(checks.answer("/metrics", "", &Health::default()), None);
}

#[test]
fn an_exclusion_that_matches_nothing_is_said() {
    let (checks, _synced) = checks(None);
    assert_eq!(
        ask(&checks, "/livez", "verbose&exclude=a"),
        (
            200,
            "[+]ping ok\nwarn: some health checks cannot be excluded: no matches for \"a\"\nlivez check passed\n"
                .to_owned()
        )
    );
}
