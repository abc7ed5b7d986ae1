"""Views of the home page, the privacy centre and the page about measuring."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from coach.accounts.access import administrators_only
from coach.accounts.freshness import password_again
from coach.accounts.languages import remember_language
from coach.accounts.models import Language, Purpose, User
from coach.accounts.navigation import parts_for
from coach.accounts.selectors import hold_words, is_last_administrator
from coach.accounts.services import (
    end_other_sign_ins,
    give_consent,
    set_language,
)
from coach.lib.web.http import SignedInRequest, attachment, do_not_replay
from coach.lib.web.large_bodies import held_slot, slots
from coach.lib.words.measure_words import definition_rows
from coach.portal.home.accuracy import figures, fillers_note
from coach.portal.home.first_steps import STEPS, hide_steps
from coach.portal.home.operation import health_rows, site_counts
from coach.portal.home.sample import sample_page
from coach.portal.personal.archive import archive_of
from coach.portal.personal.consents import take_back_consent
from coach.portal.personal.erasure import erase_person
from coach.portal.personal.own_data import own_data_pieces
from coach.portal.personal.privacy import (
    MOST_VIEWINGS,
    account_rows,
    agreed_rows,
    consent_groups,
    kept_rows,
    study_rows,
    viewing_rows,
)
from coach.portal.receipts.services import receipts_of
from coach.portal.welcome.services import is_welcome_due
from coach.rehearsals.selectors import gaze_calibrations_for, own_rehearsals_for


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Show the landing page to visitors; redirect users to their first page, by role."""
    user = request.user
    if not isinstance(user, User):
        return _landing(request)
    if user.is_trial:
        return redirect("portal:trial")
    if is_welcome_due(user):
        return redirect("portal:welcome")
    if parts := parts_for(user):
        return redirect(parts[0].url)
    return render(request, "portal/home.html")


def _landing(request: HttpRequest) -> HttpResponse:
    page = sample_page()
    taste = next((card for card in page.cards if card.clips), None)
    context = {
        "sample": page,
        "taste": taste,
        "figures": figures(page.language),
        "fillers_note": fillers_note(page.language),
        "is_empty": not User.objects.exists(),
    }
    return render(request, "portal/landing.html", context)


@require_GET
def sample(request: HttpRequest) -> HttpResponse:
    """Show the sample report, which needs no account."""
    return render(request, "portal/sample.html", {"page": sample_page()})


@require_GET
def about(request: HttpRequest) -> HttpResponse:
    """Show how Rostrum measures, and its limits."""
    return render(request, "portal/about.html", {"metrics": definition_rows()})


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Set the chosen language for this person, or for this browser."""
    response = redirect(_back_to(request))
    chosen = request.POST.get("language")
    if chosen in Language.values:
        if isinstance(request.user, User):
            set_language(user=request.user, language=Language(chosen))
        remember_language(request, response, chosen)
    return response


def _back_to(request: HttpRequest) -> str:
    """Return the page of the button, or the home page if it is on another site."""
    page = request.POST.get("next", "")
    here = {request.get_host()}
    is_ours = url_has_allowed_host_and_scheme(page, here, require_https=request.is_secure())
    # Django would take anything else for the name of a page.
    is_address = page.startswith(("/", "http://", "https://"))
    return page if is_ours and is_address else reverse("portal:home")


@require_GET
@administrators_only
def administration(request: SignedInRequest) -> HttpResponse:
    """Show the administrator's page with counts and health."""
    context = {
        "counts": site_counts(),
        "health": health_rows(),
        "takes_requests": "request" in settings.ACCESS,
    }
    return render(request, "portal/administration.html", context)


