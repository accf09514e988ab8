"""The store on a server that many share: PostgreSQL with a schema for each workspace."""
