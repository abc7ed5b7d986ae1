"""Texts of two talks in each language, with sentences of natural length and signposts.

A line is a sentence. A bar marks a position inside a clause, between its parts, where nobody would
stop. The text after a slash is the same sentence without its signpost. The text after the dashes is
used only if a talk without signposts has to be longer, at the position of the star.
"""

from __future__ import annotations

from dataclasses import dataclass

GARDEN = """
Good morning, and welcome to our meeting.
I would like to tell you | about the garden behind the school. /
There is a garden | behind the school.
Two years ago it was a car park | with eleven spaces.
Nobody was fond of it, not even the drivers.
Today forty families grow their vegetables | on the same ground.
I will show you | how we began, what went wrong, and what it costs. /
We owe all of that | to a handful of patient people.
First, let me tell you | how we began. / In the spring we called | on the neighbours.
We knocked on every door | in the three streets around the school.
Most people said that they had | no time for a garden.
Then a retired baker offered us | her tools and her Saturdays.
After that, we had | a list of thirty names within a week. /
By May there were | thirty names on the list.
*
Second, I want to be honest | about what went wrong. / The summer brought | a great deal of trouble.
We planted everything | in the first warm week of April.
A night of frost took | two thirds of the young plants.
The children were sad, and some of the parents | were angry with us.
So we asked an old farmer | from the next village for advice.
He laughed, and he gave us | a calendar from his kitchen.
For example, he told us to wait | until the lilac is in flower. /
He told us to wait | until the lilac is in flower.
Third, there is the question | of money. / The money was | a worry for everybody.
The soil and the fences came to | four thousand in the first year.
A bank in the town | paid for half of that.
The other half came from | a market that the children held in June.
Since then the garden has paid | for its own seeds.
In short, it takes a little money | and a lot of patience. /
It takes a little money | and a lot of patience.
There is one more street | without any green at all.
I hope that you will walk there | with me on Saturday.
Bring a friend, and a pair of gloves.
Thank you very much for listening.
---
The baker brought her sister | and both of her grandsons.
They carried the old stones | to the wall behind the gym.
A carpenter on our street built | nine wooden boxes for us.
Each box is as long as a bed | and about half as wide.
The little ones can reach | the middle of it without a stool.
My own children chose | the box beside the gate.
They wanted strawberries, and nothing | but strawberries.
My neighbour wanted | potatoes like those of her grandmother.
"""

NIGHT_BUS = """
Good afternoon, everybody, and thank you for coming.
I work for the bus company | of a town with sixty thousand people.
I am here to report | on our new bus that runs at night. /
We have a new bus | that runs at night.
It has been on the road | since the first week of March.
I have three points | for you today. / There is a good deal | to report today.
First, I will describe | who is riding with us. / We counted the people | on every single trip.
On an ordinary night there are | about ninety of them.
Half of them work | at the hospital or at the bakery.
The others are mostly students | on their way home.
A nurse told me that she sleeps | an hour longer than before.
She used to wait for her brother | and his old car.
*
Second, let us look | at what did not work. / The timetable gave us | a hard month.
We had promised a bus | every twenty minutes until two.
The drivers could not keep | to that on the hill.
People stood in the rain | and looked at an empty road.
So we moved two of the stops | and left one of them out.
For example, the bus no longer turns | at the old brewery. /
The bus no longer turns | at the old brewery.
Now it is on time | on nine nights out of ten.
Third, I come to the question | of noise. / Noise was | on the minds of many people.
Eleven families wrote to us | about the engines in May.
We invited them | to ride with us for one evening.
Seven of them came, and they helped us | to choose a quieter street.
Since then we have had | only one letter about it.
In short, people ride with us, and the town | sleeps well. /
People ride with us, and the town | sleeps well.
My wish is that we keep this bus | for another year.
The council will decide | in the second week of November.
If you have ever walked home in the rain, write to them.
Thank you for your attention.
---
The students have their own reasons | for liking it.
One of them plays the cello | in a band on Fridays.
He could never carry | that case across the bridge.
Another one washes dishes | until the kitchen closes.
She reads her lectures | under the lamp in the last row.
Our drivers know her name | and keep that seat for her.
The bakery sends us | a bag of warm rolls at midnight.
That was not part | of any contract, I can assure you.
"""

