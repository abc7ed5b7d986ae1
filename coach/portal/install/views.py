"""Views of the manifest, the service worker and the offline page; all three are public."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis import __version__
from coach.accounts.models import Language

_ICONS = (("192", "any"), ("512", "any"), ("512", "maskable"))
# The tokens --paper and --accent of static/css/tokens.css.
_PAPER, _ACCENT = "#f8f6f1", "#0b5c63"


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the web app manifest.

    A browser asks for it without cookies, so the address names the language.
    """
    with override(_language(request)):
        content = {
            "id": "/",
            "name": "Rostrum",
            "short_name": "Rostrum",
            "description": _("Practise a talk on video and get a few clear suggestions."),
            "lang": get_language(),
            "start_url": reverse("portal:home"),
            "scope": "/",
            "display": "standalone",
            "background_color": _PAPER,
            "theme_color": _ACCENT,
            "icons": [_icon(size, purpose) for size, purpose in _ICONS],
            "shortcuts": [{"name": _("Record"), "url": reverse("feedback:record")}],
        }
    return JsonResponse(content, content_type="application/manifest+json")


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, from the root of the site so that its scope is the whole site."""
    context = {
        "cache": f"rostrum-offline-{__version__}-{_language(request)}",
        "page": f"{reverse('portal:offline')}?language={_language(request)}",
        "files": [static("css/offline.css"), static("img/icons/icon-192.png")],
    }
    response = render(
        request, "portal/install/service-worker.js", context, content_type="text/javascript"
    )
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that the service worker stores; it contains nothing about its reader."""
    with override(_language(request)):
        return render(request, "portal/install/offline.html", {"language": get_language()})


def _icon(size: str, purpose: str) -> dict[str, str]:
    name = f"img/icons/{'maskable' if purpose == 'maskable' else 'icon'}-{size}.png"
    kind = {"sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
    return {"src": static(name), **kind}


def _language(request: HttpRequest) -> str:
    wanted = request.GET.get("language", "")
    return wanted if wanted in Language.values else get_language() or Language.ENGLISH
