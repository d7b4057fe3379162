"""The tree against the public vectors of RFC 6962, a public tile log, and the definition written out."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oz0mem.rules import merkle
from tests.rules.naive_tree import Log, leaves_of, naive_path, naive_root, naive_subproof

VECTORS = Path(__file__).resolve().parents[2].parent / "shared/cases/vectors"


def vectors(name: str) -> Any:
    """Read a file of public vectors, or skip and say which is missing."""
    path = VECTORS / name
    if not path.exists():
        pytest.skip(f"shared/cases/vectors/{name} is not here")
    return json.loads(path.read_text())


def hashes(texts: Sequence[str] | None) -> list[bytes]:
    """Decode a list of base64, null counting as none."""
    return [base64.b64decode(each) for each in texts or []]


@pytest.fixture(scope="module")
def large() -> Log:
    """70,000 leaves in batches of many sizes: three levels of tiles."""
    log = Log()
    for size in (1, 254, 1, 1, 255, 256, 257, 511, 3000, 60_000, 1_264, 4_200):
        log.append(leaves_of(size, len(log.leaves)))
    return log


@pytest.fixture(scope="module")
def large_root(large: Log) -> bytes:
    """Its root by the definition."""
    return naive_root(large.leaves)


def test_every_public_inclusion_proof_is_judged_as_its_vector_wants() -> None:
    """L10: 98 proofs, good and damaged."""
    cases = vectors("rfc6962_inclusion.json")["vectors"]
    for case in cases:
        leaf, root = base64.b64decode(case["leafHash"] or ""), base64.b64decode(case["root"] or "")
        proof = hashes(case["proof"])
        good = merkle.verify_inclusion(leaf, case["leafIdx"], case["treeSize"], proof, root)
        assert good is not case["wantErr"], case["desc"]
    assert len(cases) == 98


def test_every_public_consistency_proof_is_judged_as_its_vector_wants() -> None:
    """L10: 98 proofs, good and damaged."""
    cases = vectors("rfc6962_consistency.json")["vectors"]
    for case in cases:
        old_root, new_root = (base64.b64decode(case[name] or "") for name in ("root1", "root2"))
        proof = hashes(case["proof"])
        good = merkle.verify_consistency(case["size1"], case["size2"], old_root, new_root, proof)
        assert good is not case["wantErr"], case["desc"]
    assert len(cases) == 98


def test_a_public_log_has_the_same_heads_and_tiles_at_every_size() -> None:
    """L11: the C2SP shape, against a log that another program wrote."""
    case = vectors("tessera_tile_log.json")
    leaves = [merkle.leaf_hash(each.encode()) for each in case["leaves"]]
    edge = b""
    for size in range(len(leaves) + 1):
        root = base64.b64encode(merkle.root(edge, size)).decode()
        assert case["files"][f"checkpoint.{size}"].split("\n")[1:3] == [str(size), root]
        if size:
            assert base64.b64decode(case["files"][f"tile/0/000.p/{size}"]) == b"".join(leaves[:size])
        if size < len(leaves):
            edge = merkle.append(edge, size, leaves[size])


def test_an_interior_node_cannot_be_taken_for_a_leaf() -> None:
    """L10: the two are hashed under different prefixes."""
    left, right = leaves_of(2)
    assert merkle.leaf_hash(left + right) != merkle.node_hash(left, right)
    assert merkle.leaf_hash(b"") == hashlib.sha256(b"\0").digest()
    assert merkle.root(b"", 0) == hashlib.sha256(b"").digest()


def test_the_edge_gives_the_root_of_the_definition_at_every_size() -> None:
    """L11: appended one by one, 32 bytes for each bit set in the size."""
    leaves, edge = leaves_of(140), b""
    for size in range(141):
        assert merkle.root(edge, size) == naive_root(leaves[:size])
        assert len(edge) == 32 * size.bit_count()
        if size < 140:
            edge = merkle.append(edge, size, leaves[size])


@pytest.mark.parametrize(("edge", "size"), [(b"", 1), (b"x" * 32, 0), (b"x" * 31, 1), (b"x" * 32, 3), (b"", -1)])
def test_an_edge_of_another_size_is_refused(edge: bytes, size: int) -> None:
    """L11: a damaged head row is found at the next append, and at the next head."""
    with pytest.raises(ValueError, match="edge"):
        merkle.append(edge, size, bytes(32))
    with pytest.raises(ValueError, match="edge"):
        merkle.root(edge, size)
    with pytest.raises(ValueError, match="32 bytes"):
        merkle.append(b"", 0, bytes(31))


def test_every_proof_of_every_small_tree_is_that_of_the_definition() -> None:
    """L11: inclusion and consistency, all pairs to 70 leaves."""
    log = Log()
    log.append(leaves_of(70))
    for size in range(1, 71):
        root = naive_root(log.leaves[:size])
        for index in range(size):
            proof = log.inclusion(index, size)
            assert proof == naive_path(index, log.leaves[:size])
            assert proof == log.inclusion(index, size, merkle.edge_of(size, log.read_leaves, log.read))
            assert merkle.verify_inclusion(log.leaves[index], index, size, proof, root)
        for old in range(1, size + 1):
            proof = log.consistency(old, size)
            assert proof == naive_subproof(old, log.leaves[:size], True)
            assert merkle.verify_consistency(old, size, naive_root(log.leaves[:old]), root, proof)


def test_every_tile_row_holds_the_roots_of_the_subtrees_below_it(large: Log) -> None:
    """L11: every level from 1 on, every place that is complete, and nothing else."""
    wanted: dict[tuple[int, int], bytes] = {}
    row, level = large.leaves, 0
    while row := [naive_root(row[at : at + 256]) for at in range(0, len(row) // 256 * 256, 256)]:
        level += 1
        wanted |= {(level, at // 256): b"".join(row[at : at + 256]) for at in range(0, len(row), 256)}
    assert level == 2
    assert large.tiles == wanted


@settings(max_examples=25)
@given(st.integers(0, 70_000 - 1), st.integers(1, 70_000))
def test_a_proof_in_a_large_tree_reads_a_few_tiles(large: Log, large_root: bytes, index: int, old: int) -> None:
    """L11: at most two tiles of each level, whatever the size."""
    size = len(large.leaves)
    large.reads = 0
    inclusion = large.inclusion(index, size)
    assert large.reads <= 2 * 3
    assert merkle.verify_inclusion(large.leaves[index], index, size, inclusion, large_root)
    assert len(inclusion) <= size.bit_length()
    edge = merkle.edge_of(size, large.read_leaves, large.read)
    large.reads = 0
    assert large.inclusion(index, size, edge) == inclusion
    assert large.reads <= 3
    large.reads = 0
    consistency = large.consistency(old, size)
    assert large.reads <= 2 * 3
    old_root = merkle.root(merkle.edge_of(old, large.read_leaves, large.read), old)
    assert merkle.verify_consistency(old, size, old_root, large_root, consistency)


@settings(max_examples=40)
@given(st.lists(st.integers(0, 300), max_size=8), st.data())
def test_tiles_do_not_depend_on_how_leaves_were_batched(sizes: list[int], data: st.DataObject) -> None:
    """L11: and the edge is found again from what is stored, at any earlier size."""
    log, whole = Log(), Log()
    for size in sizes:
        log.append(leaves_of(size, len(log.leaves)))
    total = sum(sizes)
    whole.append(leaves_of(total))
    assert (log.tiles, log.edge) == (whole.tiles, whole.edge)
    assert merkle.edge_of(total, log.read_leaves, log.read) == log.edge
    earlier = data.draw(st.integers(0, total))
    root = merkle.root(merkle.edge_of(earlier, log.read_leaves, log.read), earlier)
    assert root == naive_root(log.leaves[:earlier])


def test_appending_reads_nothing_until_a_tile_is_full() -> None:
    """L11: and a row that was read after this batch's leaves were written gives the same."""
    log = Log()
    log.append(leaves_of(255))
    assert (log.reads, log.tiles) == (0, {})
    batch = leaves_of(2, 255)
    after = b"".join(leaves_of(256))
    updates = merkle.tile_updates(255, batch, lambda level, index: after if (level, index) == (0, 0) else b"")
    assert updates == [(1, 0, naive_root(leaves_of(256)))]


