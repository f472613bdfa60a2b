"""How the page looks: on a phone, in dark and light, to those who see colours otherwise, and without motion."""

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}


def fits(table):
    """Return whether nothing is wider than the window."""
    return table.page.evaluate("() => document.documentElement.scrollWidth <= 360")


def test_a_phone_shows_the_whole_width_and_squares_that_can_be_tapped(sit, server):
    table = sit(server, **PHONE)
    assert fits(table)
    sizes = table.page.evaluate(
        """() => [...document.querySelectorAll(".cell")].map((cell) => cell.getBoundingClientRect())
            .map(({ width, height, left, right }) => [width, height, left, right])"""
    )
    assert len(sizes) == 256
    assert all(width >= 20 and height >= 20 and left >= 0 and right <= 360 for width, height, left, right in sizes)
    table.square("n3").tap()
    assert table.landings() == {"l3", "m4", "n5"}
    table.square("l3").tap()
    expect(table.find("#moves button")).to_have_count(2)
    assert fits(table)
    # The buttons are large enough for a finger.
    low = table.page.evaluate(
        """() => [...document.querySelectorAll(".tools > button, .top button, select")]
            .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().height)"""
    )
    assert min(low) >= 32
    for language in ("en", "ko", "el", "ja", "da"):
        table.page.select_option("#language", language)
        expect(table.find("html")).to_have_attribute("lang", language)
        assert fits(table)
        for dialog in ("#new-dialog", "#rules-dialog", "#link-dialog"):
            inside = table.find(dialog).evaluate(
                """(dialog) => {
                    dialog.showModal();
                    for (const part of dialog.querySelectorAll("details")) part.open = true;
                    const fits = dialog.scrollWidth <= dialog.clientWidth;
                    dialog.close();
                    return fits;
                }"""
            )
            assert inside, (language, dialog)


def _luminance(colour):
    channels = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one, other):
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


COLOURS = """(pairs) => {
    const probe = document.body.appendChild(document.createElement("i"));
    const resolved = (name) => {
        probe.style.color = `var(${name})`;
        return getComputedStyle(probe).color;
    };
    return pairs.map((pair) => pair.map(resolved));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_men_and_marks_stand_out_in_dark_and_light(sit, server, scheme):
    table = sit(server)
    table.page.emulate_media(color_scheme=scheme)
    text = [["--text", "--page"], ["--text", "--card"], ["--faint", "--card"], ["--faint", "--page"]]
    text += [["--on-accent", "--accent"], ["--error", "--card"], ["--text", "--last"]]
    shapes = [["--x-rim", "--square"], ["--o-rim", "--square"], ["--mark", "--square"], ["--focus", "--square"]]
    shapes += [["--x", "--square-2"], ["--o", "--square-2"]]
    contrasts = [_contrast(*pair) for pair in table.page.evaluate(COLOURS, text + shapes)]
    for pair, contrast in zip(text + shapes, contrasts, strict=True):
        assert contrast >= (4.5 if pair in text else 3.0), (pair, contrast)


def test_the_choice_of_colours_is_kept_and_goes_before_the_devices(sit, server):
    table = sit(server)
    background = "() => getComputedStyle(document.documentElement).backgroundColor"
    light = table.page.evaluate(background)
    table.page.select_option("#theme", "dark")
    dark = table.page.evaluate(background)
    assert _luminance(dark) < 0.1 < _luminance(light)
    table.page.reload()
    table.page.wait_for_selector("body[data-ready]")
    assert table.page.evaluate(background) == dark


def test_sides_and_camps_are_told_apart_by_shape(sit, server):
    table = sit(server)
    images = table.page.evaluate(
        """() => ["p1 .man", "a16 .man", "p1", "a16"].map((path) => {
            const [square, rest] = path.split(" ");
            const found = document.querySelector(`[data-square=${square}]` + (rest ? ` ${rest}` : ""));
            return getComputedStyle(found).backgroundImage.replace(/rgb\\([^)]*\\)/g, "colour");
        })"""
    )
    assert len(set(images)) == 4
    assert "none" not in images
