"""Charts as SVG, which fit into a page of any colours: ink is `currentColor`, and marks have the page's accent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

INK, MARK, FAINT = "#010203", "#040506", "#070809"
"""Colours that stand for those of the page."""
FONT = "sans-serif"
WIDTH = 340
"""Pixels: no wider than a phone."""
PADDING = {"left": 16, "right": 10, "top": 5, "bottom": 5}
"""Pixels around a chart; browsers may have wider letters than the program that measures the names."""
ROW = 22
"""Pixels of each row of a chart of intervals."""
AXIS = 46
"""Pixels of the axis below them."""
NAMES = 150
"""Pixels for the name of a row, at most."""


class Estimate(NamedTuple):
    """A number with its interval."""

    name: str
    value: float
    low: float
    high: float


def bars(values: Sequence[tuple[float, float]], across: str, up: str) -> str:
    """Return a chart with a bar for each number across; as many bins as fit."""
    import altair as alt

    data = alt.InlineData(values=[{"across": one, "up": other} for one, other in values])
    least, most = min(one for one, _ in values), max(one for one, _ in values)
    step = max(1, -(-int(most - least + 1) // 30))
    chart = (
        alt.Chart(data)
        .mark_bar(color=MARK)
        .encode(
            alt.X(
                "across:Q",
                bin=alt.Bin(step=step),
                title=across,
                axis=alt.Axis(format="d", tickCount=8, labelOverlap=True),
            ),
            alt.Y("sum(up):Q", title=up, axis=alt.Axis(format="%", tickCount=5)),
        )
        .properties(height=170)
    )
    return _svg(chart)


def intervals(rows: Sequence[Estimate], across: str, expected: float | None = None, percent: bool = True) -> str:
    """Return a chart with a point and its interval in each row, and a line at the value that is expected."""
    import altair as alt

    data = alt.InlineData(values=[row._asdict() for row in rows])
    names = alt.Y(
        "name:N",
        sort=[row.name for row in rows],
        title=None,
        axis=alt.Axis(labelLimit=NAMES, domain=False, ticks=False),
    )
    ends = [row.low for row in rows] + [row.high for row in rows] + ([] if expected is None else [expected])
    scale = alt.Scale(domain=[min(ends), max(ends)], nice=True, zero=False)
    axis = alt.Axis(format="%" if percent else "d", tickCount=4, labelOverlap=True)
    base, x = alt.Chart(data), alt.X("low:Q", title=across, scale=scale, axis=axis)
    layers: list[Any] = [
        base.mark_rule(color=MARK).encode(x, alt.X2("high:Q"), names),
        base.mark_point(color=MARK, filled=True, size=45, opacity=1).encode(alt.X("value:Q", title=across), names),
    ]
    if expected is not None:
        line = alt.Chart(alt.InlineData(values=[{"at": expected}]))
        layers.insert(0, line.mark_rule(color=FAINT, strokeDash=[4, 3]).encode(alt.X("at:Q")))
    return _svg(alt.layer(*layers).properties(height=ROW * len(rows) + AXIS))


def curve(points: Sequence[tuple[float, float, float, float]], across: str, up: str) -> str:
    """Return a curve with a band: each point gives its place across, its value, and the band's lower and upper edge."""
    import altair as alt

    names = ("across", "middle", "lower", "upper")
    base = alt.Chart(alt.InlineData(values=[dict(zip(names, point, strict=True)) for point in points]))
    x = alt.X("across:Q", title=across, axis=alt.Axis(format="%", tickCount=5))
    scale, axis = alt.Scale(domain=[0, 1]), alt.Axis(format="%", tickCount=5)
    band = base.mark_area(color=MARK, opacity=0.25).encode(
        x, alt.Y("lower:Q", title=up, scale=scale, axis=axis), alt.Y2("upper:Q")
    )
    line = base.mark_line(color=MARK, strokeWidth=2.5).encode(x, alt.Y("middle:Q", title=up))
    return _svg(alt.layer(band, line).properties(height=190))


def _svg(chart: Any) -> str:
    """Return a chart as SVG with the colours of the page that it will stand in."""
    import vl_convert

    made = (
        chart.properties(
            width=WIDTH, autosize={"type": "fit", "contains": "padding"}, padding=PADDING, background="transparent"
        )
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=INK, titleColor=INK, domainColor=FAINT, tickColor=FAINT, gridColor=FAINT, gridOpacity=0.25,
            labelFont=FONT, titleFont=FONT, labelFontSize=12, titleFontSize=12, titleFontWeight="normal",
        )
    )  # fmt: skip
    svg: str = vl_convert.vegalite_to_svg(made.to_dict())
    for colour, own in ((INK, "currentColor"), (MARK, "var(--accent)"), (FAINT, "var(--line)")):
        svg = svg.replace(colour, own)
    return svg
