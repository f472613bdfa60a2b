"""The page as a person uses it: taps, and what is to be seen. No rule of the game is here: the server has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Locator, Page, Request

    from web.host import Server

TIMEOUT_MS = 30_000


class Table:
    """A page of a server, with all that went wrong on it in `faults`.

    kind: the settings of its browser, none for a second tab; expected: how a console message begins that is no fault.
    """

    def __init__(self, page: Page, server: Server, kind: str, expected: str) -> None:
        self.page = page
        self.server = server
        self.kind = kind
        self.expected = expected
        self.faults: list[str] = []
        self.spent = False  # no test may have it after this one
        self._hearers = {
            "console": self._hear,
            "pageerror": lambda error: self.faults.append(str(error)),
            "request": self._see,
        }
        page.set_default_timeout(TIMEOUT_MS)
        for event, hearer in self._hearers.items():
            page.on(event, hearer)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not (self.expected and message.text.startswith(self.expected)):
            self.faults.append(message.text)

    def _see(self, request: Request) -> None:
        # Nothing is ever asked of another server.
        address = urlsplit(request.url)
        if address.scheme != "blob" and address.netloc != self.server.place:
            self.faults.append(request.url)

    def open(self, path: str = "") -> None:
        """Open the page, at a link of it if there is one."""
        self.page.goto(path if path.startswith("http") else self.server.address + path)
        self.page.wait_for_selector("body[data-ready]")

    def leave(self) -> bool:
        """Leave nothing behind, and return whether that was possible."""
        if self.spent or self.page.is_closed():
            return False
        for event, hearer in self._hearers.items():
            self.page.remove_listener(event, hearer)
        self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        self.page.emulate_media(color_scheme="light", reduced_motion="reduce")
        self.page.goto("about:blank")
        return True

    def find(self, selector: str) -> Locator:
        """Return an element to be waited for."""
        return self.page.locator(selector)

    def new_game(self, mode: str = "engine", **fields: str) -> None:
        """Begin a game by the form."""
        from playwright.sync_api import expect

        self.page.click("#open-new")
        self.page.check(f"#new-form input[name=mode][value={mode}]")
        for name in sorted(fields, key=["variant", "side", "level", *fields].index):
            field = self.page.locator(f"#new-form [name={name}]")
            if not field.is_visible():
                self.page.click("#new-form summary")
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(fields[name])
            else:
                field.fill(fields[name])
        self.page.click("#new-form [type=submit]")
        expect(self.find("#new-dialog")).to_be_hidden()

    def square(self, name: str) -> Locator:
        """Return a square of the board."""
        return self.page.locator(f"[data-square={name}]")

    def tap(self, *names: str) -> None:
        """Tap squares, one after the other."""
        for name in names:
            self.square(name).click()

    def move(self, text: str) -> None:
        """Tap the two ends of a move, or the button for a pass, and wait until it is made."""
        before = self.find("#moves button").count()
        if text == "pass":
            self.page.click("#pass")
        else:
            squares = text.split("-")
            self.tap(squares[0], squares[-1])
        self.page.wait_for_selector(f"#moves [data-ply='{before + 1}']", state="attached")

    def moves(self) -> list[str]:
        """Return the moves of the list, with their landings."""
        return [
            title or "pass" for title in self.find("#moves button").evaluate_all("all => all.map((one) => one.title)")
        ]

    def men(self) -> dict[str, Any]:
        """Return which man stands on which square, as it is drawn."""
        found: dict[str, Any] = self.page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll(".cell .man")].map((man) =>
                [man.closest(".cell").dataset.square, man.classList.contains("x") ? "x" : "o"]))"""
        )
        return found

    def landings(self) -> set[str]:
        """Return the squares that are marked as landings."""
        marked = self.find(".cell:has(.mark)").evaluate_all("all => all.map((one) => one.dataset.square)")
        return set(marked)

    def status(self) -> str:
        """Return the line below the board."""
        return self.find("#status").inner_text()


def forward(view: dict[str, Any]) -> str:
    """Return the legal move of a view that gains most towards the goal's corner, the straggler's first."""
    side = view["turn"]
    goal = [_place(name) for name in view["goal"][side]]
    corner = (0, view["size"] - 1) if side == "x" else (view["size"] - 1, 0)

    def distance(name: str) -> int:
        file, rank = _place(name)
        return (file - corner[0]) ** 2 + (rank - corner[1]) ** 2

    men = set(view["men"]["x"]) | set(view["men"]["o"])
    empty = [place for place in goal if _name(place) not in men]

    def worth(entry: dict[str, Any]) -> tuple[int, str]:
        if not entry["path"]:
            return 0, ""
        start, end = entry["path"][0], entry["path"][-1]
        gain = distance(start) - distance(end)
        if _place(end) in empty and _place(start) not in goal:
            gain += 40
        return gain, entry["move"]

    return max(view["legal"], key=worth)["move"]


def _place(name: str) -> tuple[int, int]:
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def _name(place: tuple[int, int]) -> str:
    return f"{'abcdefghijklmnop'[place[0]]}{place[1] + 1}"
