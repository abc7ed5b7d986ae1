"""URLs of reviewing."""

from __future__ import annotations

from django.urls import path

from coach.review import views

app_name = "review"

urlpatterns = [
    path("", views.queue, name="queue"),
    path("next/", views.take_next, name="next"),
    path("team/", views.team, name="team"),
    path("released/", views.released, name="released"),
    path("<uuid:rehearsal_id>/", views.desk, name="desk"),
    path("<uuid:rehearsal_id>/claim/", views.claim, name="claim"),
    path("<uuid:rehearsal_id>/give-back/", views.put_back, name="give_back"),
    path("<uuid:rehearsal_id>/renew/", views.renew, name="renew"),
    path("<uuid:rehearsal_id>/hand-over/", views.give_to_colleague, name="hand_over"),
    path("<uuid:rehearsal_id>/items/add/", views.add_item, name="add_item"),
    path("<uuid:rehearsal_id>/items/<uuid:item_id>/verdict/", views.verdict, name="verdict"),
    path("<uuid:rehearsal_id>/release/", views.release, name="release"),
]
