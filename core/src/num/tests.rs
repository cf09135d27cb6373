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

#[test]
fn logarithms_have_the_bits_of_gos() {
    for (count, bits) in LOGARITHMS {
        assert_eq!(ln(count).to_bits(), bits, "ln({count})");
    }
}

#[test]
fn logarithms_up_to_six_thousand_have_the_bits_of_gos() {
    let bytes = (1..=6_000).flat_map(|count| ln(count).to_bits().to_le_bytes());
    let digest = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    assert_eq!(digest, 0x91f8_29ad_2630_9fcc);
}

/// What `math.Float64bits(math.Log(float64(count)))` gives in Go 1.26 on amd64: kube-scheduler weighs a topology key by
/// the logarithm of how many domains it has, and two.
const LOGARITHMS: [(u64, u64); 29] = [
    (1, 0x0000_0000_0000_0000),
    (2, 0x3fe6_2e42_fefa_39ef),
    (3, 0x3ff1_93ea_7aad_030a),
    (4, 0x3ff6_2e42_fefa_39ef),
    (5, 0x3ff9_c041_f7ed_8d33),
    (6, 0x3ffc_ab0b_fa2a_2002),
    (7, 0x3fff_2272_ae32_5a57),
    (8, 0x4000_a2b2_3f3b_ab73),
    (9, 0x4001_93ea_7aad_030b),
    (10, 0x4002_6bb1_bbb5_5516),
    (11, 0x4003_2ee3_b77f_374c),
    (12, 0x4003_e116_bcd3_9e7d),
    (17, 0x4006_aa6b_c1fa_7f7a),
    (22, 0x4008_ba74_773d_c5c8),
    (34, 0x400c_35fc_81b9_0df6),
    (52, 0x400f_9c25_aaae_a949),
    (64, 0x4010_a2b2_3f3b_ab73),
    (102, 0x4012_7ff8_df87_c7bd),
    (127, 0x4013_6072_9460_2e42),
    (202, 0x4015_3baa_86fb_016f),
    (502, 0x4018_dfd8_b5b3_e920),
    (1_002, 0x401b_a396_5d40_5f5f),
    (1_024, 0x401b_b9d3_beb8_c86b),
    (2_002, 0x401e_6858_fcc4_3fa2),
    (5_002, 0x4021_0901_f6dc_84b9),
    (10_000, 0x4022_6bb1_bbb5_5516),
    (15_002, 0x4023_3b5c_54bb_9573),
    (100_000, 0x4027_069e_2aa2_aa5b),
    (1_000_003, 0x402b_a18a_fe39_c37f),
];
