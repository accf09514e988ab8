"""The tools, one file each: parse, call, render."""
