"""A year in seconds: the real night, over a web and people that are played, on a clock that jumps from day to day."""
