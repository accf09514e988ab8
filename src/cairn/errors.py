"""Everything that can go wrong, and what the person who meets it should read.

CairnError                      exit   code
├── UsageError                    2    usage
├── ConfigError                   2    config
│   └── LocalFileTracked          2    local-file-tracked
├── EnvironmentProblem            2    environment
│   ├── NotInitialised            2    not-initialised
│   ├── MissingExtra              2    missing-extra
│   ├── StoreProblem              2    store
│   │   ├── StoreNewer            2    store-newer
│   │   ├── StoreCorrupt          2    store-corrupt
│   │   └── StoreLocked           2    store-locked
│   └── CannotWrite               2    cannot-write
├── Refused                       1    refused
│   └── CannotEdit                1    cannot-edit
├── Conflict                      3    conflict
├── NonceMismatch                 4    nonce
├── JobNotRunning                 2    job-state
├── ReportInvalid                 2    report-invalid
├── NotFound                      5    not-found
└── ExtensionFailed               –    extension (never ends a command: it is reported and skipped)

A class's docstring is the sentence shown when it is raised without a message of its own.
"""

from collections.abc import Mapping
from typing import Any, ClassVar


class CairnError(Exception):
    """Something went wrong; the message should have said what."""

    exit_code: ClassVar[int] = 2
    code: ClassVar[str] = "error"

    def __init__(self, message: str | None = None, /, **details: Any) -> None:
        super().__init__(message or " ".join((type(self).__doc__ or "").split()))
        self.details: Mapping[str, Any] = details

    @property
    def message(self) -> str:
        return str(self.args[0])


class UsageError(CairnError):
    """That is not how this command is called; `cairn help COMMAND` shows how."""

    code = "usage"


class ConfigError(CairnError):
    """The configuration is not valid; mend the file that the message names."""

    code = "config"


class LocalFileTracked(ConfigError):
    """A file that must stay on this machine is tracked by git; run `git rm --cached` on it."""

    code = "local-file-tracked"


class EnvironmentProblem(CairnError):
    """This machine lacks something that Cairn needs; `cairn doctor` names it."""

    code = "environment"


class NotInitialised(EnvironmentProblem):
    """There is no Cairn workspace here; run `cairn init` in the root of your repository."""

    code = "not-initialised"


class MissingExtra(EnvironmentProblem):
    """An optional part of Cairn is not installed."""

    code = "missing-extra"


class StoreProblem(EnvironmentProblem):
    """The database cannot be used; `cairn doctor` says more."""

    code = "store"


class StoreNewer(StoreProblem):
    """The database was written by a newer Cairn; upgrade with `pip install -U cairn-kb`."""

    code = "store-newer"


class StoreCorrupt(StoreProblem):
    """The database is damaged; `cairn db restore FILE` brings a backup back, `cairn db reset --hard` starts anew."""

    code = "store-corrupt"


class StoreLocked(StoreProblem):
    """Another process is writing to the database; try again when it has finished."""

    code = "store-locked"


class CannotWrite(EnvironmentProblem):
    """A file cannot be written; check the permissions and the free space of its folder."""

    code = "cannot-write"


class Refused(CairnError):
    """Cairn declined to do this; nothing was changed."""

    exit_code = 1
    code = "refused"


class CannotEdit(Refused):
    """The frontmatter of a page cannot be changed in place; change it by hand."""

    code = "cannot-edit"


class Conflict(CairnError):
    """This collides with something that is already there; nothing was changed."""

    exit_code = 3
    code = "conflict"


class NonceMismatch(CairnError):
    """The nonce is not that of the job; use the one that `cairn job claim --json` printed."""

    exit_code = 4
    code = "nonce"


class JobNotRunning(CairnError):
    """The job is not running, so it takes no answer; `cairn job show ID` shows its state."""

    code = "job-state"


class ReportInvalid(CairnError):
    """The report does not hold what its action asks for; the job failed."""

    code = "report-invalid"


class NotFound(CairnError):
    """There is nothing by that name."""

    exit_code = 5
    code = "not-found"


class ExtensionFailed(CairnError):
    """An extension failed; it was skipped and the rest went on."""

    code = "extension"
