"""Where the code is in a Markdown text, and the same text without it."""


def mask_code(body: str) -> str:
    raise NotImplementedError


def code_only(body: str, prose: str) -> str:
    raise NotImplementedError
