"""Views to publish, list and roll back rule sets, and to export and import rules."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from coach.accounts.access import curators_only
from coach.curation.import_export import MOST_BYTES, archive, file_name, import_rules
from coach.curation.pages.contexts import publish_context, release_context
from coach.curation.releases import publish_approved, roll_back
from coach.curation.request_values import number_in, text_in
from coach.lib.web.http import SignedInRequest, attachment
from coach.rulesets.models import RuleSetRelease, RuleVersion
from coach.rulesets.selectors import active_release, releases, versions_of


@require_http_methods(["GET", "POST"])
@curators_only
def publish(request: SignedInRequest) -> HttpResponse:
    """Show the changes that publishing would make, or publish them."""
    if request.method == "POST":
        return _publish(request)
    return render(request, "curation/publish.html", publish_context())


def _publish(request: SignedInRequest) -> HttpResponse:
    numbers = (number_in(each) for each in request.POST.getlist("seen"))
    seen = tuple(number for number in numbers if number is not None)
    note = text_in(request, "note")
    try:
        release = publish_approved(curator=request.user, seen=seen, note=note)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("curation:publish")
    messages.success(
        request,
        _("Published as rule set %(number)s. New drafts use it from now on.")
        % {"number": release.number},
    )
    return redirect("curation:releases")


@require_GET
@curators_only
def all_releases(request: SignedInRequest) -> HttpResponse:
    """Show all rule sets, newest first."""
    return render(request, "curation/releases.html", {"releases": releases()})


@require_GET
@curators_only
def release(request: SignedInRequest, number: int) -> HttpResponse:
    """Show a rule set: its changes, and those of a rollback to it."""
    found = get_object_or_404(RuleSetRelease, number=number)
    return render(request, "curation/release.html", release_context(found))


@require_POST
@curators_only
def go_back(request: SignedInRequest, number: int) -> HttpResponse:
    """Publish the documents of an earlier rule set again."""
    found = get_object_or_404(RuleSetRelease, number=number)
    try:
        made = roll_back(release=found, curator=request.user, why=text_in(request, "why"))
        messages.success(
            request,
            _("The rules of set %(old)s are in use again, as rule set %(new)s.")
            % {"old": number, "new": made.number},
        )
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("curation:releases")


@require_GET
@curators_only
def export_rule(_request: SignedInRequest, rule: str, number: int) -> HttpResponse:
    """Download one version as a YAML file."""
    found = get_object_or_404(RuleVersion, rule=rule, number=number)
    name = file_name(found).rsplit("/", 1)[-1]
    headers = attachment(name)
    return HttpResponse(found.text, content_type="application/yaml", headers=headers)


@require_GET
@curators_only
def export_release(_request: SignedInRequest, number: int) -> HttpResponse:
    """Download all rules of a rule set in a ZIP archive."""
    found = get_object_or_404(RuleSetRelease, number=number)
    headers = attachment(f"rules-{number}.zip")
    content = archive(versions_of(found).values())
    return HttpResponse(content, content_type="application/zip", headers=headers)


@require_http_methods(["GET", "POST"])
@curators_only
def import_files(request: SignedInRequest) -> HttpResponse:
    """Import rules from an uploaded file as proposals."""
    context: dict[str, object] = {"release": active_release()}
    upload = request.FILES.get("file")
    if upload is not None:
        content = upload.read(MOST_BYTES + 1)
        name = str(upload.name)[:120]
        context["imported"] = import_rules(name=name, content=content, curator=request.user)
    elif request.method == "POST":
        context["missing"] = True
    return render(request, "curation/import.html", context)
