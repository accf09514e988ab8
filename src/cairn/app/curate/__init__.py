"""From sessions, notes and documents to pages: candidates, the curator's plan, conflicts, what a base is made of."""
