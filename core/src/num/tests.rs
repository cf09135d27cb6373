use super::{
    balance, default_normalize, ln, percent_between, round, rounded_mean, scaled, selector_spread,
    service_spread, spread_score,
};

fn normalized<const N: usize>(mut scores: [i64; N], is_reversed: bool) -> [i64; N] {
    default_normalize(&mut scores, is_reversed);
    scores
}

#[test]
fn normalizing_follows_the_table_of_the_specification() {
    assert_eq!(normalized([1, 2, 3, 4], false), [25, 50, 75, 100]);
    assert_eq!(normalized([1, 2, 3, 4], true), [75, 50, 25, 0]);
    assert_eq!(normalized([1000, 10, 20, 30], true), [0, 99, 98, 97]);
    assert_eq!(normalized([1000, 1, 1, 1], false), [100, 0, 0, 0]);
    assert_eq!(normalized([0, 0, 0], true), [100, 100, 100]);
    assert_eq!(normalized([0, 0], false), [0, 0]);
}

#[test]
fn balance_truncates_as_in_the_worked_example() {
    assert_eq!(balance(&[(1700, 4000), (2524, 8192)]), 94);
    assert_eq!(balance(&[(1000, 4000), (1024, 8192)]), 93);
    assert_eq!(balance(&[(3000, 8000), (6144, 16384)]), 100);
    assert_eq!(balance(&[(500, 3000), (7168, 20480)]), 90);
    assert_eq!(balance(&[(9, 1), (1, 1)]), 100);
}

#[test]
fn halves_round_away_from_zero() {
    assert_eq!(round(58.5), 59);
    assert_eq!(round(-0.5), -1);
    assert_eq!(rounded_mean(117, 2), 59);
    assert_eq!(rounded_mean(1, 0), 0);
}

#[test]
fn an_image_counts_by_the_share_of_nodes_that_have_it() {
    assert_eq!(scaled(400 << 20, 2, 4), 200 << 20);
    assert_eq!(scaled(1, 1, 0), 0);
}

#[test]
fn spread_scores_match_the_worked_example() {
    let host = ln(5);
    let zone = ln(4);
    assert_eq!(spread_score([(3, zone, 1), (2, host, 2)].into_iter()), 8);
    assert_eq!(spread_score([(3, zone, 1), (1, host, 2)].into_iter()), 7);
    assert_eq!(spread_score([(1, zone, 1), (1, host, 2)].into_iter()), 4);
}

#[test]
fn percent_between_truncates() {
    assert_eq!(percent_between(2, 0, 3), 66);
    assert_eq!(percent_between(-1, -3, 0), 66);
}

#[test]
fn zones_count_for_two_thirds() {
    assert_eq!(selector_spread((0, 0), None), 100);
    assert_eq!(selector_spread((0, 0), Some((0, 0))), 100);
    // A third of 66.6 and two thirds of 25: 38.8.
    assert_eq!(selector_spread((1, 3), Some((3, 4))), 38);
    assert_eq!(selector_spread((1, 3), None), 66);
    assert_eq!(selector_spread((3, 3), Some((4, 4))), 0);
}

#[test]
fn labels_of_services_are_averaged() {
    assert_eq!(service_spread(&[]), 0);
    assert_eq!(service_spread(&[Some((2, 3))]), 33);
    assert_eq!(service_spread(&[Some((0, 0)), None]), 50);
    // QUIRK: a half of 33.3 and a half of 66.6 stay just below 50 in floats.
    assert_eq!(service_spread(&[Some((2, 3)), Some((1, 3))]), 49);
}
