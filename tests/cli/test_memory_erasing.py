"""What is taken back: it asks, it can be tried, and then it is in no byte."""

from __future__ import annotations

from tests.cli.story import Story, normal


def test_what_cannot_be_taken_back_asks_first(story: Story) -> None:
    """C5: without a terminal it refuses; at one it asks, and anything but yes changes nothing."""
    note = story.keep("Receipts go to Ana")
    fact = story.learn("Dana collects kites")
    for command in (("delete", note, "--reason", "x"), ("edit", fact, "y"), ("forget",)):
        answer = story.run(*command)
        assert (answer.code, answer.out) in ((3, ""), (4, ""))
    assert "nothing was changed" in story.at_terminal("delete", note, "--reason", "x", typed="no\n")
    assert story.document("show", note)["state"] == "active"
    assert "deleted" in story.at_terminal("delete", note, "--reason", "x", typed="yes\n")
    assert story.document("show", note)["state"] == "erased"


def test_delete_needs_a_reason_for_work_and_can_be_tried(story: Story) -> None:
    """M33: a dry run changes nothing; what was deleted is listed by id alone."""
    note = story.keep("Scissors are in the third drawer")
    assert story.run("delete", note, "--yes").code == 3
    tried = story.document("delete", note, "--reason", "x", "--dry-run")
    assert (tried["erased"], tried["dry_run"]) == (1, True)
    erased = story.document("delete", note, "--reason", "x", "--yes")
    assert (erased["entries"], erased["about"], erased["open"]) == ([note], "work", False)
    (left,) = story.document("list", "--state", "erased")["items"]
    assert (left["id"], left["text"], left["about"]) == (note, None, None)
    assert story.on_disk("Scissors") == []


def test_an_edit_about_a_person_erases_what_was_said_before(story: Story) -> None:
    """M33: recalled as rewritten; the earlier text is gone from every byte."""
    fact = story.learn("Dana collects Zeppelins")
    edited = story.document("edit", fact, "Dana collects stamps", "--yes", "--reason", "she corrected it", by="dana")
    assert edited["erasure"]["entries"] == [fact]
    assert edited["erasure"]["open"] is False
    assert story.on_disk("Zeppelins") == []
    shown = story.document("show", fact, "--versions")
    assert [each["text"] for each in shown["versions"]] == [None, "Dana collects stamps"]
    said = story.succeed("edit", fact, "Dana collects coins", "--yes")
    assert normal(said) == "rewrote m-<1>; it is recalled as you wrote it, until <time> (erased then)\n"
    asked = story.at_terminal("edit", fact, "Dana collects kites", typed="no\n")
    assert f"rewrite {fact}; it is about a person, and what it said before is erased for good? [y/N]" in asked
    assert story.document("show", fact)["text"] == "Dana collects coins"


def test_an_edit_of_work_keeps_its_versions(story: Story) -> None:
    """M33, M28 and C5: nothing is lost, so nobody is asked; every version is shown and recorded as shown."""
    note = story.keep("Glue is on shelf 1")
    said = story.succeed("edit", note, "Glue is on shelf 2")
    assert normal(said) == "rewrote n-<1>; it is recalled as you wrote it, until <time> (review date)\n"
    assert story.document("edit", note, "Glue is on shelf 2", "--yes")["erasure"] is None
    shown = story.document("show", note, "--versions")
    assert [each["text"] for each in shown["versions"]] == ["Glue is on shelf 1", "Glue is on shelf 2"]
    assert "text" not in story.document("show", note)["versions"][0]


def test_forget_takes_a_person_out_of_every_byte_and_nobody_else(story: Story) -> None:
    """G41 and L22: counted first, then done; again there is nothing to do."""
    story.learn("Dana plays the Theremin")
    note = story.keep("Dana is our Theremin supplier")
    tried = story.succeed("forget", "--about", "dana", "--dry-run")
    assert normal(tried).startswith("would forget 1 entry about dana in 1 scope\n")
    assert note in tried
    done = story.document("forget", "--about", "dana", "--yes", "--reason", "she asked")
    assert (done["erased"], done["scopes"], done["open"]) == (1, ["agent:concierge"], False)
    assert story.on_disk("plays the Theremin") == []
    assert story.document("show", note)["text"] == "Dana is our Theremin supplier"
    assert story.succeed("forget", "--about", "dana", "--yes") == "nothing is remembered about dana\n"
    assert story.run("forget", "--about", "nobody", "--yes").code == 4
