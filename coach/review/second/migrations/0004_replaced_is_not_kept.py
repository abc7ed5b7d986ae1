"""What a first coach replaced was written down as kept: it is rejected, for the reason they gave."""

from django.db import migrations


def reject_replaced(apps, schema_editor):
    decisions = apps.get_model("second", "Decision").objects
    kept = decisions.filter(
        opinion__place="first", opinion__submitted_at__isnull=False, kind="keep"
    )
    for decision in kept.select_related("opinion", "item").iterator(chunk_size=500):
        verdict = _standing(decision.item, decision.opinion.submitted_at)
        if verdict is not None and verdict.kind == "replace":
            decisions.filter(pk=decision.pk).update(kind="reject", reason=verdict.reason, clips=[])


def _standing(item, at):
    """The last decision as it stood when the opinion was written down, also of versions before."""
    while item is not None:
        made = item.verdicts.filter(at__lte=at).exclude(undone_at__lte=at)
        last = made.order_by("at", "pk").last()
        if last is not None:
            return last
        item = item.former
    return None


class Migration(migrations.Migration):
    dependencies = [("second", "0003_moments"), ("feedback", "0019_enqueued_again")]

    operations = [migrations.RunPython(reject_replaced, migrations.RunPython.noop)]
