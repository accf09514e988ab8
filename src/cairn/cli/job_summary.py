"""The page that GitHub shows for a job: what was found is added to the file that its environment names."""

from cairn.cli.invocation import Invocation
from cairn.cli.width import safe

VARIABLE = "GITHUB_STEP_SUMMARY"


def append_job_summary(ctx: Invocation, text: str) -> None:
    """Elsewhere than in a job nothing happens. A page that cannot be written is no reason to fail."""
    path = ctx.env.get(VARIABLE, "")
    if not path:
        return
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        ctx.out.warn(f"the summary of the job could not be written to {safe(path)}: {error.strerror}")
