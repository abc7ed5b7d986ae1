"""Style sheets and scripts under hashed names, so that browsers can cache them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

SHEET = "css/app.css"
_LAYER = re.compile(r'^@import "(?P<name>[\w-]+\.css)" layer\((?P<layer>[\w-]+)\);$', re.MULTILINE)


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Storage for hashed file names (`app.1a2b3c.css`), also in imports between scripts.

    Without collected files (development, tests) the sources are served under their own names: a
    change is visible at once, and no step can be forgotten. The image and the demonstration
    collect.
    """

    # Only our own scripts are modules: those of others contain text that looks like an import.
    _modules = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]  # noqa: SLF001
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", _modules))
    manifest_strict = False

    def post_process(
        self, paths: dict[str, tuple[Any, str]], *args: Any, **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        """Merge all layers into one style sheet, so that a browser asks once; then hash and
        compress.
        """
        if SHEET in paths and not options.get("dry_run"):
            whole = self._with_layers(paths[SHEET])
            self.delete(SHEET)
            self.save(SHEET, ContentFile(whole.encode()))
            paths = {**paths, SHEET: (self, SHEET)}
        yield from super().post_process(paths, *args, **options)

    def _with_layers(self, sheet: tuple[Any, str]) -> str:
        """Return the style sheet with each imported layer inlined."""
        storage, path = sheet
        folder = path.rpartition("/")[0]

        def layer(match: re.Match[str]) -> str:
            name = f"{folder}/{match['name']}"
            return f"@layer {match['layer']} {{\n{_read(storage, name)}}}"

        return _LAYER.sub(layer, _read(storage, path))

    def stored_name(self, name: str) -> str:
        """Return the hashed name, or the name itself if nothing was collected."""
        return str(super().stored_name(name)) if self.hashed_files else name


def _read(storage: Any, path: str) -> str:
    with storage.open(path) as file:
        return str(file.read().decode())
