//! The engine without a browser: what it answers, message by message.

use berth_core::picture::scene::{Lang, View};

use super::Engine;
use crate::protocol::{Frame, FromWorker, RunFacts, Target, ToWorker};
use crate::wire::tests::assert_arrives;

fn finished(engine: &mut Engine, message: ToWorker) -> Vec<FromWorker> {
    let mut answers = engine.take(message);
    while engine.is_working() {
        answers.extend(engine.work(64));
    }
    answers
}

fn shop() -> (Engine, RunFacts) {
    let mut engine = Engine::default();
    let frame = Frame {
        view: View::Story,
        width: 1440,
        height: 900,
        ..Frame::default()
    };
    engine.take(ToWorker::Show { frame });
    let name = "shop".to_owned();
    let fields = String::new();
    let answers = finished(&mut engine, ToWorker::Example { name, fields });
    let run = answers.into_iter().find_map(|answer| match answer {
        FromWorker::Loaded { run } => Some(*run),
        _ => None,
    });
    (engine, run.unwrap_or_default())
}

fn moment(answers: &[FromWorker]) -> usize {
    let found = answers.iter().rev().find_map(|answer| match answer {
        FromWorker::Scene { now, .. } => Some(now.moment),
        _ => None,
    });
    found.unwrap_or(usize::MAX)
}

#[test]
fn a_run_is_shown_at_its_first_failure() {
    let (mut engine, run) = shop();
    assert_eq!((run.nodes, run.pods), (10, 53));
    let again = engine.take(ToWorker::Seek {
        target: Target::Event { by: 0 },
    });
    assert_eq!(Some(moment(&again)), run.failures.first().copied());
}

#[test]
fn one_event_on_and_one_back_is_where_it_was() {
    let (mut engine, run) = shop();
    let by = |by| ToWorker::Seek {
        target: Target::Event { by },
    };
    let on = moment(&engine.take(by(1)));
    assert!(on > run.failures[0]);
    assert_eq!(moment(&engine.take(by(-1))), run.failures[0]);
}

#[test]
fn a_link_opens_with_the_same_digest() {
    let (mut engine, run) = shop();
    let base = "http://localhost".to_owned();
    let answers = engine.take(ToWorker::Share { base });
    let Some(FromWorker::Link {
        link: Some(link), ..
    }) = answers.into_iter().next()
    else {
        panic!("no link");
    };
    let mut other = Engine::default();
    let answers = finished(&mut other, ToWorker::Open { link });
    let digest = answers.into_iter().find_map(|answer| match answer {
        FromWorker::Loaded { run } => Some(run.digest),
        _ => None,
    });
    assert_eq!(digest, Some(run.digest));
}

#[test]
fn a_link_that_cannot_be_opened_says_which_kind_it_is() {
    let mut engine = Engine::default();
    let cases = [
        ("hello", "no link"),
        ("s1=abc", "cut"),
        ("s1=abc.zzzzzz", "broken"),
        ("s9=abc.zzzzzz", "too new"),
    ];
    for (link, expected) in cases {
        let answers = engine.take(ToWorker::Open {
            link: link.to_owned(),
        });
        let found = answers.into_iter().find_map(|answer| match answer {
            FromWorker::BadLink { message } => Some(message.en),
            _ => None,
        });
        let found = found.unwrap_or_default();
        assert!(found.contains(expected), "{link}: {found}");
    }
}

#[test]
fn a_text_with_an_error_changes_nothing() {
    let (mut engine, run) = shop();
    let text = "kind: Pod\napiVersion: v1\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    resources: {requests: {cpu: 1x}}\n";
    let answers = finished(
        &mut engine,
        ToWorker::Edit {
            text: text.to_owned(),
        },
    );
    let Some(FromWorker::Errors {
        errors, is_edit, ..
    }) = answers.into_iter().next()
    else {
        panic!("no errors");
    };
    assert!(is_edit);
    assert_eq!(errors[0].line, 7);
    let still = engine.take(ToWorker::Seek {
        target: Target::End,
    });
    assert_eq!(moment(&still), run.moments);
}

