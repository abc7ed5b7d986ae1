"""Models of departments, whose administrators see only the groups of their department."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Department(models.Model):
    """A part of the institution with groups and administrators of its own."""

    name = models.CharField(_("name"), max_length=120)
    # Its administrators see nothing of a closed department; groups and members stay.
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("department")
        verbose_name_plural = _("departments")
        constraints = [
            models.UniqueConstraint(
                Lower("name"),
                name="a_department_has_its_own_name",
                violation_error_message=_("There is a department of this name already."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class DepartmentAdministrator(models.Model):
    """A person who administers a department, named by an administrator of the site."""

    department = models.ForeignKey(
        Department, on_delete=models.CASCADE, related_name="administrators"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="administrations"
    )
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("administrator of a department")
        verbose_name_plural = _("administrators of departments")
        constraints = [
            models.UniqueConstraint(
                fields=["department", "user"], name="an_administrator_once_a_department"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.department}"
