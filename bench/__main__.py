"""Command line `python -m bench NAME ...`, which runs one benchmark."""

from __future__ import annotations

import importlib
import sys

# Name on the command line, and the module whose `main(arguments)` runs it.
BENCHMARKS: dict[str, str] = {
    "run": "bench.run",
    "listening": "bench.listening.run",
    "edges": "bench.listening.edges",
    "watching": "bench.watching.run",
    "sampling": "bench.watching.sampling",
    "gaze": "bench.gaze.run",
    "hangs": "bench.watching.hangs",
    "pages": "bench.pages",
    "pictures": "bench.pictures",
    "slow_network": "bench.slow_network",
    "demonstration": "bench.demonstration.make",
    "sample": "bench.demonstration.sample",
    "faults": "bench.faults",
    "load": "bench.load.run",
    "judgement": "bench.judgement.run",
    "firing": "bench.firing",
    "firing_groups": "bench.firing_groups",
    "accuracy_gate": "bench.accuracy_gate",
    "claims": "bench.claims",
    "study": "bench.study",
    "exchange": "bench.exchange",
    "quiet_ends": "bench.judgement.quiet_ends",
    "quiet_ends_real": "bench.judgement.quiet_ends_real",
    "disturbed": "bench.listening.disturbed",
    "train_fillers": "bench.fillers.train",
    "fillers": "bench.fillers.run",
    "fillers_left_out": "bench.fillers.left_out",
    "capture": "bench.capture",
    "tus": "bench.tus",
    "questions": "bench.questions",
    "slides": "bench.slides",
    "first_report": "bench.first_report",
    "api": "bench.api",
    "docs": "bench.docs",
    "sbom": "bench.sbom",
    "names": "bench.names",
    "french": "bench.french.run",
}


def main() -> int:
    """Run the benchmark named on the command line and return its exit code."""
    if len(sys.argv) < 2 or sys.argv[1] not in BENCHMARKS:
        print(f"Usage: python -m bench {{{','.join(BENCHMARKS)}}} ...", file=sys.stderr)
        return 2
    return int(importlib.import_module(BENCHMARKS[sys.argv[1]]).main(sys.argv[2:]))


if __name__ == "__main__":
    sys.exit(main())
