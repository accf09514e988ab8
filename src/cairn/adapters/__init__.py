"""How Cairn reaches the world: one folder for each port, chosen by `app` and by nobody else."""
