"""The settings of the site that `make docs` builds, with Sphinx, from the pages of the repository as they stand there.

Sphinx reads the pages from the root of the repository, so that a link leads to the same page there and in the site.
README.md gets the table of contents, the page of each notebook its cells, and each page of docs/api the
reference of its modules: the names in `__all__`, with their docstrings. The search takes words such as ``KC-4`` and
``quintain.Match`` as one.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.search.en import SearchEnglish
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

sys.path.append(str(Path(__file__).parents[1] / "tools"))
from public import MODULES

ROOT = Path(__file__).parents[1]
URLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
RULEBOOKS = "src/quintain/games/*/rulebook"
GAMES = ("kings-court", "rune-war", "heirless", "robin", "round-table")
API = {"docs/api/quintain": ["quintain"]}
for _module in MODULES[1:]:
    _, _room, *_ = _module.split(".")
    API.setdefault(f"docs/api/{_room}", [f"quintain.{_room}"])
    API[f"docs/api/{_room}"] += [_module] if _module.count(".") > 1 else []
"""The pages of the reference, each with its modules."""
NOTEBOOKS = {
    "docs/notebook": "docs/lab.ipynb",
    "docs/notebooks/first-bot": "docs/notebooks/first-bot.ipynb",
    "docs/notebooks/changed-card": "docs/notebooks/changed-card.ipynb",
    "docs/notebooks/train-and-beat": "docs/notebooks/train-and-beat.ipynb",
}
"""The pages of the notebooks, each with its file."""
CONTENTS = {
    "Start": [f"docs/start/{name}" for name in ("player", "host", "designer", "researcher", "author")],
    "Rules": [RULEBOOKS.replace("*", name.replace("-", "_")) for name in GAMES],
    "Play and host": ["docs/command-line", "docs/server", "docs/hosting", "docs/site"],
    "Design": ["docs/designing", "docs/notebooks/changed-card", "docs/tutorial", "docs/looks", "docs/views"],
    "Research": [
        *("docs/lab", "docs/notebook", "docs/environments", "docs/notebooks/train-and-beat"),
        *("docs/bots", "docs/nets", "docs/notebooks/first-bot"),
    ],
    "The games in figures": [
        *(f"docs/{page}" for name in GAMES for page in (name, f"reports/{name}", f"reports/{name}-minstrels")),
    ],
    "Reference": ["docs/public", *API],
    "The project": ["docs/*", "CONTRIBUTING", "CHANGELOG", "SECURITY", "CODE_OF_CONDUCT"],
}
"""The parts of the table of contents; a page stands in the first part that names it."""
WITH_COMMANDS = ("docs/command-line", "docs/hosting", "docs/lab", "docs/site")
"""The pages that describe commands."""
PLAY = "play/index.html"
"""The page of the games without a server, which `make docs` puts into the site; the part after # names a page there."""
BOARD_AFTER = "## Play it, watch it, simulate it\n"
"""The heading of the tutorial below which its game can be played."""
TUTORIAL = "docs/tutorial"
BOARD = f"""
```{{raw}} html
<details><summary>Play Goofspiel here, against bots. The first visit loads eight megabytes.</summary>
<iframe src="../{PLAY}#/new/goofspiel" title="Goofspiel" loading="lazy" style="width: 100%; height: 44rem"></iframe>
</details>
```
"""
"""The game of the tutorial, to play in its page."""
CLAUSE = re.compile(r"[A-Z]+-\d+")
COMMAND = re.compile(r"^quintain [a-z-]+", re.MULTILINE)
WORD = r"\w+(?:[-.]\w+)*"
MOST_SHOWN = 60
"""How many letters of a constant's value the reference shows."""

project, author, copyright = "Quintain", "the authors of Quintain", "the authors of Quintain"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "README"
include_patterns = ["*.md", "docs/**", f"{RULEBOOKS}.md"]
exclude_patterns = [".*", "benchmarks", "dist", "node_modules", "site", "tests", "tools"]
"""Folders without pages, through which Sphinx would walk for minutes."""
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
default_role = "literal"
smartquotes = False
autodoc_default_options = {"members": True, "member-order": "bysource"}
html_theme = "furo"
html_title = "Quintain"
html_copy_source = False
html_theme_options = {"source_repository": URLS["Repository"], "source_branch": "main", "source_directory": ""}
logger = logging.getLogger("quintain")


