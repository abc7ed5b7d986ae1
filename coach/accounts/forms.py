"""Administration forms for people and cohorts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import Cohort, Membership, Policy, Role, User
from coach.accounts.people import keep_an_administrator
from coach.accounts.selectors import ways_of, ways_to_recordings
from coach.lib.pages.plain_text import one_line

_ROLE_HELP = _(
    "Trainees practise; coaches review what trainees of their groups send; curators change rules; "
    "researchers export; administrators keep people and groups, and this role opens no recording."
)


def reason_field() -> forms.CharField:
    """Return the field for the reason why an administrator may open recordings."""
    return forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=300,
        help_text=_(
            "Needed where an administrator becomes a coach or a researcher and can then open "
            "recordings. We log it, and show it to the owners of these recordings."
        ),
    )


def another_administrator_needed() -> ValidationError:
    """Return the error for administrators who would open recordings to themselves."""
    return ValidationError(
        gettext(
            "On this site nobody opens recordings to themselves. Ask another administrator to "
            "do this."
        )
    )


def opens_to_oneself(person: User, actor: User | None) -> bool:
    """Return whether the site asks somebody else to open recordings to this person."""
    is_same = actor is not None and actor.pk == person.pk
    return bool(settings.SECOND_ADMINISTRATOR) and is_same


def reason_missing() -> ValidationError:
    """Return the error for a missing reason."""
    return ValidationError(
        gettext(
            "This lets an administrator open recordings. Give the reason; their owners read it."
        )
    )


PEOPLE_LIST = "people"
"""The id of the list of people that browsers complete from."""


class PersonField(forms.ModelChoiceField[User]):
    """A person with an account, chosen by email address, as administrators know them.

    A plain HTML field: Django's autocomplete widget writes inline styles, which the site's policy
    blocks, and is hard to use with screen readers.
    """

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.EmailInput(attrs={"list": PEOPLE_LIST, "autocomplete": "off", "size": 34})
        super().__init__(
            queryset=User.objects.all(),
            to_field_name="email",
            widget=widget,
            error_messages={"invalid_choice": _("No account uses this address.")},
            **kwargs,
        )

    def prepare_value(self, value: Any) -> Any:
        """Return the email address for a stored key."""
        if isinstance(value, int):
            return User.objects.filter(pk=value).values_list("email", flat=True).first() or ""
        return super().prepare_value(value)

    def to_python(self, value: Any) -> Any:
        """Return the person for an address in any case, with or without spaces around it."""
        return super().to_python(value.strip().lower() if isinstance(value, str) else value)


class PersonForm(forms.ModelForm[User]):
    """A person with all their settings in one form."""

    # The administrator who fills it in; ModelAdmin sets it on the class of each request.
    actor: User | None = None

    roles = forms.MultipleChoiceField(
        label=_("Roles"),
        choices=Role.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_ROLE_HELP,
    )
    trainee_in = forms.ModelMultipleChoiceField(
        label=_("Practises in"),
        queryset=Cohort.objects.order_by("name"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Gives the role of a trainee with it."),
    )
    coach_in = forms.ModelMultipleChoiceField(
        label=_("Coaches in"),
        queryset=Cohort.objects.order_by("name"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Gives the role of a coach with it."),
    )
    send_link = forms.BooleanField(
        label=_("Write to this person"),
        required=False,
        help_text=_(
            "Sends an email with a link for choosing a password. Nobody else learns the password."
        ),
    )
    reason = reason_field()

    class Meta:
        model = User
        fields = ("email", "name", "language", "roles", "is_active")
        labels = {"is_active": _("May sign in")}
        help_texts = {
            "email": _(
                "The address for signing in. A new one signs the person out everywhere and "
                "replaces the old one."
            ),
            "language": _("The language of emails and pages. The person can change it."),
            "is_active": _("Otherwise the account is closed, and its data is kept."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        is_new = self.instance._state.adding  # noqa: SLF001  # Django's public, underscored API
        self.fields["send_link"].initial = is_new
        for role in (Role.TRAINEE, Role.COACH):
            standing = Membership.objects.filter(user=self.instance.pk, role=role)
            self.fields[f"{role}_in"].initial = standing.values_list("cohort", flat=True)
            if not Cohort.objects.exists():
                self.fields[f"{role}_in"].help_text = _(
                    "There is no group yet. Add one first, then add this person to it."
                )

    def clean_name(self) -> str:
        """Return the name on one line, since it is used in emails and tables."""
        return one_line(self.cleaned_data["name"])

    def clean_email(self) -> str:
        """Return the address in lower case. Raises ValidationError if another account has it."""
        address: str = self.cleaned_data["email"].lower()
        if User.objects.filter(email=address).exclude(pk=self.instance.pk).exists():
            raise ValidationError(gettext("An account with this address already exists."))
        return address

    def clean(self) -> dict[str, Any]:
        """Add the roles of the chosen cohorts; refuse changes that would lock out an
        administrator.
        """
        cleaned = super().clean() or self.cleaned_data
        roles = set(cleaned.get("roles", ()))
        roles |= {role for role in (Role.TRAINEE, Role.COACH) if cleaned.get(f"{role}_in")}
        cleaned["roles"] = [role for role in Role.values if role in roles]
        if self.actor is not None and self.actor.pk == self.instance.pk:
            self._stay_in(cleaned)
        elif self._no_longer_administers(cleaned):
            self._require_other_administrator()
        if self._opens_recordings(cleaned):
            if opens_to_oneself(self.instance, self.actor):
                self.add_error(None, another_administrator_needed())
            elif not cleaned.get("reason"):
                self.add_error("reason", reason_missing())
        return cleaned

    def _opens_recordings(self, cleaned: dict[str, Any]) -> bool:
        stored = User.objects.filter(pk=self.instance.pk).first()
        before = ways_of(stored) if stored else frozenset()
        after = ways_to_recordings(
            roles=cleaned.get("roles", ()),
            coaches_in=[cohort.pk for cohort in cleaned.get("coach_in", ())],
            is_active=cleaned.get("is_active", True),
            administers_departments=stored is not None and stored.administers_departments,
        )
        return not after <= before

    def _no_longer_administers(self, cleaned: dict[str, Any]) -> bool:
        is_one = self.instance.is_staff and self.instance.is_active
        stays_one = Role.ADMINISTRATOR in cleaned["roles"] and cleaned.get("is_active", True)
        return is_one and not stays_one

    def _require_other_administrator(self) -> None:
        try:
            keep_an_administrator(person=self.instance)
        except ValidationError as error:
            self.add_error(None, error)

    def _stay_in(self, cleaned: dict[str, Any]) -> None:
        another = gettext("Ask another administrator to do this: you would lock yourself out.")
        if Role.ADMINISTRATOR not in cleaned["roles"]:
            self.add_error("roles", another)
        if not cleaned.get("is_active", True):
            self.add_error("is_active", another)


class CohortForm(forms.ModelForm[Cohort]):
    """A cohort with its policy."""

    reason = reason_field()

    class Meta:
        model = Cohort
        fields = (
            *("name", "policy", "reply_hours", "may_retract", "time_zone"),
            *("keep_media_days", "keep_reports_days", "keep_uploads_days", "keep_exports_days"),
            "most_gigabytes",
            *("rubric_first", "rubric_for_trainees"),
            *("second_opinion_percent", "second_opinion_first"),
            *("late_notices", "without_cards_percent"),
        )

    def clean_name(self) -> str:
        """Return the name on one line, since it is used in emails and tables."""
        return one_line(self.cleaned_data["name"])

    def clean_without_cards_percent(self) -> int:
        """Return the percentage; an empty field means none."""
        return self.cleaned_data["without_cards_percent"] or 0

    def clean(self) -> dict[str, Any]:
        """Require a reply time for the coach-first policy, with the error at its field."""
        cleaned = super().clean() or self.cleaned_data
        waits = cleaned.get("policy") == Policy.COACH_FIRST
        if waits and cleaned.get("reply_hours") is None and "reply_hours" not in self.errors:
            self.add_error(
                "reply_hours",
                gettext(
                    "Say within how many hours a coach answers: trainees see nothing until then. "
                    "For example 48."
                ),
            )
        if "policy" in self.changed_data and self._is_held():
            self.add_error(
                "policy",
                gettext(
                    "A study that runs was promised that this stays as it is. Close the study "
                    "first."
                ),
            )
        return cleaned

    def _is_held(self) -> bool:
        return bool(self.instance.pk) and self.instance.policy_pins.exists()
