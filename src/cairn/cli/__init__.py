"""The command line: one file a command, one table that lists them, one boundary that turns errors into exit codes."""
