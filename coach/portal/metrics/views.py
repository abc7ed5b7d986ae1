"""View of the metrics, for a monitor that knows the token."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from coach.portal.metrics.collector import SiteCollector


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics of the site, or 404 without the right bearer token."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not settings.METRICS_TOKEN or not constant_time_compare(given, settings.METRICS_TOKEN):
        raise Http404
    registry = CollectorRegistry()
    registry.register(SiteCollector())
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(registry), content_type=content_type)
