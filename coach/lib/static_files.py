"""Style sheets and scripts under names that change with their content, so browsers keep them."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """`app.1a2b3c.css`, kept for good, also where one script imports another.

    Where nothing was collected (development, tests) the sources are served under their own names:
    a change is seen at once, and no step can be forgotten. The image and the demonstration collect.
    """

    # Only our own scripts are modules: what others ship holds text that looks like an import.
    _modules = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]  # noqa: SLF001
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", _modules))
    manifest_strict = False

    def stored_name(self, name: str) -> str:
        """The name with its digest, or as it is where nothing was collected."""
        return str(super().stored_name(name)) if self.hashed_files else name
