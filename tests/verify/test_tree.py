"""The tree and its proofs against another implementation, and against the definition (RFC 9162, L10)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymerkle import InmemoryTree, verify_consistency  # type: ignore[import-untyped]

from oz0mem import verify
from tests.rules.naive_tree import Log, leaves_of, naive_root

SIZE = 70
LEAVES = leaves_of(SIZE)
ROOTS = [naive_root(LEAVES[:size]) for size in range(SIZE + 1)]


@pytest.fixture(scope="module")
def tree() -> InmemoryTree:
    """The tree of the same entries, as pymerkle makes it."""
    made = InmemoryTree(algorithm="sha256")
    for at in range(SIZE):
        made.append_entry(b"%d" % at)
    return made


def path_without(proof: list[bytes], own: bytes) -> list[bytes]:
    """The hashes of a proof of pymerkle's, which has the proven hash itself among the first two."""
    assert own in proof[:2]
    return [each for at, each in enumerate(proof) if at != proof.index(own)]


def test_every_root_is_that_of_pymerkle(tree: InmemoryTree) -> None:
    """L10: at every size, from no leaf on."""
    assert ROOTS[0] == verify.EMPTY_ROOT
    assert [tree.get_root(size) for size in range(1, SIZE + 1)] == ROOTS[1:]
    assert [tree.get_leaf(at + 1) for at in range(SIZE)] == LEAVES
    assert tree.hash_pair(LEAVES[0], LEAVES[1]) == verify.node_hash(LEAVES[0], LEAVES[1])


def test_every_inclusion_proof_of_pymerkle_verifies(tree: InmemoryTree) -> None:
    """L10: every leaf of every size, in its own place and against its own root only."""
    for size in range(1, SIZE + 1):
        for index in range(size):
            path = path_without(tree.prove_inclusion(index + 1, size).path, LEAVES[index])
            assert verify.verify_inclusion(LEAVES[index], index, size, path, ROOTS[size])
            assert not verify.verify_inclusion(LEAVES[index], index, size, path, ROOTS[size - 1])
            assert not verify.verify_inclusion(LEAVES[index], index ^ 1, size, path, ROOTS[size]) or not path


def test_whatever_pymerkle_says_has_grown_is_proven_so_here(tree: InmemoryTree) -> None:
    """L10: every pair of sizes, with pymerkle's roots. Its proofs are of another form, so it is asked with its own."""
    log = Log()
    log.append(LEAVES)
    for new in range(1, SIZE + 1):
        for old in range(1, new):
            before, after = tree.get_root(old), tree.get_root(new)
            verify_consistency(before, after, tree.prove_consistency(old, new))
            path = log.consistency(old, new)
            assert verify.verify_consistency(old, new, before, after, path)
            assert not verify.verify_consistency(old, new, ROOTS[old - 1], after, path)
            assert not verify.verify_consistency(old, new, before, ROOTS[new - 1], path)


@given(st.integers(1, SIZE), st.integers(1, SIZE), st.lists(st.sampled_from([*LEAVES[:4], *ROOTS[:4]]), max_size=9))
def test_no_path_of_other_hashes_proves_anything(one: int, two: int, path: list[bytes]) -> None:
    """L10: found leaves and roots put together at random; an empty path proves a tree to be itself, and no more."""
    old, new = sorted((one, two))
    log = Log()
    log.append(LEAVES[:new])
    if path != log.consistency(old, new):
        assert not verify.verify_consistency(old, new, ROOTS[old], ROOTS[new], path)
    if path != log.inclusion(old - 1, new):
        assert not verify.verify_inclusion(LEAVES[old - 1], old - 1, new, path, ROOTS[new])


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_what_is_no_hash_proves_nothing(length: int) -> None:
    """L10: lengths that could shift where one hash ends and the next begins, in every place."""
    odd, left, right = bytes(length), LEAVES[0], LEAVES[1]
    assert not verify.verify_inclusion(odd, 0, 1, [], odd)
    assert not verify.verify_inclusion(left, 0, 2, [odd], verify.node_hash(left, odd))
    assert not verify.verify_consistency(1, 2, odd, verify.node_hash(odd, right), [right])
    assert not verify.verify_consistency(1, 2, left, verify.node_hash(left, odd), [odd])
    assert not verify.verify_consistency(3, 4, odd, odd, [odd, odd, odd])
