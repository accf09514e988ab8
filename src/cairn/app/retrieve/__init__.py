"""What is known, for whoever asks or begins: search, pages, briefings, and the log of questions."""
