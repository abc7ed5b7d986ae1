"""The reports move, each as it is, whatever version wrote it; their values become rows."""

from django.db import migrations

_DOCUMENTS = """
INSERT INTO feedback_storedreport (run_id, document, schema_version, duration, language, created_at)
SELECT id, former_report, COALESCE((former_report->>'schema_version')::int, 1),
    COALESCE((former_report#>>'{media,duration}')::float, 0),
    COALESCE(former_report#>>'{language,code}', ''), COALESCE(finished_at, created_at)
FROM feedback_run
WHERE jsonb_typeof(former_report) = 'object'
"""
_EACH = """
FROM feedback_storedreport kept CROSS JOIN LATERAL jsonb_each(
    CASE jsonb_typeof(kept.document->'{part}')
        WHEN 'object' THEN kept.document->'{part}' ELSE '{{}}'::jsonb END
) AS found
"""
_VALUES = """
INSERT INTO feedback_measuredvalue
    (report_id, metric, value, unit, n, coverage, quality, low, high, reason)
SELECT kept.run_id, found.key, (found.value->>'value')::float,
    COALESCE(found.value->>'unit', ''), (found.value->>'n')::int,
    (found.value->>'coverage')::float, COALESCE(found.value->>'quality', ''),
    (found.value#>>'{interval,0}')::float, (found.value#>>'{interval,1}')::float, ''
""" + _EACH.format(part="measurements")
_REASONS = (
    """
INSERT INTO feedback_measuredvalue (report_id, metric, unit, quality, reason)
SELECT kept.run_id, found.key, '', '', found.value->>'reason'
"""
    + _EACH.format(part="skipped")
    + " ON CONFLICT DO NOTHING"
)
_BACK = """
UPDATE feedback_run SET former_report = kept.document
FROM feedback_storedreport kept WHERE kept.run_id = feedback_run.id
"""


class Migration(migrations.Migration):
    dependencies = [("feedback", "0012_reports_apart")]

    operations = [
        migrations.RunSQL(_DOCUMENTS, _BACK),
        migrations.RunSQL(_VALUES, "DELETE FROM feedback_measuredvalue"),
        migrations.RunSQL(_REASONS, migrations.RunSQL.noop),
    ]
