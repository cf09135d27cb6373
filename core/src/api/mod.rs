//! What Kubernetes' objects look like, as far as a scheduler reads them.
