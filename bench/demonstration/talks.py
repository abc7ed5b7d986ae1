"""Texts of the demonstration's talks, written for it; each has something to improve.

A line is a breath; the number after it is the silence that follows, in seconds. The last words of a
line marked "fading" are much quieter than the rest.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DemoTalk:
    """Recording to be made."""

    name: str
    voice: str
    language: str
    speed: float
    lines: str


LIBRARY = """
Good evening, and thank you for, um, for having me. 0.7
I am here to ask for, uh, four more hours. 0.9
Our library closes at six. 0.6
Um, most people in this town work until half past five. 0.8
So they, uh, they reach the door when the lights go out. 1.0
Last winter we counted who came in the last half hour. 0.6
Um, on an ordinary Tuesday it was, uh, sixty one people. 0.8
Sixty one people for thirty minutes. 1.2
We then asked them, um, what they came for. 0.6
Half of them said, uh, a warm and quiet place to work. 0.8
A third of them, um, wanted help with a form or a letter. 0.7
And the rest, uh, simply wanted a book. 1.1
Now, um, what would it cost? 0.9
Two evenings a week, until ten, with, uh, one librarian and one student. 0.7
That is, um, eleven thousand a year. 1.0
It is, uh, less than the new benches on the square. 0.8
First, um, we would try it for six months. 0.6
Second, uh, we would count again, on the same Tuesdays. 0.7
And if nobody comes, um, we stop. 1.2
Uh, I would like you to picture a girl of fifteen. 0.7
She shares a room with, um, two small brothers. 0.8
Where does she, uh, learn for her exam? 1.4
Um, I think we know the answer. 0.9
So I ask you, uh, for four more hours a week. 0.7
Thank you. 0.8
"""

LIBRARY_AGAIN = """
Good evening, and thank you for having me. 0.9
I am here to ask for four more hours. 1.0
Our library closes at six. 0.7
Most people in this town work until half past five. 0.9
So they reach the door when the lights go out. 1.0
Last winter we counted who came in the last half hour. 0.8
On an ordinary Tuesday it was sixty one people. 0.9
Sixty one people for thirty minutes. 1.2
"""
"""Beginning of the same talk, repeated."""

RIVER = """
I will report on three results from our survey of the river. 0.9
We took water at twelve places, every second week, from March to October. 0.8
The first result is about temperature. 0.8
In August the water was two degrees warmer than ten years ago. 0.8
That may sound like little. 0.5
For a trout it is the difference between breathing and leaving. 1.2
The second result is about nitrate. 0.8
Above the town we found four milligrams in a litre. 0.6
Below the town we found nine. 0.6
The difference appears within three hundred metres, next to the old pumping station. 1.0
We went there at night, and we found a pipe that stands in no plan. 1.3
The third result is about insects. 0.8
We counted the larvae under two hundred stones. 0.6
Where trees shade the bank, we found thirty on a stone. 0.6
Where there is no shade, we found seven. 1.1
So shade does more than anything else that we measured. 0.9
What follows from this? 1.0
The pipe can be closed within a month. 0.7
The trees need eight years. 0.8
That is why I would plant them this autumn. 0.9
There is one more thing that I should mention about the method. 0.6
Two of our thermometers were changed in June, and we compared the old with the new ones for a
week. 0.6
They agreed within a tenth of a degree, so I am not worried about that. 0.8
We also lost one sample when the bottle broke in the car. 0.6
And the school helped us with the counting, for which I am grateful. 0.8
Thank you. I am happy to take questions. 0.8
"""

THESIS_FIRST = """
My thesis is about how people remember directions and I started it because I always get lost. 0.2
When somebody tells you the way they usually give you six or seven steps and most of us keep
three of them. 0.2
So I asked eighty people to walk through a part of the city that they did not know and half of
them were told the way in the usual manner. 0.2
The other half heard the same way but every step began with something that one can see, like a
red door or a bakery. 0.2
And the people with the doors and bakeries made half as many mistakes, which surprised me because
the sentences were longer. 0.2
Then I looked at where they went wrong and it was nearly always the fourth step, whatever it
said. 0.2
So I tried what happens when you put a short stop after the third step, when you let people repeat
it, and that helped as much as the doors did. 0.2
I also asked them two days later to walk the way again without any help. 0.2
The group that had repeated the steps still knew five of seven and the others knew two. 0.2
"""

THESIS_FIRST_END = """
So what I would like to tell you in the end is that we can build machines that speak in this
manner and that it costs nothing because only the order of the words changes and the number of
words between two stops. 0.1
And if you design a sign or a map or a voice in a car you can try it tomorrow with three steps and
a red door and then a stop and that is really all there is to it. 0.1
"""

THESIS_SECOND = """
My thesis is about how people remember directions. 0.9
I began it because I always get lost. 1.1
When somebody tells you the way, they give you six or seven steps. 0.8
Most of us keep three. 1.3
First, I asked eighty people to walk through a part of the city that they did not know. 0.8
Half of them were told the way in the usual manner. 0.7
The other half heard the same way, but each step began with something that one can see. 0.8
A red door. 0.6
A bakery. 0.9
These people made half as many mistakes. 1.2
Second, I looked at where they went wrong. 0.9
It was nearly always the fourth step, whatever it said. 1.0
So I put a short stop after the third one, and let people repeat it. 0.8
That helped as much as the doors did. 1.2
Finally, I asked them to walk the way again, two days later, without help. 0.8
Those who had repeated the steps still knew five of seven. 0.7
The others knew two. 1.4
So if you design a sign, or a map, or a voice in a car, you can try this tomorrow. 0.9
Three steps. 0.6
Something to see. 0.6
And then a stop. 1.2
Thank you for listening. 0.8
"""

READING = """
Bonjour à toutes et à tous. 0.8
Je voudrais vous parler de la lecture à voix haute. 0.7
{euh} 0.3
Dans ma classe, nous lisons dix minutes chaque matin. 0.8
Au début, personne ne voulait commencer. 0.7
{euh} 0.3
Les élèves avaient peur de se tromper devant les autres. 0.9
Alors j'ai changé une seule chose. 0.8
{euh} 0.3
Chacun choisit sa page la veille et la prépare à la maison. 0.8
Le lendemain, il la lit debout, près de la fenêtre. 0.9
{euh} 0.3
Après trois semaines, tout le monde levait la main. 1.0
J'ai compté les erreurs, sans le dire à personne. 0.7
{euh} 0.3
En octobre, il y en avait douze par page. 0.7
En janvier, il en restait quatre. 1.1
{euh} 0.3
Mais ce n'est pas le plus important. 0.8
Un garçon qui ne parlait jamais m'a demandé de lire deux pages. 1.0
{euh} 0.3
Sa mère m'a écrit qu'il lisait maintenant à sa petite sœur. 1.2
Je n'ai pas de méthode à vous vendre. 0.8
{euh} 0.3
Je vous propose seulement d'essayer pendant un mois. 0.8
Dix minutes le matin, une page choisie, une place près de la fenêtre. 1.0
{euh} 0.3
Et puis vous me direz ce que vous avez entendu. 0.9
Merci de votre attention. 0.8
"""

TOAST = """
Dear Martha, dear friends. 1.0
Twenty two years ago you opened the small workshop behind the station. 0.8
There was one bench, one lamp, and a dog. 0.9
Today there are nine benches. 0.7
The dog has a successor. 1.2
You taught each of us to measure twice. 0.8
And you taught us that a thing which is repaired is worth more than a new one. 1.2
So let us raise a glass. 0.7
To Martha, and to everything that she has mended. 0.8
"""

SAMPLE_EN = """
Good evening, and thank you for having me. 0.8
I am here to ask for four more hours a week. 0.9 fading
Um, our library closes at six. 0.7 fading
Most people in this town work until half past five. 0.8 fading
So they reach the door, um, when the lights go out. 1.0 fading
Last winter, uh, we counted the visitors of the last half hour. 0.7
On an ordinary Tuesday there were, um, sixty one people. 0.8 fading
Sixty one people in thirty minutes. 1.1
Then we asked them, uh, why they came. 0.8
Half of them, um, wanted a warm and quiet place to work. 0.8
Um, a third of them wanted help with a form or a letter. 0.7 fading
And the others simply wanted a book. 1.0 fading
Now, um, what would it cost? 0.7
Two evenings a week need one librarian and one student. 0.7 fading
That makes, um, eleven thousand pounds a year. 0.9
It is less than the new benches in front of the town hall. 0.9 fading
Um, first, we would try it for six months. 0.7
Then we would count again, uh, on the same Tuesdays. 0.8 fading
And if nobody comes, we stop. 1.1
Um, please picture a girl of fifteen. 0.8 fading
She shares a room with, um, two small brothers. 0.9 fading
Where does she, uh, learn for her exam? 0.7
I think, um, we know the answer. 0.9 fading
So I ask you for four more hours a week. 0.8
Thank you. 0.8
"""

SAMPLE_FR = """
Bonsoir, et merci de me recevoir. 0.8
Je viens vous demander quatre heures de plus par semaine. 0.9 fading
En fait, notre bibliothèque ferme à dix-huit heures. 0.8 fading
Du coup, les habitants arrivent après la fermeture. 0.9 fading
L'hiver dernier, du coup, nous avons compté les visiteurs. 0.8
Mardi, en fait, soixante personnes étaient encore là. 0.9 fading
Nous avons demandé, du coup, ce que chacun cherchait. 0.8 fading
La moitié, en fait, voulait travailler au calme. 0.8 fading
Un tiers voulait de l'aide, en fait, pour écrire une lettre. 0.9 fading
Le reste voulait simplement un livre. 0.8 fading
En fait, il faut une bibliothécaire et un étudiant. 0.8 fading
Du coup, il faut compter onze mille euros. 0.9
C'est moins cher, en fait, que la fontaine du village. 0.9 fading
Du coup, je vous propose un essai de six mois. 0.8
Ensuite, en fait, nous ferons un bilan. 0.9 fading
Imaginez maintenant une jeune fille de quinze ans. 0.8
Elle partage sa chambre, du coup, avec ses deux petits frères. 0.9 fading
Comment peut-elle travailler ? 0.7
En fait, vous connaissez la réponse. 0.9 fading
Du coup, je vous demande votre accord. 0.8
Merci de votre attention. 0.8
"""

REPLY = """
This place is where you ran out of breath. 0.6
You had said three things in one sentence. 0.7
Say the door. 0.9
Then breathe, and only then the bakery. 0.9
Try just these ten seconds again. 0.6
"""
"""Spoken reply of the coach to the first talk on the thesis."""

TALKS: tuple[tuple[DemoTalk, ...], ...] = (
    (DemoTalk("library", "bf_emma", "en", 1.0, LIBRARY),),
    (DemoTalk("library-again", "bf_emma", "en", 1.0, LIBRARY_AGAIN),),
    (DemoTalk("river", "am_michael", "en", 1.0, RIVER),),
    (
        DemoTalk("thesis-first", "af_heart", "en", 1.15, THESIS_FIRST),
        DemoTalk("thesis-first", "af_heart", "en", 1.4, THESIS_FIRST_END),
    ),
    (DemoTalk("thesis-second", "af_heart", "en", 1.0, THESIS_SECOND),),
    (DemoTalk("reading-aloud", "ff_siwis", "fr", 1.0, READING),),
    (DemoTalk("toast", "bm_george", "en", 0.95, TOAST),),
    (DemoTalk("coach-reply", "bm_lewis", "en", 1.0, REPLY),),
)
"""Parts of each recording; a part has its own speed."""