#[test]
fn the_editor_is_given_the_object_that_the_moment_is_about() {
    let (mut engine, _) = shop();
    let mut part = |message| {
        let answers = finished(&mut engine, message);
        let written = engine.take(ToWorker::Write);
        let found = written.into_iter().find_map(|answer| match answer {
            FromWorker::Text { text, part } => Some((part.clone()?.inner(&text), part?.name)),
            _ => None,
        });
        assert!(!answers.is_empty());
        found.unwrap_or_default()
    };
    let target = Target::Event { by: 0 };
    let (inner, name) = part(ToWorker::Seek { target });
    assert!(name.starts_with("Pod api-"), "{name}");
    assert!(inner.contains(name.trim_start_matches("Pod ")), "{inner}");
    assert_eq!(inner.matches("podAntiAffinity").count(), 1, "{inner}");
    let example = |name: &str| ToWorker::Example {
        name: name.to_owned(),
        fields: String::new(),
    };
    let (inner, name) = part(example("affinity-first"));
    assert_eq!(name, "StatefulSet cache");
    assert!(
        inner.starts_with("apiVersion: apps/v1\nkind: StatefulSet\n"),
        "{inner}"
    );
    let (inner, name) = part(example("first-in-line"));
    assert_eq!(name, "Pod release-build");
    assert!(inner.contains("important-but-polite"), "{inner}");
    let (inner, name) = part(example("anti-affinity"));
    assert_eq!(name, "Pod transcode-{i}");
    assert!(inner.ends_with("memory: 4Gi}}}]\n"), "{inner}");
}

#[test]
fn what_came_by_a_link_can_be_edited_object_by_object() {
    let (mut engine, _) = shop();
    let base = "http://localhost".to_owned();
    let link = engine.take(ToWorker::Share { base }).into_iter().next();
    let Some(FromWorker::Link {
        link: Some(link), ..
    }) = link
    else {
        panic!("no link");
    };
    finished(&mut engine, ToWorker::Open { link });
    let Some(FromWorker::Text {
        text,
        part: Some(part),
    }) = engine.take(ToWorker::Write).into_iter().next()
    else {
        panic!("no part");
    };
    assert!(
        part.inner(&text).contains("kind: Pod\n"),
        "{}",
        part.inner(&text)
    );
}

#[test]
fn a_file_that_is_no_cluster_is_told_so() {
    let cases = [
        ("\u{89}PNG\r\n\u{1a}\n\0\0\0\rIHDR", "this is no text"),
        ("", "there is nothing in it"),
        (
            "apiVersion: v1\nkind: List\nitems: []\n",
            "there is nothing in it",
        ),
        (
            "kind: Pod\napiVersion: v1\nmetadata: {name: [",
            "is not closed",
        ),
    ];
    for (text, expected) in cases {
        let mut engine = Engine::default();
        let (name, text) = ("a.png".to_owned(), text.to_owned());
        let answers = finished(&mut engine, ToWorker::Load { name, text });
        let Some(FromWorker::Errors {
            errors,
            is_edit: false,
            ..
        }) = answers.into_iter().next()
        else {
            panic!("{expected}: no errors");
        };
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].source, "a.png");
        assert!(errors[0].message.en.contains(expected), "{errors:?}");
    }
}

#[test]
fn an_answer_survives_the_way_to_the_page() {
    assert_arrives(&Engine::greet());
    let (mut engine, run) = shop();
    assert_arrives(&FromWorker::Loaded { run: Box::new(run) });
    for view in [View::Story, View::Everything, View::Why, View::Open] {
        let frame = Frame {
            view,
            width: 1440,
            height: 900,
            lang: Lang::Zh,
            ..Frame::default()
        };
        let answers = engine.take(ToWorker::Show { frame });
        assert!(matches!(answers[..], [FromWorker::Scene { .. }]));
        assert_arrives(&answers[0]);
    }
}