@require_GET
@login_required
def privacy(request: SignedInRequest) -> HttpResponse:
    """Show consents, analysis choices, viewings, own data and erasure."""
    viewings = viewing_rows(request.user)
    context = {
        "consents": consent_groups(request.user),
        "agreed": agreed_rows(request.user),
        "in_studies": study_rows(request.user),
        "receipts": receipts_of(request.user),
        "viewings": viewings[:MOST_VIEWINGS],
        "viewings_are_cut": len(viewings) > MOST_VIEWINGS,
        "kept": kept_rows(request.user),
        "hold": hold_words(request.user),
        "account_acts": account_rows(request.user),
        "security_days": settings.KEEP_SECURITY_LOG_DAYS,
        "originals_days": settings.KEEP_ORIGINALS_DAYS,
        "exercises_days": settings.KEEP_EXERCISES_DAYS,
        "has_gaze_calibration": gaze_calibrations_for(request.user).exists(),
        "export_url": reverse("portal:own_data"),
        "archive_url": reverse("portal:own_archive"),
        "erase_url": reverse("portal:erase"),
    }
    return render(request, "portal/privacy.html", context)


@require_POST
@login_required
def consent(request: SignedInRequest, purpose: str) -> HttpResponse:
    """Give or withdraw one consent; repeating it changes nothing."""
    wish = request.POST.get("wish")
    if purpose not in Purpose.values or wish not in {"give", "withdraw"}:
        return redirect("portal:privacy")
    if wish == "withdraw":
        take_back_consent(user=request.user, purpose=Purpose(purpose))
        messages.success(
            request, _("Withdrawn. From now on, your data is no longer used for this.")
        )
    else:
        give_consent(user=request.user, purpose=Purpose(purpose), is_answer=True)
        messages.success(request, _("Saved. You can withdraw this consent at any time."))
    return redirect(_back_to(request) if "next" in request.POST else "portal:privacy")


@require_POST
@login_required
def hide_first_steps(request: SignedInRequest, part: str) -> HttpResponse:
    """Hide the list of first steps for good."""
    if part not in STEPS:
        raise Http404
    hide_steps(user=request.user, part=part)
    return redirect(_back_to(request))


@require_GET
@login_required
def download_own_data(request: SignedInRequest) -> HttpResponseBase:
    """Download everything stored about the person as one JSON document, without recordings."""
    return _own_file(request, own_data_pieces(request.user), kind="json")


@require_GET
@login_required
def download_own_archive(request: SignedInRequest) -> HttpResponseBase:
    """Download everything with every recording, as a ZIP archive built while it is sent."""
    return _own_file(request, archive_of(request.user), kind="zip")


def _own_file(request: SignedInRequest, pieces: Iterator[bytes], *, kind: str) -> HttpResponseBase:
    """Return a streamed download; each holds a thread, so one person may run only a few."""
    user = request.user
    if slots.obstacle(user.pk):
        messages.error(
            request, _("Many downloads are running at the moment. Try again in a minute.")
        )
        return redirect("portal:privacy")
    headers = attachment(f"my-rostrum-data.{kind}")
    return StreamingHttpResponse(
        held_slot(user.pk, pieces), content_type=f"application/{kind}", headers=headers
    )


@require_POST
@login_required
def end_sign_ins(request: SignedInRequest) -> HttpResponse:
    """End this person's sessions everywhere but here."""
    end_other_sign_ins(user=request.user)
    update_session_auth_hash(request, request.user)
    messages.success(request, _("All your other sessions are signed out."))
    return redirect("portal:privacy")


@require_http_methods(["GET", "POST"])
@login_required
@password_again
@do_not_replay
def erase(request: SignedInRequest) -> HttpResponse:
    """Delete the account with all its data, after confirmation."""
    if request.method == "POST" and request.POST.get("confirm") == "erase":
        obstacle = hold_words(request.user)
        if obstacle:
            messages.error(request, obstacle)
            return redirect("portal:privacy")
        user = request.user
        logout(request)
        receipt = erase_person(user=user)
        return render(request, "portal/erased.html", {"receipt": receipt})
    takes = own_rehearsals_for(request.user).count()
    context = {"counts": {"rehearsals": takes}, "is_last": is_last_administrator(request.user)}
    return render(request, "portal/erase.html", context)
