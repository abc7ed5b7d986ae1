"""Every table of the bundle, in reading order."""

from __future__ import annotations

from coach.research.exports.bundle.spec import Table
from coach.research.exports.bundle.tables.coded_takes import CODED_TAKE_TABLES
from coach.research.exports.bundle.tables.coding import CODING_TABLES
from coach.research.exports.bundle.tables.corrections import CORRECTION_TABLES
from coach.research.exports.bundle.tables.feedback import FEEDBACK_TABLES
from coach.research.exports.bundle.tables.interviews import INTERVIEW_TABLES
from coach.research.exports.bundle.tables.opinions import OPINION_TABLES
from coach.research.exports.bundle.tables.outcomes import OUTCOME_TABLES
from coach.research.exports.bundle.tables.people import PEOPLE_TABLES
from coach.research.exports.bundle.tables.practice import PRACTICE_TABLES
from coach.research.exports.bundle.tables.ratings import RATING_TABLES
from coach.research.exports.bundle.tables.rules import RULE_TABLES
from coach.research.exports.bundle.tables.slides import SLIDE_TABLES
from coach.research.exports.bundle.tables.takes import TAKE_TABLES
from coach.research.exports.bundle.tables.talk_answers import TALK_ANSWER_TABLES

TABLES: tuple[Table, ...] = (
    *PEOPLE_TABLES,
    *TAKE_TABLES,
    *PRACTICE_TABLES,
    *TALK_ANSWER_TABLES,
    *SLIDE_TABLES,
    *FEEDBACK_TABLES,
    *CORRECTION_TABLES,
    *RULE_TABLES,
    *OPINION_TABLES,
    *RATING_TABLES,
    *OUTCOME_TABLES,
    *INTERVIEW_TABLES,
    *CODED_TAKE_TABLES,
    *CODING_TABLES,
)
BY_NAME: dict[str, Table] = {table.name: table for table in TABLES}
