"""What went wrong is kept as a code with values; what stood there in words stays in words."""

from django.db import migrations, models


def _note(*words):
    said = " ".join(part for part in words if part)
    return {"code": "in_words", "values": {"words": said}} if said else {}


def into_notes(apps, schema_editor):
    runs = apps.get_model("feedback", "Run").objects
    for run in runs.exclude(error_sentence="").iterator(chunk_size=500):
        runs.filter(pk=run.pk).update(problem=_note(run.error_sentence, run.error_hint))
    stages = apps.get_model("feedback", "Stage").objects
    for stage in stages.exclude(former_problem="").iterator(chunk_size=500):
        stages.filter(pk=stage.pk).update(problem=_note(stage.former_problem))


def into_words(apps, schema_editor):
    """The way back knows no sentences: the code has to do where there are no words."""
    runs = apps.get_model("feedback", "Run").objects
    for run in runs.exclude(problem={}).iterator(chunk_size=500):
        runs.filter(pk=run.pk).update(error_sentence=_words(run.problem))
    stages = apps.get_model("feedback", "Stage").objects
    for stage in stages.exclude(problem={}).iterator(chunk_size=500):
        stages.filter(pk=stage.pk).update(former_problem=_words(stage.problem))


def _words(note):
    return str(note["values"].get("words", note["code"]))


class Migration(migrations.Migration):
    dependencies = [("feedback", "0007_forget_what_deleted_takes_lent")]

    operations = [
        migrations.AddField(
            model_name="run", name="problem", field=models.JSONField(blank=True, default=dict)
        ),
        migrations.RenameField(
            model_name="stage", old_name="problem", new_name="former_problem"
        ),
        migrations.AddField(
            model_name="stage", name="problem", field=models.JSONField(blank=True, default=dict)
        ),
        migrations.RunPython(into_notes, into_words),
    ]
