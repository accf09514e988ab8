"""Markdown and YAML as the scan reads them: frontmatter, code masks, links, names, hashes. Pure."""
