"""Forms for lists of people: inviting, filtering, and acts on selected people."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet, TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from coach.accounts.models import Cohort, Language, Role, User
from coach.lib.pages.plain_text import NameField, PlainTextField
from coach.portal.departments.selectors import (
    administered_groups_for,
    administered_people_for,
    open_groups_for,
)
from coach.portal.people.checking import GROUP_ROLES, Defaults
from coach.portal.people.lists import MOST_BYTES, MOST_LINES, ListLine, decoded, read_list
from coach.portal.people.selectors import State


def _offer_groups(field: forms.Field, groups: QuerySet[Cohort]) -> None:
    field.queryset = groups  # type: ignore[attr-defined]


def _offer_roles_of_groups(field: forms.Field, *first: tuple[str, StrOrPromise]) -> None:
    field.choices = [*first, *((each.value, each.label) for each in GROUP_ROLES)]  # type: ignore[attr-defined]


_EXAMPLE = _("ada@school.example, Ada Lovelace\nalan@school.example, Alan Turing, coach")


class InviteForm(forms.Form):
    """A pasted list or a file, and the values for cells that it leaves empty."""

    text = PlainTextField(
        label=_("People, one on each line"),
        required=False,
        max_length=MOST_BYTES,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "placeholder": _EXAMPLE, "spellcheck": "false"}),
        help_text=_(
            "Email address, then name, role, group and language if you like, separated by a "
            "semicolon, a comma or a tab. If the first line names the columns, they may come in "
            "any order. At most 500 people."
        ),
    )
    file = forms.FileField(
        label=_("Or a CSV file"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv"}),
        help_text=_("From Excel, LibreOffice or your student records: save the table as CSV."),
    )
    cohort = forms.ModelChoiceField(
        label=_("Group"),
        queryset=Cohort.objects.none(),
        required=False,
        empty_label=_("No group yet"),
    )
    role = forms.ChoiceField(
        label=_("Role"),
        choices=[(each.value, each.label) for each in Role if each != Role.ADMINISTRATOR],
        initial=Role.TRAINEE,
    )
    language = forms.ChoiceField(label=_("Language of emails"), choices=Language.choices)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer_groups(self.fields["cohort"], open_groups_for(user))
        if not user.is_staff:
            self.fields["cohort"].required = True
            self.fields["cohort"].empty_label = _("Choose a group")  # type: ignore[attr-defined]
            _offer_roles_of_groups(self.fields["role"])

    def clean_file(self) -> str:
        """Return the text of the file. Raises ValidationError for a spreadsheet or a large file."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if file is None:
            return ""
        content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise forms.ValidationError(gettext("This file is larger than a list of 500 people."))
        if content.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF")):
            raise forms.ValidationError(
                gettext("This file is not a text table. Save it as CSV and choose it again.")
            )
        return decoded(content)

    def clean(self) -> dict[str, Any]:
        """Read the list; a file comes before pasted text."""
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        cleaned["text"] = cleaned["file"] or cleaned["text"]
        lines = read_list(cleaned["text"])
        if not lines:
            self.add_error("text", gettext("Paste at least one address, or choose a file."))
        if len(lines) > MOST_LINES:
            self.add_error("text", gettext("At most 500 people at once. Divide the list in two."))
        cleaned["lines"] = lines
        return cleaned

    def lines(self) -> list[ListLine]:
        """Return the people of the list."""
        found: list[ListLine] = self.cleaned_data["lines"]
        return found

    def defaults(self) -> Defaults:
        """Return the values for empty cells."""
        return Defaults(
            role=Role(self.cleaned_data["role"]),
            cohort=self.cleaned_data["cohort"],
            language=Language(self.cleaned_data["language"]),
        )


class FilterForm(forms.Form):
    """The filters of the list of people; a value that does not exist filters nothing."""

    q = NameField(
        label=_("Name or address"),
        required=False,
        max_length=120,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    role = forms.ChoiceField(
        label=_("Role"), required=False, choices=[("", _("All roles")), *Role.choices]
    )
    group = forms.ModelChoiceField(
        label=_("Group"),
        required=False,
        queryset=Cohort.objects.none(),
        empty_label=_("All groups"),
    )
    state = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("All states")), *State.choices]
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer_groups(self.fields["group"], administered_groups_for(user).order_by("name", "pk"))
        if not user.is_staff:
            _offer_roles_of_groups(self.fields["role"], ("", _("All roles")))

    def wanted(self) -> dict[str, Any]:
        """Return the filters as arguments of `people_in`."""
        said = self.cleaned_data
        return {
            "words": said.get("q", ""),
            "role": said.get("role", ""),
            "cohort": said.get("group"),
            "state": said.get("state", ""),
        }


class Act(TextChoices):
    """An act on selected people."""

    JOIN = "join", _("Add to the group as trainees")
    JOIN_AS_COACH = "join_as_coach", _("Add to the group as coaches")
    LEAVE = "leave", _("Remove from the group")
    RESEND = "resend", _("Resend the invitation")
    WITHDRAW = "withdraw", _("Withdraw the invitation")
    EMAIL_AGAIN = "email_again", _("Send emails again")
    RESET = "reset", _("Reset the second factor")
    CLOSE = "close", _("Close the account")
    OPEN = "open", _("Open the account again")


ACTS_WITH_GROUP = (Act.JOIN, Act.JOIN_AS_COACH, Act.LEAVE)
ACTS_OF_THE_SITE = (Act.RESET,)
"""Acts that a department's administrators cannot do: a person may be in other departments too."""


class ActForm(forms.Form):
    """An act on selected people, and the group that it needs."""

    act = forms.ChoiceField(label=_("With the selected people"), choices=Act.choices)
    cohort = forms.ModelChoiceField(
        label=_("Group"),
        required=False,
        queryset=Cohort.objects.none(),
        empty_label=_("Choose a group"),
    )
    people = forms.ModelMultipleChoiceField(
        queryset=User.objects.none(),
        error_messages={"required": _("Select at least one person.")},
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer_groups(self.fields["cohort"], open_groups_for(user))
        self.fields["people"].queryset = administered_people_for(user).order_by("pk")  # type: ignore[attr-defined]
        if not user.is_staff:
            acts = [(each.value, each.label) for each in Act if each not in ACTS_OF_THE_SITE]
            self.fields["act"].choices = acts  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Require a group where the act needs one."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("act") in ACTS_WITH_GROUP and not cleaned.get("cohort"):
            self.add_error("cohort", gettext("Choose the group."))
        return cleaned
