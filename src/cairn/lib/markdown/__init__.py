"""Reads Markdown: frontmatter, links, headings, sections, and the places of code."""
