"""Forgetting: what is looked for, in every form it may be written in, and what goes when it is found."""
