"""Libraries that know nothing about Cairn. Pure: text in, values out."""
