"""The forge at GitHub, by its REST interface: no checkout, no git, pull requests and issues."""
