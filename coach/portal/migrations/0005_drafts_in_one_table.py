"""Delete the former tables of drafts: `drafts.0001_initial` has copied their rows."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("drafts", "0001_initial"),
        ("portal", "0004_receipts_of_interviews"),
    ]
    operations = [
        migrations.DeleteModel("BegunForm"),
        migrations.DeleteModel("KeptForm"),
        migrations.DeleteModel("PageMark"),
    ]
