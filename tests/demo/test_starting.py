"""What a demonstration makes sure of before anything is started."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from coach.lib.catalogues import ROOT, catalogue_of

_ELSEWHERE = """
import sys
from pathlib import Path
import coach.lib.catalogues
coach.lib.catalogues.LOCALES = Path(sys.argv.pop(1))
from demo.__main__ import main
main()
"""


def test_a_fresh_checkout_has_its_french_also_where_make_was_not_asked(tmp_path: Path) -> None:
    folder = tmp_path / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    shutil.copy(catalogue_of("fr"), folder)
    command = [sys.executable, "-c", _ELSEWHERE, str(tmp_path), "--help"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    compiled = (folder / "django.mo").read_bytes()
    assert "Répétition".encode() in compiled
