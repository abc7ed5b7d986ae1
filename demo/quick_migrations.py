"""Apply migrations without rendering every model again at each operation.

Django renders a changed model together with all related models. Here each of 170 models is related
to the user, so rendering takes nine tenths of the time of a full migration. This module renders the
changed model alone if no other one refers to the change; the SQL is the same. Operations that run
Python, rename or alter a referenced field still get all models rendered.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

import django
from django.core.management import call_command
from django.db.migrations.state import ModelState, ProjectState


@contextmanager
def quick_migrations() -> Iterator[None]:
    """Apply migrations in this way inside the block."""
    with patch.multiple(
        ProjectState,
        add_model=_add_model,
        add_field=_adding_field(ProjectState.add_field),
        reload_model=_reload_model,
        reload_models=_forget_rendered,
    ):
        yield


def _add_model(self: ProjectState, model_state: ModelState) -> None:
    """Add a model, to which no other one refers yet."""
    key = model_state.app_label, model_state.name_lower
    self.models[key] = model_state
    if self._relations is not None:  # type: ignore[attr-defined]
        self.resolve_model_relations(key)
    _reload_model(self, *key, delay=True)


def _adding_field(add: Callable[..., None]) -> Callable[..., None]:
    """Return an `add_field` that renders one model: no other one refers to a new field."""

    def add_field(self: ProjectState, app_label: str, model_name: str, *rest: object) -> None:
        rendered = self.__dict__.pop("apps", None)
        add(self, app_label, model_name, *rest)
        if rendered is not None:
            self.__dict__["apps"] = rendered
            _reload_model(self, app_label, model_name, delay=True)

    return add_field


def _reload_model(
    self: ProjectState,
    app_label: str,
    model_name: str,
    delay: bool = False,  # noqa: FBT001, FBT002
) -> None:
    """Render one model if Django passes `delay`, which means that related models can wait.

    Otherwise all models are rendered at the next access.
    """
    if not delay:
        _forget_rendered(self)
    elif "apps" in self.__dict__:
        self.is_delayed = True
        self._reload({(app_label, model_name)})  # type: ignore[attr-defined]


def _forget_rendered(self: ProjectState, *_models: object, **_delay: object) -> None:
    """Render all models at the next access."""
    self.__dict__.pop("apps", None)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coach.settings")
    django.setup()
    with quick_migrations():
        call_command("migrate", verbosity=0)
