"""English stems: irregular forms by a table, the rest by the Snowball English stemmer (R1).

Promises the same stem on every machine: always Snowball's pure Python stemmer, never a compiled one that
happens to be installed, as its version could cut words otherwise. Leaves what a word is to ``words``.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder

TYPE_CHECKING = False  # not from typing, which takes longer to import than all of this
if TYPE_CHECKING:
    from typing import Protocol

    class Stemmer(Protocol):
        """What is used of a Snowball stemmer."""

        def stemWord(self, word: str) -> str:
            """Answer the stem of a word in lower case."""


# A family a line: the base form, then the forms that no suffix rule leads back to it. Left out are forms
# that are more often another word (rose, ground, wound, bore, lay) and those that Snowball gets right.
IRREGULAR = """
be am is are was were been
begin began begun
bite bit bitten
blow blew blown
break broke broken
bring brought
build built
buy bought
catch caught
child children
choose chose chosen
come came
deal dealt
dig dug
do did done does
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
fly flew flown flies
foot feet
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone goes
goose geese
grow grew grown
half halves
hang hung
have has had
hear heard
hide hid hidden
hold held
keep kept
knife knives
know knew known
learn learnt
leave left
lend lent
lose lost
make made
man men
mean meant
meet met
mouse mice
pay paid
ride rode ridden
ring rang rung
rise risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
shake shook shaken
shelf shelves
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
speak spoke spoken
spend spent
stand stood
steal stole stolen
stick stuck
strike struck
swear swore sworn
sweep swept
swim swam swum
take took taken
teach taught
tear tore torn
tell told
thief thieves
think thought
throw threw thrown
tooth teeth
understand understood
wake woke woken
wear wore worn
wife wives
win won
wolf wolves
woman women
write wrote written
"""
LONGEST = 32
"""Letters of the longest word that is stemmed; what is longer is no word of a language."""
KEPT = 20_000
"""Stems that a process keeps before it begins anew."""

_PRIVATE_PACKAGE = "_oz0mem_snowball"


def _stemmer_class() -> type[Stemmer]:
    # Snowball's package imports every language (12 ms), so its folder is opened under a name of our own.
    spec = PathFinder.find_spec("snowballstemmer")
    name = "snowballstemmer"
    if spec is not None and spec.submodule_search_locations is not None:
        name = _PRIVATE_PACKAGE
        package = type(sys)(name)
        package.__path__ = list(spec.submodule_search_locations)
        sys.modules[name] = package
    found: type[Stemmer] = import_module(f"{name}.english_stemmer").EnglishStemmer
    return found


class _Stems(dict[str, str]):
    """Stems already worked out, filled by asking."""

    def __init__(self) -> None:
        super().__init__()
        self.stemmer: type[Stemmer] | None = None
        self.bases: dict[str, str] = {}

    def __missing__(self, word: str) -> str:
        if self.stemmer is None:
            families = [line.split() for line in IRREGULAR.strip().splitlines()]
            self.bases = {form: family[0] for family in families for form in family[1:]}
            self.stemmer = _stemmer_class()
        if len(self) >= KEPT:
            self.clear()
        # A stemmer of its own for each word, as one keeps its place while it works and threads share us.
        found = self.stemmer().stemWord(self.bases.get(word, word))
        self[word] = found
        return found


_stems = _Stems()


def stem(word: str) -> str:
    """Answer the stem of a folded word of the letters a to z; every other word answers itself."""
    if len(word) > LONGEST or not (word.isascii() and word.isalpha()):
        return word
    return _stems[word]
