"""What a demonstration makes sure of before anything is started."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from coach.lib.catalogues import ROOT, catalogue_of
from demo.__main__ import how_an_account_is_made

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


def test_the_link_of_a_first_account_leads_to_the_port_that_was_free() -> None:
    """Without its address the command makes a link to port 8000, where somebody else answers."""
    told = how_an_account_is_made("http://127.0.0.1:8017/")
    assert told.endswith(
        "manage.py add_person ADDRESS --role administrator --site http://127.0.0.1:8017\n"
    )
