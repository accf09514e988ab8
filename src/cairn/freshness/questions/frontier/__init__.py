"""Whether there is a newer edition of an entry's subject."""