/// The pod of the first failure and what the worker writes when its first suggestion is applied.
fn applied(engine: &mut Engine) -> Option<(String, String, String)> {
    let frame = Frame {
        view: View::Why,
        width: 1440,
        height: 900,
        ..Frame::default()
    };
    engine.take(ToWorker::Show { frame });
    let answers = engine.take(ToWorker::Apply { place: 0 });
    answers.into_iter().find_map(|answer| match answer {
        FromWorker::Applied { old, text, pod } => Some((old, text, pod)),
        _ => None,
    })
}

#[test]
fn a_suggestion_that_is_applied_places_its_pod() {
    let (mut engine, _) = shop();
    let (old, text, pod) = applied(&mut engine).expect("it can be written");
    assert!(pod.starts_with("shop/api-"), "{pod}");
    assert_ne!(old, text);
    // Whatever else is in the text stays as it is.
    let kept = old.lines().filter(|line| text.contains(*line)).count();
    assert!(kept + 40 > old.lines().count(), "{kept}");
    let sentence = |answers: Vec<FromWorker>| {
        let mut scenes = answers.into_iter().rev().filter_map(|answer| match answer {
            FromWorker::Scene { scene, .. } => Some(scene.twin.sentence),
            _ => None,
        });
        scenes.next().unwrap_or_default()
    };
    let placed = sentence(finished(&mut engine, ToWorker::Edit { text }));
    assert!(placed.contains("goes to ip-10-0-2-2"), "{placed}");
    let undone = sentence(finished(&mut engine, ToWorker::Edit { text: old }));
    assert!(!undone.is_empty());
}

#[test]
fn a_suggestion_is_applied_to_what_came_by_a_link_too() {
    let (mut engine, _) = shop();
    let base = "http://localhost".to_owned();
    let answers = engine.take(ToWorker::Share { base });
    let link = answers.into_iter().find_map(|answer| match answer {
        FromWorker::Link { link, .. } => link,
        _ => None,
    });
    let link = link.expect("it fits into a link");
    let mut other = Engine::default();
    finished(&mut other, ToWorker::Open { link });
    let (_, text, _) = applied(&mut other).expect("it can be written");
    let answers = finished(&mut other, ToWorker::Edit { text });
    let is_loaded = |answer: &FromWorker| matches!(answer, FromWorker::Loaded { .. });
    assert!(answers.iter().any(is_loaded));
}

#[test]
fn the_control_is_there_only_where_the_text_can_be_changed() {
    let (mut engine, _) = shop();
    let frame = Frame {
        view: View::Why,
        width: 1440,
        height: 900,
        ..Frame::default()
    };
    let has = |answers: &[FromWorker], id: &str| {
        answers.iter().any(|answer| match answer {
            FromWorker::Scene { scene, .. } => {
                let mut parts = scene.aside.iter().flat_map(|aside| &aside.parts);
                parts.any(|part| part.id == id)
            }
            _ => false,
        })
    };
    let show = ToWorker::Show { frame };
    assert!(has(&engine.take(show.clone()), "apply/0"));
    // In JSON no line belongs to one object alone.
    let text = r#"{"apiVersion": "v1", "kind": "List", "items": [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n-1"},
         "spec": {"taints": [{"key": "gpu", "effect": "NoSchedule"}]},
         "status": {"allocatable": {"cpu": "2", "memory": "4Gi", "pods": "9"}}},
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p-1"},
         "spec": {"containers": [{"name": "main", "image": "main"}]}}]}"#;
    finished(
        &mut engine,
        ToWorker::Load {
            name: "flow.json".to_owned(),
            text: text.to_owned(),
        },
    );
    let answers = engine.take(show);
    assert!(has(&answers, "advice/0") && !has(&answers, "apply/0"));
}
