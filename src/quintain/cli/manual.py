"""The docs on the web: `read_more` makes the last line of a command's help, which names the page to read."""

ADDRESS = "https://quintain.github.io/quintain/"
"""Where the docs are: each file PAGE.md of the folder docs is PAGE.html there."""


def read_more(page: str = "", part: str = "") -> str:
    """Return the line that names a page of the docs, or a part of it by its heading; without a page, the first page.

    >>> read_more("lab", "ladders")
    'Read more: https://quintain.github.io/quintain/lab.html#ladders'
    """
    return f"Read more: {ADDRESS}{page and f'{page}.html'}{part and f'#{part}'}"
