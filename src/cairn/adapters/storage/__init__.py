"""The store on SQLite, on PostgreSQL, and in memory."""
