//! Which random number comes next: one generator named by algorithm, whose state can be saved.
