"""The addresses of the rule studio."""

from __future__ import annotations

from tests.feedback_rules.reports import shipped

Pages = tuple[tuple[str, tuple[str | int, ...]], ...]

PAGES: Pages = (
    ("rules", ()),
    ("new", ()),
    ("new_answers", ()),
    ("publish", ()),
    ("import", ()),
    ("releases", ()),
    ("release", (1,)),
    ("export_release", (1,)),
    ("rule", ("FIL001",)),
    ("edit", ("FIL001",)),
    ("version", ("FIL001", shipped("FIL001"))),
    ("export_rule", ("FIL001", shipped("FIL001"))),
    ("gallery", ()),
    ("statistics", ()),
    ("statistics_of", ("FIL001",)),
    ("dry_runs", ()),
)

ACTS: Pages = (
    ("check", ("FIL001",)),
    ("begin", ("FIL001",)),
    ("retire", ("FIL001",)),
    ("trial", ("FIL001",)),
    ("mute", ("FIL001",)),
    ("unmute", ("FIL001",)),
    ("roll_back", (1,)),
    ("start_dry_run", ()),
)

DECISIONS = ("approve", "send_back", "withdraw", "keep_figures")

DRY_RUNS = ("dry_run", "dry_run_progress", "cancel_dry_run", "dry_run_example")
"""Their own tests make one and send strangers to it."""

STUDIO = {*(name for name, _args in (*PAGES, *ACTS)), *DECISIONS, *DRY_RUNS, "proposal"}
