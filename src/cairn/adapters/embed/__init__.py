"""Ways to have vectors of texts: a small model that is installed with an extra, or any program of the operator's."""