LIBRARY = """
Bonjour à toutes et à tous.
Je voudrais vous parler | de la bibliothèque de notre quartier. /
Il y a une bibliothèque | dans notre quartier.
Il y a deux ans, elle allait fermer | faute de lecteurs.
Aujourd'hui, elle accueille trois cents personnes | chaque semaine.
Je vais vous présenter | trois choses que nous avons changées. /
Nous avons changé | beaucoup de choses là-bas.
D'abord, nous avons revu | les horaires. / Les horaires étaient | un vrai problème.
La porte se fermait | à cinq heures de l'après-midi.
À cette heure-là, les parents sont encore | au travail.
Nous avons donc ouvert | deux soirées par semaine.
Dès le premier mois, le nombre de visiteurs | a doublé.
Une infirmière vient maintenant | après son service.
Elle lit dans le grand fauteuil | près de la fenêtre.
*
Ensuite, nous avons changé | la place des livres. / Les livres étaient | mal rangés.
Les romans se trouvaient | tout en haut de l'escalier.
Une dame de quatre-vingts ans m'a dit | qu'elle n'y montait plus.
Nous avons tout descendu | en une seule journée.
Les enfants de l'école voisine ont porté | les cartons.
Par exemple, ils ont choisi eux-mêmes | la couleur des étagères. /
Ils ont choisi eux-mêmes | la couleur des étagères.
Troisièmement, nous avons créé | un atelier de lecture. / Un atelier de lecture est né | en mars.
Le samedi matin, dix adolescents lisent | des histoires aux petits.
Au début, ils étaient | un peu gênés.
Puis un garçon très timide a lu | un conte de son pays.
Toute la salle l'a écouté | sans un bruit.
Depuis ce jour, il revient | chaque samedi avec sa sœur.
En résumé, il a fallu peu d'argent | et beaucoup de patience. /
Il a fallu peu d'argent | et beaucoup de patience.
Je vous invite à passer nous voir | samedi prochain.
Apportez un livre que vous aimez, et quelqu'un | à qui le lire.
Merci de votre attention.
---
Le facteur du quartier passe aussi | vers six heures.
Il emprunte des récits de voyage | et des cartes anciennes.
Un soir, il nous a montré | les photos de son père.
Son père avait traversé | toute l'Afrique à vélo.
Les étudiants préfèrent | la petite salle du fond.
Il y fait chaud, et la lumière | est très douce.
Une jeune femme y prépare | le concours de la police.
Elle apporte toujours un gâteau | pour les autres.
"""

ORCHARD = """
Bonsoir, et bienvenue dans notre verger.
Je m'occupe de ces arbres | depuis une dizaine d'années.
Ce soir, je voudrais vous raconter | une saison entière. /
La saison dernière a été | très longue.
Elle a commencé sous la neige | et fini au soleil.
Je parlerai d'abord du gel, puis de l'eau, | et enfin de la récolte. /
Ce fut une saison | que personne n'oubliera ici.
Premièrement, il y a eu | le gel du mois d'avril. / Le gel est venu | au mois d'avril.
Les fleurs étaient ouvertes | depuis trois jours.
À minuit, le thermomètre est descendu | à moins quatre.
Nous avons allumé des bougies | entre les rangs.
Les voisins sont venus nous aider | jusqu'au matin.
Nous avons sauvé | la moitié des fleurs.
*
Deuxièmement, il a fallu trouver | de l'eau. / L'eau est devenue rare | en juillet.
La rivière était presque | à sec en juillet.
Nous avons creusé un bassin | derrière la vieille grange.
Il garde la pluie de l'hiver | pour les mois les plus chauds.
Par exemple, les jeunes arbres boivent | deux fois par semaine. /
Les jeunes arbres boivent | deux fois par semaine.
Les plus vieux n'ont besoin | de presque rien.
Leurs racines vont chercher | l'eau très loin.
Enfin, je voudrais vous parler | de la récolte. / La récolte a eu lieu | à la fin de septembre.
Nous attendions huit tonnes | de pommes cette année.
Il y en a eu cinq, et elles étaient | très sucrées.
Les élèves du village en ont ramassé | une bonne partie.
Chacun est rentré | avec un panier pour sa famille.
En conclusion, une année difficile nous a appris | à prévoir. /
Une année difficile nous a appris | à prévoir.
L'hiver prochain, nous planterons | une haie contre le vent.
Venez nous aider, un samedi | ou un dimanche matin.
Merci beaucoup de m'avoir écouté.
---
Mon oncle avait apporté | sa vieille lampe de mineur.
Il marchait devant nous | dans la nuit très claire.
Ma fille tenait le seau | avec les deux mains.
Elle avait onze ans, et c'était | son premier gel.
Vers trois heures, un voisin a préparé | une soupe à l'oignon.
Nous l'avons mangée debout | sous le grand poirier.
Personne ne parlait, car tout le monde | écoutait le vent.
Puis le ciel est devenu rose | au-dessus de la colline.
"""


@dataclass(frozen=True, slots=True)
class ScriptSentence:
    """Sentence with its parts, with and without its signpost."""

    parts: tuple[str, ...]
    unmarked: tuple[str, ...]
    is_extra: bool = False
    """Whether it is used only in a talk that has to be longer."""

    @property
    def text(self) -> str:
        return " ".join(self.parts)


def sentences_of(text: str) -> tuple[ScriptSentence, ...]:
    """Return the sentences in speaking order, the extra ones at the position of the star."""
    main, _, more = text.partition("\n---\n")
    extra = tuple(_sentence(line, is_extra=True) for line in _lines(more))
    found: list[ScriptSentence] = []
    for line in _lines(main):
        found.extend(extra if line == "*" else (_sentence(line),))
    return tuple(found)


def _lines(text: str) -> list[str]:
    """Return whole lines; one that ends in a slash is continued in the next."""
    return [line for line in text.replace("/\n", "/ ").splitlines() if line.strip()]


def _sentence(line: str, *, is_extra: bool = False) -> ScriptSentence:
    marked, _, plain = line.partition(" / ")
    parts = _parts(marked)
    return ScriptSentence(
        parts=parts, unmarked=_parts(plain) if plain else parts, is_extra=is_extra
    )


def _parts(line: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in line.split("|"))


TALKS: dict[str, tuple[str, str]] = {"en": (GARDEN, NIGHT_BUS), "fr": (LIBRARY, ORCHARD)}
