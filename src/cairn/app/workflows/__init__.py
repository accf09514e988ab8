"""Files for GitHub: a night that comes by itself, gates on pull requests, versions after merges."""
