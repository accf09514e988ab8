"""Change requests: gates, forge, reviews, and their record in the ledger."""
