"""One file a command. To add one, write the file and add its line to `cairn.cli.table`."""
