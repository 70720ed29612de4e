"""The docs on the web: `read_more` makes the last line of a command's help, which names the page to read."""

ADDRESS = "https://quintain.github.io/quintain/"
"""Where the site of the docs is; it has the paths of the repository, so docs/PAGE.md is docs/PAGE.html there."""


def read_more(page: str = "", part: str = "") -> str:
    """Return the line that names a page of the docs, or a part of it by its heading; without a page, the first page.

    >>> read_more("lab", "ladders")
    'Read more: https://quintain.github.io/quintain/docs/lab.html#ladders'
    """
    return f"Read more: {ADDRESS}{page and f'docs/{page}.html'}{part and f'#{part}'}"
