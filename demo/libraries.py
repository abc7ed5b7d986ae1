"""Check for missing system libraries, with the command that installs them."""

from __future__ import annotations

import ctypes
import sys
from gettext import gettext as _

from analysis.terminal import set_terminal_language

# mediapipe loads the first two with a landmarker, even on a machine without a screen, and OpenCV,
# which it imports, the others.
NEEDED = {
    "libEGL.so.1": "libegl1",
    "libGLESv2.so.2": "libgles2",
    "libGL.so.1": "libgl1",
    "libgthread-2.0.so.0": "libglib2.0-0",
}


def missing() -> tuple[str, ...]:
    """Return the Debian packages of the libraries that cannot be loaded here."""
    if not sys.platform.startswith("linux"):
        return ()
    return tuple(package for library, package in NEEDED.items() if not _loads(library))


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def main() -> None:
    """Print the command and never fail: without the libraries everything works except watching."""
    set_terminal_language()
    packages = missing()
    if packages:
        print(
            _(
                "Some system libraries let Rostrum see faces and posture. Without them it listens "
                "only."
            )
        )
        print(f"Debian, Ubuntu: apt-get install -y {' '.join(packages)}")


if __name__ == "__main__":
    main()
