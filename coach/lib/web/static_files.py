"""Style sheets and scripts under names that change with their content, so browsers keep them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

SHEET = "css/app.css"
_LAYER = re.compile(r'^@import "(?P<name>[\w-]+\.css)" layer\((?P<layer>[\w-]+)\);$', re.MULTILINE)


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """`app.1a2b3c.css`, kept for good, also where one script imports another.

    Where nothing was collected (development, tests) the sources are served under their own names:
    a change is seen at once, and no step can be forgotten. The image and the demonstration collect.
    """

    # Only our own scripts are modules: what others ship holds text that looks like an import.
    _modules = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]  # noqa: SLF001
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", _modules))
    manifest_strict = False

    def post_process(
        self, paths: dict[str, tuple[Any, str]], *args: Any, **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        """One sheet of all layers, so that a browser asks once; then digests and compression."""
        if SHEET in paths and not options.get("dry_run"):
            whole = self._with_layers(paths[SHEET])
            self.delete(SHEET)
            self.save(SHEET, ContentFile(whole.encode()))
            paths = {**paths, SHEET: (self, SHEET)}
        yield from super().post_process(paths, *args, **options)

    def _with_layers(self, sheet: tuple[Any, str]) -> str:
        """The sheet with each layer that it imports in the import's place."""
        storage, path = sheet
        folder = path.rpartition("/")[0]

        def layer(match: re.Match[str]) -> str:
            name = f"{folder}/{match['name']}"
            return f"@layer {match['layer']} {{\n{_read(storage, name)}}}"

        return _LAYER.sub(layer, _read(storage, path))

    def stored_name(self, name: str) -> str:
        """The name with its digest, or as it is where nothing was collected."""
        return str(super().stored_name(name)) if self.hashed_files else name


def _read(storage: Any, path: str) -> str:
    with storage.open(path) as file:
        return str(file.read().decode())
