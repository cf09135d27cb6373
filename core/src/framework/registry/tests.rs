use alloc::string::ToString;
use alloc::sync::Arc;

use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::extension::Plugin;
use crate::framework::status::PluginName;

use super::{PluginFactory, Registry};

struct Named(&'static str);

impl Plugin for Named {
    fn name(&self) -> PluginName {
        PluginName(self.0)
    }
}

fn one(_: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
    Ok(Arc::new(Named("One")))
}

#[test]
fn a_name_is_registered_once_and_a_failed_merge_adds_nothing() {
    let table: [(PluginName, PluginFactory); 1] = [(PluginName("One"), one)];
    let mut registry = Registry::of(&table);
    let error = registry.register(PluginName("One"), one).unwrap_err();
    assert_eq!(error.to_string(), "a plugin named One already exists");
    let other: [(PluginName, PluginFactory); 2] =
        [(PluginName("One"), one), (PluginName("Another"), one)];
    assert!(registry.merge(&Registry::of(&other)).is_err());
    assert_eq!(registry.names().count(), 1);
}
