"""What the graph and the features need from the world, as Protocols. Adapters fill them, `app` chooses which."""
