"""Files for GitHub: scheduled runs, gates on pull requests, versions after merges."""
