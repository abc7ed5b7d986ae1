"""A worker that fetched somebody's recording, and waits to be killed: python -m ... TAKE RUN."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from uuid import UUID

import django


def main(take: UUID, run: UUID) -> None:
    """Say where the recording lies now, then hang."""
    django.setup()
    from coach.storage import storage  # noqa: PLC0415

    with storage().work_directory(take, run) as bench:
        bench.fetch_media()
        Path(os.environ["SAYS"]).write_text(json.dumps(str(bench.media_path)))
        time.sleep(600)


if __name__ == "__main__":
    main(UUID(sys.argv[1]), UUID(sys.argv[2]))