def add_contents(app: Sphinx, docname: str, source: list[str]) -> None:
    """Add to a page what only the site has: the table of contents, the cells of a notebook, or the reference."""
    if docname == root_doc:
        left = sorted(app.env.found_docs - {root_doc})
        for caption, patterns in CONTENTS.items():
            pages = [page for pattern in patterns for page in left if Path(page).match(pattern)]
            pages = list(dict.fromkeys(pages))
            left = [page for page in left if page not in pages]
            lines = "\n".join(f"/{page}" for page in pages)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"
    if docname.removeprefix("docs/") in GAMES:
        title, line, rest = source[0].partition("\n")
        source[0] = f"{title}\n{tried(docname.removeprefix('docs/'))}{line}{rest}"
    if docname == TUTORIAL:
        before, heading, after = source[0].partition(BOARD_AFTER)
        if not heading:
            logger.warning("the tutorial has no heading for its board", location=docname)
        source[0] = f"{before}{heading}{BOARD}{after}"
    if docname in NOTEBOOKS:
        _, *cells = json.loads((ROOT / NOTEBOOKS[docname]).read_text(encoding="utf-8"))["cells"]
        source[0] += "\n".join(part for cell in cells for part in markdown(cell))
    if docname in API:
        source[0] = source[0].partition("`make docs`")[0]
        for module in API[docname]:
            source[0] += "\n".join(reference(importlib.import_module(module), module, docname))


def tried(game: str) -> str:
    """Return what leads from the page of a game to its lesson and to a new table, without a server."""
    links = f'<a href="../{PLAY}#/new/{game}">Play it now</a>, in this browser alone'
    return f'\n```{{raw}} html\n<p class="try">{links}. The first visit loads eight megabytes.</p>\n```\n'


def reference(module: ModuleType, path: str, docname: str) -> Iterator[str]:
    """Yield the reference of a module under the path by which programs import it: all names that it says are public."""
    if path != API[docname][0]:  # the title of the page
        yield f"\n## `{path}`\n"
    yield f"```{{eval-rst}}\n.. automodule:: {module.__name__}\n   :no-members:\n   :no-index:\n```\n"
    modules = []
    for name in public(module):
        value, full = named(module, name), f"{path}.{name}"
        if inspect.ismodule(value):
            modules.append((value, full))
            continue
        if not docstring(module, name):
            logger.warning("the public name %s has no docstring", full, location=docname)
        yield "\n```{eval-rst}"
        yield from again(value, full) or entry(value, full, docstring(module, name))
        yield "```\n"
    for inner, full in modules:
        yield from reference(inner, full, docname)


def public(module: ModuleType) -> list[str]:
    """Return the public names of a module, errors last: its `__all__`, or else the functions and classes it defines."""
    own = (name for name, value in vars(module).items() if is_code(value) and value.__module__ == module.__name__)
    names = getattr(module, "__all__", [name for name in own if not name.startswith("_")])
    return sorted(names, key=lambda name: (is_error(named(module, name)), name))


def named(module: ModuleType, name: str) -> Any:
    """Return what a name of a module stands for; it may be a module inside that nobody has imported yet."""
    return getattr(module, name) if hasattr(module, name) else importlib.import_module(f"{module.__name__}.{name}")


def is_code(value: object) -> bool:
    """Tell whether a value is a class or a function, not a constant."""
    return inspect.isclass(value) or inspect.isroutine(value)


def is_error(value: object) -> bool:
    """Tell whether a value is a class of errors."""
    return inspect.isclass(value) and issubclass(value, BaseException)


def docstring(module: ModuleType, name: str) -> str:
    """Return the docstring of a name of a module; empty if it has none of its own."""
    value = getattr(module, name)
    if not is_code(value):
        return docstring_of_constant(module.__name__, name)
    found = inspect.cleandoc(vars(value).get("__doc__") or "" if inspect.isclass(value) else value.__doc__ or "")
    return "" if found.startswith(f"{name}(") else found  # a dataclass without one gets its signature


def docstring_of_constant(module: str, name: str) -> str:
    """Return the string under the assignment of a constant, in the module that the constant comes from."""
    analyzer = ModuleAnalyzer.for_module(module)
    if lines := analyzer.find_attr_docs().get(("", name)):
        return "\n".join(lines).strip()
    for node in ast.parse(analyzer.code).body:
        names = [each.asname or each.name for each in node.names] if isinstance(node, ast.ImportFrom) else []
        if name in names and node.module:
            return docstring_of_constant(node.module, name)
    return ""


@cache
def homes() -> dict[int, str]:
    """Return the first path of each public class and function, by its id; any other path leads there."""
    found: dict[int, str] = {}
    left = [(importlib.import_module(path), path) for paths in API.values() for path in paths]
    for module, path in left:
        for name in public(module):
            value = named(module, name)
            if inspect.ismodule(value):
                left.append((value, f"{path}.{name}"))
            elif is_code(value):
                found.setdefault(id(value), f"{path}.{name}")
    return found


def again(value: object, full: str) -> list[str]:
    """Return the lines for a name that has another path, too, which stands before this one; no lines for all others."""
    home = homes().get(id(value), full)
    kind = "class" if inspect.isclass(value) else "function"
    return [] if home == full else [*heading(kind, full), "", f"   The same as :py:obj:`{home}`."]


def heading(kind: str, full: str) -> list[str]:
    """Return the lines that begin the entry of a name which is not read from its source."""
    module, _, name = full.rpartition(".")
    return [f".. py:{kind}:: {name}", f"   :module: {module}"]


