"""What was asked for stands in full; one of the words had been cut to twelve letters."""

import django.contrib.postgres.fields
from django.db import migrations, models

_CUT, _WHOLE = "leave_out_pe", "leave_out_pending"


def write_in_full(apps, _schema_editor):
    exports = apps.get_model("research", "Export").objects
    for export in exports.filter(formats__contains=[_CUT]):
        formats = [_WHOLE if each == _CUT else each for each in export.formats]
        exports.filter(pk=export.pk).update(formats=formats)


class Migration(migrations.Migration):
    dependencies = [("research", "0011_interviews_are_recorded")]

    operations = [
        migrations.AlterField(
            model_name="export",
            name="formats",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("textgrid", "Praat TextGrids of the takes"),
                        ("eaf", "ELAN files of the takes"),
                        ("words", "Words of the takes, with their times"),
                        ("parquet", "Tracks of the takes, frame by frame (Parquet)"),
                        (
                            "leave_out_pending",
                            "Leave out interviews that are not ready, instead of stopping",
                        ),
                    ],
                    max_length=20,
                ),
                blank=True,
                default=list,
                size=None,
            ),
        ),
        migrations.RunPython(write_in_full, migrations.RunPython.noop),
    ]
