"""The extractive auditor: compares old and new texts of an entry's sources without a model."""

from cairn.freshness.extractive.audit import BASELINE, MODEL, SourceTexts, audit

__all__ = ["BASELINE", "MODEL", "SourceTexts", "audit"]