def test_missing_hashes_are_a_fault_and_not_another_tree() -> None:
    """L11: a tile row cut short is noticed where it is read."""
    log = Log()
    log.append(leaves_of(600))
    log.tiles[1, 0] = log.tiles[1, 0][:-1]
    with pytest.raises(ValueError, match="missing"):
        log.inclusion(599, 600)
    with pytest.raises(ValueError, match="missing"):
        merkle.tile_updates(255, leaves_of(1), lambda _level, _index: b"")


@pytest.mark.parametrize(("index", "size"), [(-1, 5), (5, 5), (0, 0), (9, 5)])
def test_there_is_no_proof_of_a_leaf_outside_the_tree(index: int, size: int) -> None:
    """L11: nor does the verifier take one."""
    log = Log()
    log.append(leaves_of(5))
    with pytest.raises(ValueError, match="no leaf"):
        log.inclusion(index, size)
    assert not merkle.verify_inclusion(log.leaves[0], index, size, [], log.leaves[0])


def test_growth_from_nothing_has_no_proof_and_to_the_same_size_an_empty_one() -> None:
    """L11: equal sizes with two roots are two histories."""
    log = Log()
    log.append(leaves_of(5))
    root = merkle.root(log.edge, 5)
    assert log.consistency(5, 5) == []
    assert merkle.verify_consistency(5, 5, root, root, [])
    assert not merkle.verify_consistency(5, 5, root, bytes(32), [])
    assert not merkle.verify_consistency(5, 5, root, root, [root])
    for old in (-1, 0, 6):
        assert not merkle.verify_consistency(old, 5, root if old else merkle.EMPTY_ROOT, root, [])
        with pytest.raises(ValueError, match="no proof"):
            log.consistency(old, 5)


@given(st.integers(2, 90), st.data())
def test_no_damaged_proof_verifies(size: int, data: st.DataObject) -> None:
    """L10: a bit flipped, a hash left out, added or cut, another place or size."""
    log = Log()
    log.append(leaves_of(size))
    root = merkle.root(log.edge, size)
    index = data.draw(st.integers(0, size - 1))
    proof, leaf = log.inclusion(index, size), log.leaves[index]
    at = data.draw(st.integers(0, len(proof) - 1))
    flipped = bytes([proof[at][0] ^ 1]) + proof[at][1:]
    for bad in (
        [*proof[:at], flipped, *proof[at + 1 :]],
        proof[:at] + proof[at + 1 :],
        [*proof, root],
        [*proof[:at], proof[at][:-1], *proof[at + 1 :]],
    ):
        assert not merkle.verify_inclusion(leaf, index, size, bad, root)
    other = data.draw(st.integers(0, size - 1).filter(lambda place: place != index))
    assert not merkle.verify_inclusion(leaf, other, size, proof, root)
    old = data.draw(st.integers(1, size - 1))
    old_root, grown = naive_root(log.leaves[:old]), log.consistency(old, size)
    for bad in (
        grown[:-1],
        [*grown, root],
        grown[::-1] if len(set(grown)) > 1 else [],
        [flipped, *grown[1:]],
    ):
        assert not merkle.verify_consistency(old, size, old_root, root, bad)
