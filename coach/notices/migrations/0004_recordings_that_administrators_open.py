from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('notices', '0003_time_to_practise'),
    ]

    operations = [
        migrations.AlterField(
            model_name='mute',
            name='kind',
            field=models.CharField(choices=[('waiting', 'A take waits for your answer'), ('second', 'A take waits for your second opinion'), ('released', 'Your coach has released feedback'), ('corrected', 'Your coach has corrected released feedback'), ('question', 'Somebody asks you something'), ('answer', 'Somebody has answered you'), ('guest', 'A guest has left you a comment'), ('practice', 'It is time to practise'), ('access', 'An administrator can open your recordings')], max_length=12),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('waiting', 'A take waits for your answer'), ('second', 'A take waits for your second opinion'), ('released', 'Your coach has released feedback'), ('corrected', 'Your coach has corrected released feedback'), ('question', 'Somebody asks you something'), ('answer', 'Somebody has answered you'), ('guest', 'A guest has left you a comment'), ('practice', 'It is time to practise'), ('access', 'An administrator can open your recordings')], max_length=12),
        ),
    ]
