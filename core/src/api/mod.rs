//! What Kubernetes' objects look like, as far as a scheduler reads them.
//!
//! Field names are Kubernetes' own. What is left out cannot change a decision; the reader of text says so where a field
//! that was given is not read and could matter. Nothing here knows what a scheduler does with an object.
//!
//! | File | Answers |
//! |---|---|
//! | `meta` | what every object carries; what a time is |
//! | `quantity` | how much |
//! | `resources` | how much of what, and which resources are counted how |
//! | `requests` | how much a pod asks for |
//! | `names` | what may be a name or a label |
//! | `selector` | which objects or nodes are meant: as written, and [`Selector`], [`NodeMatcher`] made ready |
//! | `taint` | what keeps pods off, and who puts up with it |
//! | `ports` | which ports of its node a pod takes |
//! | `affinity` | what a pod wants near it |
//! | `volume` | where a pod's files come from |
//! | `pod`, `node`, `namespace`, `storage`, `claim`, `workload`, `policy` | what the objects are |
//! | `object` | any of them: [`Object`], [`Kind`], [`ObjectKey`] |
//! | `schema` | how they are written down |
//! | `path` | where something stands |
//! | `decode` | how a text becomes objects, and what is wrong with it |

mod affinity;
mod claim;
pub mod decode;
mod meta;
pub mod names;
mod namespace;
mod node;
mod object;
mod path;
mod pod;
mod policy;
mod ports;
mod quantity;
mod requests;
mod resources;
mod schema;
mod selector;
mod storage;
mod taint;
mod volume;
mod workload;

pub use affinity::*;
pub use claim::*;
pub use meta::*;
pub use namespace::*;
pub use node::*;
pub use object::*;
pub use path::*;
pub use pod::*;
pub use policy::*;
pub use ports::*;
pub use quantity::*;
pub use requests::*;
pub use resources::*;
pub use schema::{IntOrString, Opaque, Rounding};
pub use selector::*;
pub use storage::*;
pub use taint::*;
pub use volume::*;
pub use workload::*;
