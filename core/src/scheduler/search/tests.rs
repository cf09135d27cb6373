use super::nodes_to_find;

#[test]
fn the_number_of_nodes_to_find_follows_the_table_of_the_specification() {
    let table = [
        (99, 99),
        (100, 100),
        (200, 100),
        (500, 230),
        (1000, 420),
        (2000, 680),
        (5000, 500),
        (6000, 300),
    ];
    for (listed, found) in table {
        assert_eq!(nodes_to_find(listed, 0, false), found, "{listed} nodes");
    }
    assert_eq!(nodes_to_find(15_000, 0, false), 750);
    assert_eq!(nodes_to_find(15_000, 100, false), 15_000);
    assert_eq!(nodes_to_find(15_000, 1, false), 150);
    assert_eq!(nodes_to_find(1000, 1, false), 100);
    assert_eq!(nodes_to_find(50, 1, false), 50);
}

#[test]
fn one_node_is_enough_when_nothing_scores() {
    assert_eq!(nodes_to_find(5000, 0, true), 1);
}
