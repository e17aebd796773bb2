"""Validation: every defect with its place, all at once, and nothing said of what is normal."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from releases import (
    ARXIV,
    BRIDGE,
    FAR,
    GOLD,
    OTHER,
    PAPERS,
    SEED,
    VECTORS,
    Release,
    label,
    needs_papers,
    needs_vectors,
    write_lines,
)

from agenthop_env.corpus.problems import CorpusError, Problems
from agenthop_env.corpus.release import FILES, GRAPHS_FILE, LABELS_FILE, PAPERS_FILE, QA_FILE
from agenthop_env.corpus.validate import KEPT_OF_A_KIND, validate_release

SHARED_PAPERS = VECTORS.parent / "data" / "papers"


def told(problems: Problems) -> str:
    return "\n".join(str(problem) for problem in problems.found)


def checked(release: Release, folder: Path) -> Problems:
    return validate_release(release.write(folder / "release"))


def test_the_small_release_has_no_errors(release_folder: Path) -> None:
    problems = validate_release(release_folder)
    assert not problems.errors
    assert re.findall(r"no direct label for the gold paper '([\w-]+)'", told(problems)) == [GOLD, OTHER]


@needs_papers
def test_real_papers_validate_without_errors() -> None:
    assert not validate_release(SHARED_PAPERS).errors


@needs_vectors
def test_the_vectors_release_validates_without_errors() -> None:
    assert not validate_release(VECTORS / "release").errors


def test_nulls_missing_papers_cycles_and_self_citations_are_normal(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    release.graph("st_0001")["nodes"][OTHER]["year"] = 2021
    assert told(checked(release, tmp_path)) == ""


def test_all_defects_at_once_each_with_its_place(tmp_path: Path) -> None:
    release = Release()
    release.question("st_0001")["options"] = ["a", "b", "c"]
    release.question("st_0002")["correct_index"] = 4
    del release.question("mt_0001")["question"]
    release.question("mt_0002")["gold_paper_ids"] = [GOLD, "nowhere"]
    release.question("mt_0002")["gold_arxiv_ids"] = [ARXIV[GOLD], ""]
    release.question("st_0003")["seed_paper_id"] = 7
    release.question("st_0004")["seed_paper_id"] = "nowhere"
    release.question("st_0005")["options"] = ["same", "b", " same", ""]
    release.labels[7]["analysis"]["section_recall_labels"].append(label("9999.99999", "Results"))
    problems = checked(release, tmp_path)
    errors = {
        (problem.file, problem.line, problem.item, problem.field): problem.message
        for problem in problems.errors
    }
    assert errors == {
        (QA_FILE, 1, "st_0001", "options"): "4 options are expected, not 3",
        (QA_FILE, 2, "st_0002", "correct_index"): "0 to 3 is expected, not 4",
        (QA_FILE, 3, "mt_0001", "question"): "missing; a string is expected",
        (QA_FILE, 4, "mt_0002", "gold_paper_ids[1]"): (
            "'nowhere' is not in the item's graph, neither by its id nor by an arXiv id"
        ),
        (QA_FILE, 5, "st_0003", "seed_paper_id"): "a string is expected, not a number",
        (GRAPHS_FILE, 6, "st_0004", "nodes"): (
            "the seed paper 'nowhere' is not among the nodes; the item cannot be played"
        ),
        (QA_FILE, 7, "st_0005", "options[2]"): "equal to option 0; only one of them could be right",
        (QA_FILE, 7, "st_0005", "options[3]"): "empty; every option needs a text",
        (LABELS_FILE, 8, "st_0006", "analysis.section_recall_labels[1].arxiv_id"): (
            "'9999.99999' names no paper of the item's graph"
        ),
    }
    assert all(problem.severity == "warning" for problem in problems.found if problem not in problems.errors)


def test_a_misspelled_field_is_named(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    question = release.question("st_0001")
    question["question_typ"] = question.pop("question_type")
    question["optoins"] = question.pop("options")
    question["correct_index"] = 9
    said = told(checked(release, tmp_path))
    assert (
        "question_type: missing; single-target or multi-target is expected; is question_typ meant for it?"
        in said
    )
    assert "options: missing; a list of strings is expected; is optoins meant for it?" in said
    assert "distractor_types" not in said


def test_a_gold_known_by_arxiv_id_alone_is_no_defect(tmp_path: Path) -> None:
    release = Release().only("st_0007")
    assert not checked(release, tmp_path).errors


def test_duplicate_ids_in_every_file(tmp_path: Path) -> None:
    release = Release()
    release.qa.append(dict(release.qa[0]))
    release.graphs.append(dict(release.graphs[0]))
    release.labels.append(dict(release.labels[0]))
    release.papers.append(dict(release.papers[0]))
    errors = checked(release, tmp_path).errors
    assert [(problem.file, problem.line, problem.item) for problem in errors] == [
        (QA_FILE, 11, "st_0001"),
        (GRAPHS_FILE, 11, "st_0001"),
        (PAPERS_FILE, 7, ARXIV[SEED]),
        (LABELS_FILE, 10, "st_0001"),
    ]
    assert all("line 1 too" in problem.message for problem in errors)


def test_labels_of_unknown_papers(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    labels = release.labels[0]["analysis"]["section_recall_labels"]
    labels += [
        label("9999.1", "X", "supporting"),
        label("9999.2", "X"),
        label(ARXIV[BRIDGE], "No such section"),
    ]
    problems = checked(release, tmp_path)
    assert [problem.field for problem in problems.errors] == ["analysis.section_recall_labels[3].arxiv_id"]
    assert "[2].arxiv_id: '9999.1' names no paper" in told(problems)
    assert f"[4].section: 'No such section' is neither a header of '{ARXIV[BRIDGE]}'" in told(problems)


def test_a_gold_without_text_cannot_be_recalled(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    release.papers = [row for row in release.papers if row["arxiv_id"] != ARXIV[GOLD]]
    problems = checked(release, tmp_path)
    assert not problems.errors
    assert f"gold_paper_ids[0]: '{GOLD}' has no text in {PAPERS_FILE}; the item cannot be recalled" in told(
        problems
    )


def test_items_graphs_and_labels_without_each_other(tmp_path: Path) -> None:
    release = Release()
    release.graphs[0]["sample_id"] = "st_8888"
    release.labels[1]["sample_id"] = "st_9999"
    problems = checked(release, tmp_path)
    assert [str(problem) for problem in problems.errors] == [
        f"error {GRAPHS_FILE} st_0001 sample_id: no row for this item; it cannot be played"
    ]
    assert f"{GRAPHS_FILE}:1 st_8888 sample_id: {QA_FILE} has no such item" in told(problems)
    assert f"{LABELS_FILE}:2 st_9999 sample_id: {QA_FILE} has no such item" in told(problems)
    assert "no row for item 'st_0002'; its section recall cannot be scored" in told(problems)


@pytest.mark.parametrize("file", FILES)
def test_a_whole_file_missing_is_one_problem(tmp_path: Path, file: str) -> None:
    folder = Release().write(tmp_path / "release")
    before = len(validate_release(folder).found)
    (folder / file).unlink()
    problems = validate_release(folder)
    mine = [problem for problem in problems.found if problem.line == 0]
    missing = [problem for problem in mine if "missing" in problem.message]
    assert len(missing) == 1
    assert missing[0].file == file
    assert (missing[0].severity == "error") == (file != LABELS_FILE)
    assert len(problems.found) <= before + 1


@pytest.mark.parametrize("file", FILES)
def test_a_truncated_last_line(tmp_path: Path, file: str) -> None:
    folder = Release().write(tmp_path / "release")
    data = (folder / file).read_bytes()
    (folder / file).write_bytes(data[:-40])
    errors = [problem for problem in validate_release(folder).errors if problem.file == file]
    assert any(problem.line == data.count(b"\n") and "cut off" in problem.message for problem in errors)


def test_swapped_files_give_one_clear_message_each(tmp_path: Path) -> None:
    folder = Release().write(tmp_path / "release")
    (folder / QA_FILE).rename(folder / "qa.tmp")
    (folder / GRAPHS_FILE).rename(folder / QA_FILE)
    (folder / "qa.tmp").rename(folder / GRAPHS_FILE)
    problems = validate_release(folder)
    errors = [str(problem) for problem in problems.errors]
    assert len(errors) == 2
    assert f"error {QA_FILE}: rows of {GRAPHS_FILE} stand here: the files are swapped" in errors[0]
    assert f"error {GRAPHS_FILE}: rows of {QA_FILE} stand here: the files are swapped" in errors[1]


def test_bad_lines_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    folder = write_lines(
        tmp_path / "release",
        {
            QA_FILE: [b"\xef\xbb\xbf" + b"\n", "{broken", "[1, 2]", "null", "", b"\xff\xfe\n", release.qa[0]],
            GRAPHS_FILE: ["42", *release.graphs],
            PAPERS_FILE: ['{"arxiv_id": NaN}', *release.papers],
            LABELS_FILE: ["[" * 100_000, *release.labels],
        },
    )
    problems = validate_release(folder)
    places = [(problem.file, problem.line) for problem in problems.errors]
    assert places == [
        (QA_FILE, 2), (QA_FILE, 3), (QA_FILE, 4), (QA_FILE, 6), (GRAPHS_FILE, 1), (PAPERS_FILE, 1), (LABELS_FILE, 1),
    ]  # fmt: skip
    assert "nested more than 200 levels deep" in told(problems)


def test_wrong_types_of_every_field_are_told_and_never_raise(tmp_path: Path) -> None:
    wrong = (None, 7, 2.5, True, "text", [], {}, [None], {"a": [1]}, "\ud800", [[["deep"]]])
    rows = {
        QA_FILE: Release().qa[0],
        GRAPHS_FILE: Release().graphs[0],
        PAPERS_FILE: PAPERS[1],
        LABELS_FILE: Release().labels[0],
    }
    release = Release().only("st_0001")
    lines: dict[str, list[object]] = {
        QA_FILE: list(release.qa), GRAPHS_FILE: list(release.graphs), PAPERS_FILE: list(release.papers),
        LABELS_FILE: list(release.labels),
    }  # fmt: skip
    for file, row in rows.items():
        for field in row:
            lines[file] += [row | {field: value} for value in wrong]
            lines[file].append({name: value for name, value in row.items() if name != field})
    problems = validate_release(write_lines(tmp_path / "release", lines))  # type: ignore[arg-type]
    assert len(problems.errors) > 100
    assert all(problem.file in FILES for problem in problems.found)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"question_type": "multi-target"}, "multi-target with 1 gold paper"),
        ({"gold_paper_ids": [GOLD, OTHER], "gold_arxiv_ids": []}, "single-target with 2 gold papers"),
        ({"question_type": "other"}, "single-target or multi-target is expected, not 'other'"),
        ({"depth": 3}, "1 or 2 is expected, not 3"),
        ({"depth": "1"}, "a whole number is expected, not a string; read as a number"),
        ({"distractor_types": ["correct"] * 4}, "one of correct, seed_only"),
        ({"reasoning_type": "GUESS"}, "one of GROUND, METHOD, MOTIVE, RESULT is expected, not 'GUESS'"),
        ({"consensus_tier": "tin"}, "one of gold, silver, bronze is expected, not 'tin'"),
        (
            {"gold_arxiv_ids": ["2001.99999"]},
            "gold_arxiv_ids has '2001.99999' and the graph '2001.00002' for it",
        ),
        ({"gold_arxiv_ids": ["a", "b"]}, "1 ids are expected, one per gold paper, not 2"),
        ({"gold_paper_ids": [FAR], "gold_arxiv_ids": []}, f"depth 1, but the seed does not cite '{FAR}'"),
        ({"bridge_paper_ids": ["x"]}, "the bridge paper 'x' is not among the graph's nodes"),
        ({"gold_paper_ids": ["(B)"], "gold_arxiv_ids": [], "depth": 2}, "depth 2, but neither the seed nor"),
    ],
)
def test_what_play_can_go_on_with_is_a_warning(tmp_path: Path, changes: dict[str, object], said: str) -> None:
    release = Release().only("st_0001")
    release.qa[0].update(changes)
    problems = checked(release, tmp_path)
    assert said in told(problems)
    assert not problems.errors


def test_a_depth_2_gold_that_the_seed_cites_is_no_defect(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    release.qa[0]["depth"] = 2
    assert "depth" not in told(checked(release, tmp_path))


def test_a_gold_named_twice_is_an_error(tmp_path: Path) -> None:
    release = Release().only("mt_0001")
    release.qa[0]["gold_paper_ids"] = [GOLD, GOLD]
    release.qa[0]["gold_arxiv_ids"] = []
    assert "the same paper twice; paper recall could never be 1" in told(checked(release, tmp_path))


def test_repeated_defects_are_counted_not_listed(tmp_path: Path) -> None:
    lines: list[object] = [row | {"venue": number} for number, row in enumerate(Release().qa * 35)]
    release = Release()
    folder = write_lines(
        tmp_path / "release",
        {
            QA_FILE: lines,
            GRAPHS_FILE: [*release.graphs],
            PAPERS_FILE: [*release.papers],
            LABELS_FILE: [*release.labels],
        },  # type: ignore[dict-item]
    )
    problems = validate_release(folder)
    venue = [problem for problem in problems.found if problem.field == "venue"]
    assert len(venue) == KEPT_OF_A_KIND + 1
    assert "250 more like the 350 that begin on line 1" in venue[-1].message
    assert venue[-1].line == 0
    duplicates = [problem for problem in problems.errors if problem.field == "id"]
    assert len(duplicates) == KEPT_OF_A_KIND + 1


def test_progress_ends_at_the_total(release_folder: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    validate_release(release_folder, progress=lambda *state: seen.append(state))
    assert seen[-1][1] == seen[-1][2] == sum((release_folder / file).stat().st_size for file in FILES)
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no such folder"):
        validate_release(tmp_path / "nothing")


def test_an_empty_folder_names_all_files(tmp_path: Path) -> None:
    problems = validate_release(tmp_path)
    assert [problem.file for problem in problems.found] == list(FILES)
    assert len(problems.errors) == 3


@pytest.mark.slow
def test_lines_of_50_megabytes(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    release.papers[1]["sections"][2]["text"] = "x" * 50_000_000
    release.graph("st_0001")["nodes"][GOLD]["abstract"] = "word " * 10_000_000
    folder = release.write(tmp_path / "release")
    assert not validate_release(folder).errors
    status = Path("/proc/self/status")
    if not status.is_file():
        return
    # The peak of a process that starts anew; getrusage would give that of this one, which it was forked from.
    script = (
        "from agenthop_env.corpus.validate import validate_release\n"
        f"validate_release({str(folder)!r})\n"
        f"print(open({str(status)!r}).read().partition('VmHWM:')[2].split()[0])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 600_000
