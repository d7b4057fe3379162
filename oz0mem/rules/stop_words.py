"""English words that carry a sentence and not its matter (R2).

They are cut from a question and from the sets that are compared for likeness, never from the index.
``not``, ``no`` and ``never`` are left out of the list: they turn a fact round.
"""

from __future__ import annotations

_LISTED = """
a an the this that these those such
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves one ones
who whom whose which what when where why how whoever whatever whichever
am is are was were be been being do does did doing done have has had having
can could may might must shall should will would ought
and or but nor if then else than so because while until unless though although whether as
of at by for with about against between into through during before after above below to from up down
in out on off over under upon within without toward towards onto per via
again further once here there now just also too very only even still yet ever
all any both each few more most other others some own same much many
ain arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt shouldnt wasnt werent wont wouldnt
im ive youre youve theyre theyve hes shes thats whats wheres whos theres lets
s t d m ll re ve o
please tell know anything something
"""
STOP_WORDS = frozenset(_LISTED.split())
