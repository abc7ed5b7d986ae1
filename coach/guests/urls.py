"""URLs of guests, and of people who invite them."""

from __future__ import annotations

from django.urls import path

from coach.guests import views, visiting

app_name = "guests"

_OWN = "rehearsals/<uuid:rehearsal_id>/guests/"
_IN = "guest/in/<uuid:link_id>/"

urlpatterns = [
    path(_OWN, views.invite, name="invite"),
    path(f"{_OWN}make/", views.make, name="make"),
    path(f"{_OWN}share/", views.share, name="share"),
    path(f"{_OWN}moments/<uuid:item_id>/", views.share_moment, name="share_moment"),
    path(f"{_OWN}coach/", views.let_coach, name="let_coach"),
    path(f"{_OWN}<uuid:link_id>/end/", views.end, name="end"),
    path(f"{_OWN}comments/<uuid:comment_id>/remove/", views.remove, name="remove"),
    path(_IN, visiting.visit, name="visit"),
    path(f"{_IN}media/", visiting.media, name="media"),
    path(f"{_IN}poster.jpg", visiting.poster, name="poster"),
    path(f"{_IN}captions.vtt", visiting.captions, name="captions"),
    path(f"{_IN}comments/", visiting.write, name="write"),
    path(f"{_IN}comments/<uuid:comment_id>/remove/", visiting.take_back, name="take_back"),
    path("guest/<str:token>/", visiting.door, name="door"),
]
