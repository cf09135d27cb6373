//! Helpers of Berth's test targets: where things lie, how a table of cases is checked.
