"""What the graph is made of: nodes, links, signals, issues. Frozen values, no behaviour that needs a port."""
