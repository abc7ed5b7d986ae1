"""Delete the former table of the review page's drafts: `drafts.0001_initial` has copied its rows."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("drafts", "0001_initial"),
        ("feedback", "0023_names_in_the_log"),
    ]
    operations = [migrations.DeleteModel("Unsent")]
