"""URLs of practising between takes."""

from __future__ import annotations

from django.urls import path

from coach.practice.coach_tasks import views as task_views
from coach.practice.coaching_sessions import views as session_views
from coach.practice.exercises import views as exercise_views
from coach.practice.exercises.listening import views as listening_views
from coach.practice.key_messages import views as message_views
from coach.practice.plan import views as plan_views
from coach.practice.progress import views as progress_views
from coach.practice.redo import views as redo_views
from coach.practice.self_assessment import views as self_views
from coach.practice.side_by_side import views as side_views
from coach.practice.today import views as today_views

app_name = "practice"

urlpatterns = [
    path("practise/plan/", plan_views.plan, name="plan"),
    path("practise/plan/change/", plan_views.change, name="change_plan"),
    path("rehearsals/<uuid:rehearsal_id>/plan/", plan_views.plan_of, name="plan_of"),
    path("rehearsals/<uuid:rehearsal_id>/agenda/", session_views.agenda, name="agenda"),
    path("rehearsals/<uuid:rehearsal_id>/tasks/", task_views.tasks_of, name="tasks_of"),
    path("practise/tasks/<int:task_id>/", task_views.tick, name="tick_task"),
    path("practise/sessions/", session_views.sessions, name="sessions"),
    path("practise/sessions/<uuid:session_id>/", session_views.session, name="session"),
    path("practise/reminder/", today_views.reminder, name="reminder"),
    path("practise/reminder/rostrum.ics", today_views.calendar, name="reminder_calendar"),
    path("practise/beside/", side_views.beside, name="beside"),
    path("progress/", progress_views.progress, name="progress"),
    path("practise/exercises/", exercise_views.index, name="exercises"),
    path("practise/exercises/<slug:exercise_id>/", exercise_views.exercise, name="exercise"),
    path("practise/exercises/<slug:exercise_id>/done/", exercise_views.done, name="exercise_done"),
    path(
        "practise/exercises/<slug:exercise_id>/record/",
        listening_views.record,
        name="record_exercise",
    ),
    path(
        "practise/exercises/<slug:exercise_id>/record/use/",
        listening_views.use,
        name="use_exercise",
    ),
    path(
        "practise/exercises/<slug:exercise_id>/record/send/",
        listening_views.send,
        name="send_exercise",
    ),
    path(
        "practise/exercises/heard/<uuid:recording_id>/",
        listening_views.heard,
        name="exercise_heard",
    ),
    path(
        "practise/exercises/heard/<uuid:recording_id>/now/",
        listening_views.now,
        name="exercise_heard_now",
    ),
    path(
        "practise/exercises/heard/<uuid:recording_id>/delete/",
        listening_views.delete,
        name="delete_exercise",
    ),
    path("practise/first/<uuid:rehearsal_id>/", self_views.self_assess, name="self_assess"),
    path("practise/first/<uuid:rehearsal_id>/share/", self_views.share_self, name="share_self"),
    path(
        "rehearsals/<uuid:rehearsal_id>/key-messages/",
        message_views.key_messages,
        name="key_messages",
    ),
    path(
        "rehearsals/<uuid:rehearsal_id>/key-messages/decide/",
        message_views.decide,
        name="decide_key_message",
    ),
    path("practise/again/<uuid:rehearsal_id>/", redo_views.choose, name="choose_span"),
    path("practise/again/span/<uuid:span_id>/", redo_views.show, name="span"),
    path("practise/again/span/<uuid:span_id>/now/", redo_views.now, name="span_now"),
    path("practise/again/span/<uuid:span_id>/hand-in/", redo_views.hand_in, name="hand_in"),
    path("practise/again/span/<uuid:span_id>/once-more/", redo_views.once_more, name="once_more"),
    path("practise/again/span/<uuid:span_id>/delete/", redo_views.delete, name="delete_span"),
]
