"""The practice app's parts of reports and of the trainee's home page."""

from __future__ import annotations

from coach.feedback.pages.extensions import extend_pages
from coach.practice.coach_tasks import page as coach_tasks
from coach.practice.exercises import parts as exercises
from coach.practice.key_messages import parts as key_messages
from coach.practice.one_thing import parts as one_thing
from coach.practice.plan import parts as plan
from coach.practice.redo import parts as redo
from coach.practice.self_assessment import parts as self_assessment
from coach.practice.today import parts as today

extend_pages(
    on_report=[
        one_thing.on_report,
        exercises.on_cards,
        redo.on_report,
        key_messages.on_report,
        self_assessment.on_report,
        plan.link_for_coach,
    ],
    at_home=[coach_tasks.at_home, today.at_home],
    before_report=[self_assessment.before_report],
    while_waiting=[self_assessment.while_waiting, key_messages.while_waiting],
    report_rows=["self_assessment"],
)