def entry(value: Any, full: str, text: str) -> Iterator[str]:
    """Yield the lines that document one public name."""
    if inspect.isclass(value):
        foreign = {base.__name__ for base in value.__mro__ if not base.__module__.startswith("quintain")}
        kind = "autoexception" if is_error(value) else "autoclass"
        yield f".. {kind}:: {full}\n   :inherited-members: {', '.join(sorted(foreign))}"
    elif is_code(value):
        yield f".. autofunction:: {full}"
    else:
        yield from heading("data", full)
        if len(repr(value)) <= MOST_SHOWN:
            yield f"   :value: {value!r}"
        yield ""
        yield from (f"   {line}" for line in text.splitlines())


class Targets(SphinxTransform):
    """Makes clauses and commands known to the search, and leads links to notebooks to their pages.

    Links to other files lead to the repository.
    """

    default_priority = 400

    def apply(self, **_: Any) -> None:
        """Change the page that has been read."""
        if Path(self.env.docname).match(RULEBOOKS):
            for strong in list(self.document.findall(nodes.strong)):
                if CLAUSE.fullmatch(strong.astext()):
                    self.know(strong.parent, [strong.astext()])
        if self.env.docname in WITH_COMMANDS:
            known: set[str] = set()
            for block in list(self.document.findall(nodes.literal_block)):
                new = [each for each in dict.fromkeys(COMMAND.findall(block.astext())) if each not in known]
                known.update(new)
                if new:
                    self.know(block, new)
        for block in self.document.findall(nodes.literal_block):  # a doctest in Markdown needs an empty line at its end
            block.rawsource = block.astext().rstrip()
            block[:] = [nodes.Text(block.rawsource)]
        pages = {file: page for page, file in NOTEBOOKS.items() if page != self.env.docname}
        for link in list(self.document.findall(addnodes.download_reference)):
            path = (ROOT / self.env.docname).parent / link["reftarget"]
            file = path.resolve().relative_to(ROOT).as_posix()
            if file in pages:
                to = {"refdomain": "std", "reftype": "doc", "refdoc": self.env.docname, "reftarget": f"/{pages[file]}"}
                link.replace_self(addnodes.pending_xref("", *link.children, refexplicit=True, refwarn=True, **to))
            else:
                uri = f"{URLS['Repository']}/blob/main/{file}"
                link.replace_self(nodes.reference("", "", *link.children, refuri=uri))

    def know(self, node: nodes.Element, words: list[str]) -> None:
        """Let the search lead to a node for these words."""
        names = [word.lower().replace(" ", "-") for word in words]
        node["ids"] += names
        node["names"] += names
        self.document.note_explicit_target(node)
        entries = [("single", word, name, "main", None) for word, name in zip(words, names, strict=True)]
        node.parent.insert(node.parent.index(node), addnodes.index(entries=entries))


class Search(SearchEnglish):
    """Takes names and numbers with hyphens and dots as words, and their parts as words, too."""

    js_splitter_code = r"var splitQuery = (query) => query.match(/[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)*/gu) || [];"

    def split(self, input: str) -> list[str]:
        """Return the words of a text."""
        words = re.findall(WORD, input)
        return words + [part for word in words if re.search("[-.]", word) for part in re.split("[-.]", word)]


def markdown(cell: dict[str, Any]) -> Iterator[str]:
    """Yield a cell of a notebook, and its results, as Markdown."""
    source = "".join(cell["source"])
    yield source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```"
    for output in cell.get("outputs", []):
        data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
        if picture := data.get("image/svg+xml") or data.get("text/html"):
            yield "```{raw} html\n" + picture.replace('border="1" class="', 'class="docutils ') + "\n```"
        else:
            yield f"```text\n{data.get('text/plain') or ''.join(output.get('text', ''))}\n```"


def make_accessible(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], _: nodes.document | None
) -> None:
    """Let the keyboard reach what scrolls sideways, and say how deep the headings of the contents are."""
    body = re.sub(r"<pre(?=>)|<div class=\"table-wrapper [^>]*", r'\g<0> tabindex="0"', context.get("body", ""))
    context["body"] = re.sub(r'(<div class="highlight-pieces .*?<pre)', r'\1 style="white-space: pre-wrap"', body)
    tree = str(context.get("furo_navigation_tree", ""))
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def make_index(app: Sphinx, error: Exception | None) -> None:
    """Let the site begin with the start page."""
    if error is None:
        shutil.copy(Path(app.outdir, f"{root_doc}.html"), Path(app.outdir, "index.html"))


def setup(app: Sphinx) -> None:
    """Add to Sphinx what this file defines."""
    app.add_search_language(Search)
    app.add_transform(Targets)
    app.add_lexer("pieces", TextLexer)
    app.connect("source-read", add_contents)
    app.connect("html-page-context", make_accessible, priority=900)  # after the theme has made its tree
    app.connect("build-finished", make_index)
