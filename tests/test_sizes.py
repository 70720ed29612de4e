"""A function has at most 40 lines and a file 500: what is longer is looking for its seam."""

import ast
from pathlib import Path

import quintain

SOURCE = Path(quintain.__file__).parent
FILES = {path: path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}
MOST_OF_A_FUNCTION, MOST_OF_A_FILE = 40, 500


def test_no_function_is_longer_than_forty_lines():
    """The lines count from `def` to the end, with the docstring, but without decorators."""
    long = {
        f"{path.relative_to(SOURCE)}: {node.name}": lines
        for path, text in FILES.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (lines := (node.end_lineno or 0) - node.lineno + 1) > MOST_OF_A_FUNCTION
    }
    assert len(FILES) > 300
    assert long == {}


def test_no_file_is_longer_than_five_hundred_lines():
    lengths = {str(path.relative_to(SOURCE)): len(text.splitlines()) for path, text in FILES.items()}
    assert {path: lines for path, lines in lengths.items() if lines > MOST_OF_A_FILE} == {}
