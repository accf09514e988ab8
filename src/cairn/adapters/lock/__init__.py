"""Who is at work, said in files."""
