"""Whether a place in a Markdown text is the destination of a link, where a name is a path and nothing else."""


def in_destination(prose: str, start: int) -> bool:
    """True right after `](`, `](<`, or the `]:` of a reference definition."""
    before = prose[max(start - 3, 0) : start]
    if before.endswith(("](", "](<")):
        return True
    return before.endswith(("]: ", "]:")) and _opens_definition(prose, start)


def _opens_definition(prose: str, start: int) -> bool:
    line = prose[prose.rfind("\n", 0, start) + 1 : start].lstrip(" ")
    return line.startswith("[") and line.find("]:") == len(line.rstrip()) - 2
