"""Apply migrations without rendering every model again at each operation.

Django renders a changed model together with all that hang together with it. Here each of 170 models
hangs together with the person, so nine tenths of the time of a whole migration go there. Only the
changed model is rendered here where no other one has to know of the change; the SQL is the same.
What runs Python, and what renames or alters something that others refer to, sees all models anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import django
import pytest
from django.core.management import call_command
from django.db.migrations.state import ModelState, ProjectState


@contextmanager
def quick_migrations() -> Iterator[None]:
    """Within it, migrations are applied like that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ProjectState, "add_model", _add_model)
        patch.setattr(ProjectState, "add_field", _adding_field(ProjectState.add_field))
        patch.setattr(ProjectState, "reload_model", _reload_model)
        patch.setattr(ProjectState, "reload_models", _forget_rendered)
        yield


def _add_model(self: ProjectState, model_state: ModelState) -> None:
    """Nobody refers to it yet."""
    key = model_state.app_label, model_state.name_lower
    self.models[key] = model_state
    if self._relations is not None:
        self.resolve_model_relations(key)
    _reload_model(self, *key, delay=True)


def _adding_field(add: Callable[..., None]) -> Callable[..., None]:
    """Nor does anybody to a new field, also where it refers to another model."""

    def add_field(self: ProjectState, app_label: str, model_name: str, *rest: object) -> None:
        rendered = self.__dict__.pop("apps", None)
        add(self, app_label, model_name, *rest)
        if rendered is not None:
            self.__dict__["apps"] = rendered
            _reload_model(self, app_label, model_name, delay=True)

    return add_field


def _reload_model(self: ProjectState, app_label: str, model_name: str, delay: bool = False) -> None:
    """Django says ``delay`` where others need not know; what runs Python renders all of them then.

    Where they have to, everything is rendered by whoever asks next.
    """
    if not delay:
        _forget_rendered(self)
    elif "apps" in self.__dict__:
        self.is_delayed = True
        self._reload({(app_label, model_name)})


def _forget_rendered(self: ProjectState, *_models: object, **_delay: object) -> None:
    self.__dict__.pop("apps", None)


if __name__ == "__main__":
    django.setup()
    with quick_migrations():
        call_command("migrate", verbosity=0)
