from django.db import migrations


class Migration(migrations.Migration):
    """The table of the cache that all processes share (what createcachetable would make)."""

    dependencies = [
        ('accounts', '0002_rule_preview_consent'),
    ]

    operations = [
        migrations.RunSQL(
            sql='''
            CREATE TABLE IF NOT EXISTS django_cache (
                cache_key varchar(255) PRIMARY KEY,
                value text NOT NULL,
                expires timestamp with time zone NOT NULL
            );
            CREATE INDEX IF NOT EXISTS django_cache_expires ON django_cache (expires);
            ''',
            reverse_sql='DROP TABLE django_cache;',
        ),
    ]
