//! What a plugin is, what it sees and what it may answer.
