"""Observe: events of the ledger and documents come in, findings go out: gaps, dead references, broken marks."""
