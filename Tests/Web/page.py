"""Scenarios of the page in a real browser. WebTests starts intentd and intentctl web, and then this.

  page.py SCENARIO URL FOLDER

The folder receives screenshots. The scenario prints a line for each step; a failed one ends with a traceback.
"""

import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.parse

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import Browser

scenario, url, folder = sys.argv[1:4]
origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlparse(url))
out = pathlib.Path(folder)


def step(text):
    print(text, flush=True)


def wait_for_file(name):
    """Waits until the test, which controls intentd, creates a file."""
    end = time.monotonic() + 300
    while not (out / name).exists():
        assert time.monotonic() < end, f"the test did not create {name}"
        time.sleep(0.02)


def ask(method, path, headers={}, body=None):
    """Sends a request without a browser. Returns the status, the headers and the body."""
    connection = http.client.HTTPConnection(urllib.parse.urlparse(url).netloc, timeout=30)
    connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read()


def enter(browser):
    browser.driver.get(url)
    browser.see("Probe")
    # The key is not in the address that a user may copy.
    assert "key=" not in browser.driver.current_url, browser.driver.current_url


def features():
    with Browser(out) as browser:
        enter(browser)
        step("the catalogue lists the intents")
        browser.see("Catalogue", "Advance every 100 ms")
        browser.shoot("catalogue")
        browser.check_accessibility("catalogue")
        browser.find("#search").send_keys("echo")
        browser.wait("the search hides others", lambda: "Advance every" not in browser.text())

        step("an intent runs from its form, and its value is shown")
        browser.go("#/intent/Probe/Echo")
        browser.press("Run")
        browser.see("expected a value")
        browser.type("Text", "it's <b>here</b>")
        browser.see("intentctl run Probe/Echo --text 'it'\\''s <b>here</b>'")
        browser.check_accessibility("form")
        browser.shoot("form")
        browser.press("Run")
        browser.state("done")
        browser.see("it's <b>here</b>", "You said: it's <b>here</b>", "Timeline", "No process of the run is left")
        browser.see("Accepted")
        echo = browser.run_id()

        step("a snippet is shown, and its controls refresh it")
        browser.go("#/intent/Probe/ShowBowls")
        browser.press("Run")
        browser.state("done")
        browser.see("Bowls: 1")
        browser.check_accessibility("snippet")
        browser.press("One more")
        browser.see("Bowls: 2", "Here is your order.")
        toggle = browser.find(".snippet input[role=switch]")
        assert toggle.is_selected()
        browser.shoot("snippet")
        toggle.click()
        browser.see("Bowls: 1")

        step("a run with a question is answered")
        browser.go("#/intent/Probe/AskSomething")
        browser.type("Way", "value")
        browser.press("Run")
        browser.see("How many cups?")
        browser.state("asking")
        browser.shoot("question")
        browser.check_accessibility("question")
        number = browser.find(".ask input")
        number.send_keys("9")
        browser.press("Answer")
        browser.see("5")
        number = browser.find(".ask input")
        number.clear()
        number.send_keys("3")
        browser.press("Answer")
        browser.state("done")
        browser.wait("the value", lambda: browser.find(".value").text == "3")

        step("a question is answered with a file")
        (out / "answer.txt").write_bytes(b"the contents")
        browser.go("#/intent/Probe/AskForFile")
        browser.press("Run")
        browser.state("asking")
        browser.find(".ask input[type=file]").send_keys(str(out / "answer.txt"))
        browser.press("Answer")
        browser.state("done")
        browser.see("answer.txt=the contents")

        step("a question shows its snippet")
        browser.go("#/intent/Probe/AskWithView")
        browser.press("Run")
        browser.state("asking")
        browser.see("Your order: 2 bowls", "One bowl", "Order it?")
        browser.check_accessibility("question with a snippet")
        browser.shoot("question-snippet")
        browser.press("Order")
        browser.state("done")

        step("a confirmation is approved in the inbox")
        browser.go("#/intent/Probe/AskSomething")
        browser.type("Way", "confirm")
        browser.press("Run")
        browser.state("asking")
        confirmed = browser.run_id()
        browser.go("#/inbox")
        browser.see("Order it?", "What you approve", "confirm", confirmed)
        browser.check_accessibility("inbox")
        browser.press("Order")
        browser.wait("the question was removed", lambda: confirmed not in browser.text().split("Answered")[0])
        browser.go(f"#/run/{confirmed}")
        browser.state("done")
        browser.see("ordered")

        step("a request of an agent is approved by what it is bound to")
        browser.go("#/inbox")
        agent = os.environ["AGENT_RUN"]
        data = '"echo from an agent # nothing else\\nrm -rf $HOME/x\\u{202E}"'
        browser.see("Probe/Echo", "Values: text=" + data, "Digest", agent)
        assert browser.find(".ask .data").text == data, browser.find(".ask .data").text
        digest = browser.find(".ask p > code").text
        assert len(digest) == 64, digest
        browser.check_accessibility("approval")
        browser.shoot("inbox")
        browser.press("Allow")
        browser.see("No question waits for you.")
        browser.go(f"#/run/{agent}")
        browser.state("done")
        browser.see("You said: echo from an agent # nothing else\nrm -rf $HOME/x\\u{202E}")
        shown = [element.text for element in browser.driver.find_elements(By.CSS_SELECTOR, "dd .data")]
        assert shown == [data, f"intentctl run Probe/Echo --text $'echo from an agent # nothing else\\nrm -rf $HOME/x\\U0000202E'"], shown
        browser.check_accessibility("run with several lines in a value")
        browser.shoot("run-value")

        step("a standing approval is listed and revoked")
        browser.go("#/inbox")
        browser.see("Standing approvals", os.environ["STANDING_RUN"], "later requests of agents of this user for Probe/Add")
        browser.check_accessibility("standing approval")
        browser.press("Revoke")
        browser.wait("the approval was removed", lambda: "Standing approvals" not in browser.text())

        step("progress is shown, and a cancelled run leaves nothing")
        browser.go("#/intent/Probe/Ticking")
        browser.press("Run")
        browser.see("Ticking", "Ends in")
        browser.wait("progress advances", lambda: browser.progress() > 0.001)
        ticking = browser.run_id()
        browser.go("#/now")
        browser.see("Now", "running")
        browser.wait("the run is listed", lambda: browser.driver.find_elements(By.CSS_SELECTOR, f"a[href='#/run/{ticking}']"))
        browser.see("The last hour", "Runs per minute, by outcome", "p95")
        browser.shoot("now")
        browser.check_accessibility("now")
        browser.go(f"#/run/{ticking}")
        browser.press("Cancel")
        browser.state("cancelled")
        browser.see("a user cancelled it", "No process of the run is left", "Timeline")
        browser.wait("the timeline has the cancellation", lambda: "Cancel" in browser.find(".timeline").text)
        browser.shoot("run")
        browser.check_accessibility("run")

        step("memory and processor time are shown over time")
        browser.go("#/intent/Probe/Consume")
        browser.type("Mebibytes", "64")
        browser.press("Run")
        browser.state("running")
        consuming = browser.run_id()
        bars = lambda: browser.driver.execute_script("return ['memory', 'processor'].map((name) => document.querySelectorAll(`svg rect.${name}`).length)")
        browser.wait("two samples are drawn", lambda: min(bars()) >= 2)
        browser.see("Memory in use: at most ", "Processor in use")
        browser.press("Cancel")
        browser.state("cancelled")
        browser.wait("the samples remain", lambda: min(bars()) >= 2)
        browser.check_accessibility("usage")
        browser.shoot("usage")

        step("a crash tells where it happened")
        browser.go("#/intent/Probe/CrashInFunction")
        browser.type("Kind", "message")
        browser.press("Run")
        browser.state("crashed")
        browser.see("the order has no address", "in thread", "For functions and lines:", f"intentctl why {browser.run_id()}")
        places = browser.driver.execute_script("return [...document.querySelectorAll('section[aria-label=Crash] li')].map((node) => node.textContent)")
        assert any("Probe" in place for place in places), places
        browser.check_accessibility("crash")
        browser.shoot("crash")

        step("a form begins with the values of the run that is repeated")
        browser.go(f"#/run/{ticking}")
        browser.state("cancelled")
        browser.find("#content a[href^='#/intent/Probe/Ticking/']").click()
        browser.wait("the value", lambda: browser.field("Seconds").get_attribute("value") == "60")

        step("the sentence of a form follows its values")
        browser.go("#/intent/Probe/Travel")
        browser.see("Stay at home")
        browser.type("Town", "Ulm")
        browser.see("Take the train to Ulm")
        browser.choose("Vehicle", "Bicycle")
        browser.see("Cycle to Ulm")

        step("options are asked live, and a secret is in no text")
        browser.go("#/intent/Library/RenameBookIntent")
        field = browser.field("Book")
        field.send_keys("d")
        options = lambda: browser.driver.execute_script("return [...document.querySelectorAll('datalist option')].map((option) => option.label)")
        browser.wait("books are offered", lambda: options())
        browser.type("New title", "Other")
        browser.see("Other")
        browser.check_accessibility("options")
        browser.go("#/intent/Probe/SignIn")
        browser.type("User", "alice")
        browser.type("Password", "hunter22")
        assert browser.field("Password").get_attribute("type") == "password"
        browser.find("#remember").click()
        browser.press("Run")
        browser.state("done")
        browser.see("(secret, not recorded)")
        assert "hunter22" not in browser.text()
        assert "hunter22" not in browser.driver.execute_script("return JSON.stringify(localStorage)")
        browser.go("#/intent/Probe/SignIn")
        browser.wait("the user is remembered", lambda: browser.field("User").get_attribute("value") == "alice")

        step("output arrives")
        browser.go("#/intent/Probe/Prints")
        browser.type("Text", "printed \u202e text")
        browser.press("Run")
        browser.state("done")
        browser.wait("output", lambda: "printed \\u{202E} text" in browser.find("pre[role=log]").text)

        step("a file of 9 MB goes to a run and comes back")
        data = os.urandom(1 << 20) * 9
        (out / "big file.bin").write_bytes(data)
        browser.go("#/intent/Probe/EchoFile")
        browser.field("File").send_keys(str(out / "big file.bin"))
        browser.press("Run")
        browser.state("done")
        browser.press("Save")
        browser.wait("the file is saved", lambda: [file for file in browser.downloads.iterdir() if file.suffix == ".bin"])
        saved = [file for file in browser.downloads.iterdir() if file.suffix == ".bin"][0]
        browser.wait("the file is whole", lambda: saved.stat().st_size == len(data))
        assert saved.read_bytes() == data

        step("an archive is packed, for the picture in README")
        browser.go("#/intent/Archive/CompressIntent")
        (out / "report.txt").write_bytes(b"a line of the report\n" * 200_000)
        browser.field("File").send_keys(str(out / "report.txt"))
        browser.press("Run")
        browser.state("done")
        browser.see("report.txt", "Timeline", "Owner")
        browser.wait("the timeline is complete", lambda: "running" in browser.find(".legend").text)
        browser.shoot("archive")

        step("a run is undone")
        browser.go("#/intent/Probe/RememberWord")
        browser.type("Word", "plum")
        browser.press("Run")
        browser.state("done")
        first = browser.run_id()
        browser.press("Undo: Remember plum")
        browser.wait("the undo is shown", lambda: browser.run_id() != first)
        browser.state("done")
        browser.see("ForgetWord")

        step("history has filters")
        browser.go("#/history")
        browser.wait("runs are listed", lambda: browser.driver.find_elements(By.CSS_SELECTOR, f"a[href='#/run/{echo}']"))
        browser.shoot("history")
        browser.check_accessibility("history")
        browser.choose("State", "cancelled")
        browser.wait("others are hidden", lambda: not browser.driver.find_elements(By.CSS_SELECTOR, f"a[href='#/run/{echo}']"))
        assert browser.driver.find_elements(By.CSS_SELECTOR, f"a[href='#/run/{ticking}']")
        browser.press("Export")
        browser.wait("the runs are saved", lambda: list(browser.downloads.glob("*.jsonl")))
        exported = list(browser.downloads.glob("*.jsonl"))[0]
        browser.wait("the file is whole", lambda: exported.read_text().endswith("\n"))
        assert [json.loads(line)["run"] for line in exported.read_text().splitlines()] == [consuming, ticking]
        browser.choose("State", "all")
        browser.wait("all are listed", lambda: browser.driver.find_elements(By.CSS_SELECTOR, f"a[href='#/run/{echo}']"))

        step("an ended run is shown with its output, its values and its timeline")
        browser.driver.refresh()
        browser.see("History")
        browser.go(f"#/run/{echo}")
        browser.state("done")
        browser.see("You said:", "Timeline", "Owner")

        step("the host is described")
        browser.go("#/host")
        browser.see("Protections in place", "Limits", "Probe", "Check of the host", "Schedules")
        browser.shoot("host")
        browser.check_accessibility("host")

        step("both languages have every text")
        texts = browser.driver.execute_async_script("const done = arguments[arguments.length - 1]; import('/js/strings.js').then((module) => done(module.TEXTS))")
        # A text that is the same in both languages stands once.
        same = {"app", "intent", "intents", "isolation", "sandbox", "version"}
        assert all(len(pair) == (1 if key in same else 2) and all(pair) for key, pair in texts.items()), texts
        sources = pathlib.Path(__file__).parents[2] / "Sources/Remote/intentd-web/page/js"
        used = {key for source in sources.glob("*.js") for key in re.findall(r'\b(?:t|heading)\("([^"]+)"', source.read_text())}
        assert used - set(texts) <= {"p50", "p95"}, used - set(texts)

        step("the keyboard reaches the views")
        browser.driver.refresh()
        browser.see("Protections in place")
        names = []
        for _ in range(3):
            ActionChains(browser.driver).send_keys(Keys.TAB).perform()
            names.append(browser.driver.switch_to.active_element.text)
        assert names == ["Skip to the content", "Catalogue", "Now"], names
        ActionChains(browser.driver).send_keys(Keys.ENTER).perform()
        browser.wait("the view is shown", lambda: browser.find("h1").text == "Now")

        step("German, dark, and the width of a phone")
        browser.go("#/host")
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True})
        Select(browser.find("#language select")).select_by_visible_text("Deutsch")
        browser.see("Katalog", "Grenzen")
        for fragment in ["#/catalogue", "#/now", "#/history", f"#/run/{ticking}", "#/intent/Probe/AskSomething"]:
            browser.go(fragment) if "run" not in fragment else browser.driver.execute_script("location.hash = arguments[0]", fragment)
            if "run" in fragment:
                browser.state("cancelled")
                browser.see("Zeitleiste")
            width = browser.driver.execute_script("return document.documentElement.scrollWidth")
            assert width <= 390, f"{fragment} is {width} pixels wide"
            browser.check_accessibility(f"{fragment}, dark")
            browser.shoot("dark-" + fragment.split("/")[1])

        browser.check_complaints()
        foreign = browser.foreign_requests(origin)
        assert foreign == [], foreign


def restart():
    with Browser(out) as browser:
        enter(browser)
        browser.go("#/intent/Probe/TickUntilFile")
        browser.press("Run")
        browser.state("running")
        browser.wait("progress advances", lambda: browser.progress() > 0)
        step("running")
        wait_for_file("killed")
        browser.wait("the page says that intentd is away", lambda: browser.driver.find_element(By.ID, "banner").is_displayed())
        step("away")
        wait_for_file("restarted")
        browser.wait("the page is connected again", lambda: browser.driver.find_element(By.TAG_NAME, "body").get_attribute("data-state") == "open")
        before = browser.progress()
        browser.wait("progress goes on", lambda: browser.progress() > before)
        step("continues")
        browser.state("done")

        step("a lost link is replaced, and no event is lost or repeated")
        browser.go("#/intent/Probe/Ticking")
        browser.press("Run")
        browser.see("Ticking")
        browser.driver.execute_cdp_cmd("Network.enable", {})
        browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
        browser.wait("the page is offline", lambda: browser.driver.find_element(By.TAG_NAME, "body").get_attribute("data-state") == "lost")
        browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
        browser.wait("the page is connected again", lambda: browser.driver.find_element(By.TAG_NAME, "body").get_attribute("data-state") == "open")
        browser.press("Cancel")
        browser.state("cancelled")


# Loses the answer to a part of a file that has arrived, and cuts a file that is received.
CUTS = """
    const send = window.fetch;
    window.cuts = [];
    window.fetch = async (path, options) => {
        const response = await send(path, options);
        const { method, headers } = options;
        if (method === "PATCH" && !window.cuts.length) {
            window.cuts.push(headers["Upload-Offset"]);
            throw new TypeError("cut");
        }
        if (!path.endsWith("/files/0")) return response;
        window.cuts.push(headers.Range ?? "");
        if (headers.Range) return response;
        const reader = response.body.getReader();
        const body = new ReadableStream({ pull: async (controller) => {
            if (window.part) return controller.error(new TypeError("cut"));
            window.part = (await reader.read()).value;
            controller.enqueue(window.part);
        } });
        return new Response(body, { headers: response.headers });
    };"""


def cut():
    """Files continue after a connection was lost."""
    with Browser(out) as browser:
        driver = browser.driver
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CUTS})
        enter(browser)

        step("an upload continues where it was cut")
        data = os.urandom(1 << 20) * 21
        (out / "large.bin").write_bytes(data)
        browser.go("#/intent/Probe/EchoFile")
        browser.field("File").send_keys(str(out / "large.bin"))
        browser.press("Run")
        browser.state("done")
        assert driver.execute_script("return window.cuts") == [str(4 << 20)]

        step("a download continues where it was cut")
        browser.press("Save")
        browser.wait("the file is whole", lambda: [file for file in browser.downloads.glob("*.bin") if file.stat().st_size == len(data)])
        assert next(browser.downloads.glob("*.bin")).read_bytes() == data
        cuts, size = driver.execute_script("return [window.cuts.slice(1), window.part.length]")
        assert cuts == ["", f"bytes={size}-"] and 0 < size < len(data), (cuts, size)


def host():
    """The page of another host, over ssh."""
    with Browser(out) as browser:
        enter(browser)
        browser.go("#/intent/Probe/EchoFile")
        (out / "there.txt").write_bytes(b"there and back")
        browser.field("File").send_keys(str(out / "there.txt"))
        browser.press("Run")
        browser.state("done")
        browser.press("Preview")
        browser.see("there and back")
        browser.go("#/intent/Probe/Ticking")
        browser.press("Run")
        browser.wait("progress advances", lambda: browser.progress() > 0)
        step("advances")
        wait_for_file("killed")
        before = browser.progress()
        browser.wait("progress goes on over another ssh", lambda: browser.progress() > before)
        browser.press("Cancel")
        browser.state("cancelled")


# A clock that is five hours ahead.
WRONG_CLOCK = "const now = Date.now; Date.now = () => now() + 5 * 3600000;"


def cockpit():
    """The module of Cockpit: URL is that of Cockpit. USER and PASSWORD log in; with PASSWORD empty, Cockpit has a session."""
    user, password = os.environ["COCKPIT_USER"], os.environ["COCKPIT_PASSWORD"]
    with Browser(out) as browser:
        browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WRONG_CLOCK})
        if password:
            step("the login is Cockpit's")
            browser.driver.get(origin + "/intentd")
            if os.environ.get("COCKPIT_ADMIN"):
                # What a login stores after the user has switched administrative access on.
                browser.driver.execute_script("localStorage.setItem('superuser:' + arguments[0], 'any')", user)
            # Cockpit shows the form once it has checked the browser.
            browser.wait("the login is shown", lambda: browser.find("#login-password-input").is_displayed())
            browser.find("#login-user-input").send_keys(user)
            browser.find("#login-password-input").send_keys(password)
            browser.find("#login-button").click()
            frame = browser.wait("the page is shown in Cockpit", lambda: browser.driver.find_element(By.CSS_SELECTOR, "iframe[name*='intentd']"))
            browser.shoot("cockpit-frame")
            browser.driver.switch_to.frame(frame)
        else:
            browser.driver.get(origin + "/cockpit/@localhost/intentd/index.html")
        browser.see("Probe")

        step("an intent runs with a file, which comes back")
        data = os.urandom(3 << 20)
        (out / "cockpit.bin").write_bytes(data)
        browser.go("#/intent/Probe/EchoFile")
        browser.field("File").send_keys(str(out / "cockpit.bin"))
        browser.press("Run")
        browser.state("done")
        browser.press("Save")
        browser.wait("the file is whole", lambda: [file for file in browser.downloads.glob("*.bin") if file.stat().st_size == len(data)])
        assert next(browser.downloads.glob("*.bin")).read_bytes() == data
        browser.see(f"Owner\n{os.environ.get('COCKPIT_OWNER', user)}")

        step("the last hour is the host's, whatever the browser's clock says")
        browser.go("#/now")
        browser.see("The last hour", "Runs per minute, by outcome")

        step("the host is described")
        browser.go("#/host")
        browser.see("Check of the host", "Limits")
        browser.shoot("cockpit")
        if os.environ.get("FOREIGN_RUN"):
            browser.driver.execute_script("location.hash = arguments[0]", f"#/run/{os.environ['FOREIGN_RUN']}")
            browser.see(os.environ["FOREIGN_TEXT"])


def omitted():
    """Each app's catalogue can be searched, although the list of apps has no room for all of them."""
    with Browser(out) as browser:
        enter(browser)
        search = browser.find("#search")
        for app in ("many", "more", "most"):
            search.clear()
            search.send_keys(f"{app} Tell399")
            browser.wait(f"{app} is found", lambda: browser.driver.execute_script(
                "return [...document.querySelectorAll('.card a')].map((link) => link.getAttribute('href')).join()"
            ) == f"#/intent/{app}/Tell399")
        browser.check_complaints()


def many():
    with Browser(out) as browser:
        enter(browser)
        browser.go("#/now")
        rows = lambda: browser.driver.execute_script("return document.querySelectorAll('[role=row]').length")
        count = lambda: browser.driver.execute_script("return Number(document.querySelector('[role=table]')?.getAttribute('aria-rowcount') ?? 0)")
        browser.wait("1,000 runs are listed", lambda: count() > 1000)
        assert rows() <= 200, rows()
        # The time of scripts for each frame, while the list scrolls from its begin to its end.
        times = browser.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            const box = document.querySelector('.long-scroll');
            const times = [];
            const original = window.requestAnimationFrame;
            window.requestAnimationFrame = (callback) => original((time) => {
                const start = performance.now();
                callback(time);
                times.push(performance.now() - start);
            });
            let most = 0;
            const next = () => {
                box.scrollTop += 400;
                most = Math.max(most, document.querySelectorAll('[role=row]').length);
                if (box.scrollTop + box.clientHeight >= box.scrollHeight - 1) {
                    done({ times, most, memory: performance.memory.usedJSHeapSize });
                } else original(next);
            };
            next();
        """)
        assert times["most"] <= 200, times["most"]
        links = browser.driver.execute_script("return [...document.querySelectorAll('.long-body a')].map((link) => link.getAttribute('href'))")
        assert len(links) > 10 and len(set(links)) == len(links), links
        assert times["memory"] < 100 << 20, times["memory"]
        sorted_times = sorted(times["times"])
        print("rows", times["most"], "frames", len(sorted_times), "p95 ms", sorted_times[int(len(sorted_times) * 0.95)], "memory", times["memory"])
        browser.shoot("many")
        browser.check_complaints()


def large():
    """A history of many runs. The oldest failed."""
    count = int(os.environ["RUN_COUNT"])
    with Browser(out) as browser:
        enter(browser)
        shown = lambda: browser.driver.execute_script("return Number(document.querySelector('[role=table]')?.getAttribute('aria-rowcount') ?? 1) - 1")
        # Scrolls to the end of the list until it has that many rows. Returns the milliseconds that each page took.
        scroll_part = lambda rows: browser.driver.execute_async_script("""
            const [rows, done] = arguments;
            const box = document.querySelector('.long-scroll');
            const table = document.querySelector('[role=table]');
            const count = () => Number(table.getAttribute('aria-rowcount')) - 1;
            const times = [];
            let known = count();
            let start = performance.now();
            const step = () => {
                if (count() > known) {
                    times.push(performance.now() - start);
                    known = count();
                    start = performance.now();
                }
                if (known >= rows) return done(times);
                box.scrollTop = box.scrollHeight;
                setTimeout(step, 1);
            };
            step();
        """, rows)
        # The driver waits two minutes for the answer to one command.
        scroll = lambda rows: [time for part in range(shown() + 1000, rows + 1000, 1000) for time in scroll_part(min(part, rows))]
        report = lambda what, times: print(what, len(times), "p50 ms", sorted(times)[len(times) // 2], "p99 ms", sorted(times)[int(len(times) * 0.99)], flush=True)

        step("the first page")
        start = time.monotonic()
        browser.go("#/history")
        browser.wait("runs are listed", lambda: shown() >= 100)
        print("first page ms", (time.monotonic() - start) * 1000)

        step("every run is reachable")
        browser.driver.set_script_timeout(600)
        report("pages", scroll(20000))
        newest = browser.driver.execute_script("return document.querySelector('.long-body a').getAttribute('href')")
        browser.press("Older runs")
        browser.wait("older runs are listed", lambda: browser.driver.execute_script("return document.querySelector('.long-body a').getAttribute('href')") != newest)
        report("older pages", scroll(min(20000, count - 20000)))
        browser.press("Newest runs")
        browser.wait("the newest runs are listed", lambda: shown() < 20000)

        step("a filter finds the oldest run")
        start = time.monotonic()
        browser.choose("State", "failed")
        browser.wait("the run is found", lambda: shown() == 1 and "+" not in browser.find(".toolbar [role=status]").text)
        print("rare run ms", (time.monotonic() - start) * 1000)

        step("the last hour is drawn")
        start = time.monotonic()
        browser.go("#/now")
        browser.see("Runs per minute, by outcome")
        print("last hour ms", (time.monotonic() - start) * 1000)
        browser.shoot("large")
        browser.check_complaints()


def hostile():
    step("a token opens one session")
    status, headers, _ = ask("GET", "/enter?token=" + "0" * 32)
    assert status == 403, status
    with Browser(out) as browser:
        enter(browser)
        status, headers, _ = ask("GET", url[len(origin):])
        assert status == 403 and "Set-Cookie" not in headers
        cookies = browser.driver.get_cookies()
        assert len(cookies) == 1 and cookies[0]["httpOnly"] and cookies[0]["sameSite"] == "Strict", cookies
        cookie = f"{cookies[0]['name']}={cookies[0]['value']}"
        key = browser.driver.execute_script("return localStorage.getItem('intentd.key')")

        step("forged requests reach nothing")
        for headers, status in [
            ({}, 403), ({"Cookie": cookie, "Host": "attacker.example"}, 403),
            ({"Cookie": cookie, "Host": "attacker.example:80", "Origin": "http://attacker.example:80"}, 403),
            ({"Cookie": cookie, "Origin": "http://attacker.example"}, 403), ({"Cookie": cookie, "Origin": "null"}, 403),
            ({"Cookie": cookie[:-1] + ("0" if cookie[-1] != "0" else "1")}, 403), ({"Cookie": cookie}, 200),
        ]:
            assert ask("GET", "/", headers)[0] == status, headers
        for headers in [{"Cookie": cookie}, {"X-Intentd-Key": key}, {"Cookie": cookie, "X-Intentd-Key": "0" * 32},
                        {"Cookie": cookie, "X-Intentd-Key": key, "Sec-Fetch-Site": "cross-site"}]:
            assert ask("GET", "/v1/runs", headers)[0] == 403, headers
        for headers in [{"Cookie": cookie, "X-Intentd-Key": key}, {"Cookie": cookie, "Origin": origin},
                        {"Cookie": cookie, "X-Intentd-Key": key, "Origin": "http://attacker.example"}]:
            assert ask("POST", "/v1/files", headers, b"x")[0] == 403, headers
        good = {"Cookie": cookie, "X-Intentd-Key": key, "Origin": origin}
        assert ask("POST", "/v1/files", good, b"x")[0] == 201
        assert ask("POST", "/link", good, b"x")[0] == 405
        for path in ["/../../etc/passwd", "/%2e%2e/etc/passwd", "/js/..%2findex.html", "//etc/passwd", "/js", "/manifest.json"]:
            assert ask("GET", path, {"Cookie": cookie})[0] == 404, path
        assert ask("PUT", "/", {"Cookie": cookie})[0] == 405
        _, headers, _ = ask("GET", "/", {"Cookie": cookie})
        policy = headers["Content-Security-Policy"]
        assert "script-src 'self';" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer"
        assert "Access-Control-Allow-Origin" not in headers

        step("a form of another site is refused")
        page = out / "attack.html"
        page.write_text(f"<form id=f method=post action='{origin}/v1/files'><input name=a value=b></form><script>f.submit()</script>")
        browser.driver.get(page.as_uri())
        browser.see("this request came from another site")
        browser.driver.get(f"data:text/html,<iframe src='{origin}/'></iframe><script>fetch('{origin}/v1/runs').catch(() => document.title = 'refused')</script>")
        browser.wait("a fetch of another site is refused", lambda: browser.driver.title == "refused")

        step("texts of an app are texts")
        browser.driver.get(origin + "/#/catalogue")
        browser.see("Probe")
        browser.complaints()
        browser.go("#/catalogue")
        browser.see("<img src=x onerror=alert(1)>")
        browser.shoot("hostile-catalogue")
        assert browser.driver.execute_script("return document.querySelectorAll('main img, main script, main iframe').length") == 0
        longest = browser.driver.execute_script("return Math.max(...[...document.querySelectorAll('bdi')].map((node) => node.textContent.length))")
        assert longest <= 500, longest
        assert browser.driver.execute_script("return !/[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.textContent)")
        browser.go("#/intent/Attacker/Lie")
        browser.type("Kind", "payload")
        browser.type("Detail", '{"type":"question","question":{"number":1,"text":"<script>document.title=\\"taken\\"</script>\\u202e evil","type":"string"}}')
        browser.press("Run")
        browser.see('<script>document.title="taken"</script>')
        assert browser.driver.title != "taken"
        browser.shoot("hostile-run")
        browser.press("Cancel")
        browser.state("cancelled")
        browser.check_complaints()

        step("a file is shown as a picture only with the type of a picture, whatever its app claims")
        types = browser.driver.execute_async_script("""
            const [files, done] = arguments;
            import("/js/dom.js").then(({ pictureType }) => done(files.map(pictureType)), (error) => done(String(error)));""", [
            {"name": "a.png", "contentType": "text/html"}, {"name": "a.PNG"}, {"name": "a", "contentType": "image/webp"},
            {"name": "a.svg", "contentType": "image/svg+xml"}, {"name": "a.html", "contentType": "application/xhtml+xml"},
            {"name": "a.constructor"}, {"name": "a.png", "contentType": "image/png; charset=x"}, {"name": ""}, {}])
        assert types == ["image/png", "image/png", "image/webp", None, None, None, "image/png", None, None], types

        step("an address that names no view shows the catalogue")
        for fragment in ["#/constructor", "#/__proto__", "#/toString/a", "#/%zz", "#/hasOwnProperty"]:
            browser.driver.execute_script("location.hash = '#/now'")
            browser.wait("the view now", lambda: browser.driver.title.startswith("Now"))
            browser.driver.execute_script("location.hash = arguments[0]", fragment)
            browser.wait(f"the catalogue at {fragment}", lambda: browser.driver.title.startswith("Catalogue"))
        browser.check_complaints()

# For each type of parameter: its declaration, and values as JSON, which a form must keep as they are.
VALUES = [
    ({"type": "string"}, ["word", "", " spaces ", "two\nlines\n", "a\r\nb\rc", "--help", "--", "-5", "=ls", "it's $HOME `x` \\ \"q\" !1", "\u202eevil\t", "1-2", "{\"object\":1}"]),
    ({"type": "string", "isSecret": True}, ["-----BEGIN KEY-----\nabc\n-----END KEY-----"]),
    ({"type": "string", "defaultValue": "two\nlines"}, ["", "one"]),
    ({"type": "string", "hasOptions": True}, ["two\nlines"]),
    ({"type": "int"}, [0, -5, 9223372036854775807, -9223372036854775808]),
    ({"type": "int", "defaultValue": 3}, [0, 5]),
    ({"type": "double"}, [0.1, -1.5, 1e300, 5e-324, 12345678901234567000, "inf"]),
    ({"type": "duration"}, [0.25, 3600]),
    ({"type": "decimal"}, ["12.50", "-0.10", "1234567890123456789012345.10"]),
    ({"type": "bool"}, [True, False]),
    ({"type": "bool", "defaultValue": True}, [False]),
    ({"type": {"enum": [{"value": "a", "title": "A"}, {"value": "--b", "title": "B"}]}}, ["a", "--b", "removed since"]),
    ({"type": "date"}, ["2026-11-21T09:30:15Z", "2026-11-21T09:30:15.25+01:00", "2026-10-25T02:30:00+01:00", "0001-02-03T04:05:06Z"]),
    ({"type": "date", "dateKind": "date"}, ["2026-11-21T00:00:00+01:00", "2026-11-20T23:00:00Z", "2026-11-21T00:00:00+14:00"]),
    ({"type": "date", "dateKind": "time"}, ["2026-11-21T09:30:15+01:00", "2020-01-01T00:00:00Z"]),
    ({"type": "dateComponents"}, ["2026-11-21 09:30:15", "2026-11-21", "09:30"]),
    ({"type": "dateComponents", "dateKind": "date"}, ["2026-11-21"]),
    ({"type": "dateComponents", "dateKind": "time"}, ["09:30:15", "09:30"]),
    ({"type": "url"}, ["https://example.org/?a=1&b=2#c", "mailto:a@example.org"]),
    ({"type": {"measurement": ["m", "fl oz"]}}, ["5 fl oz", "0.5 m", "7 furlongs", 5]),
    ({"type": {"currencyAmount": []}}, ["12.50 EUR"]),
    ({"type": {"currencyAmount": ["EUR"]}}, ["12.50 EUR", "1 CHF"]),
    ({"type": {"entity": {"name": "Book", "title": "Book", "isSearchable": True}}}, ["dune", "--x", {"object": {"id": "dune", "title": "Dune"}}]),
    ({"type": {"object": {"title": "Weather", "properties": []}}}, [{"object": {"a": {"object": 1}, "n": 9223372036854775807}}, {"object": {"object": {"a": [1, None]}}}, {"object": {}}]),
    ({"type": {"array": "string"}}, [[], ["a", "", "two\nlines", "--b"], ["x"] * 150]),
    ({"type": {"array": "string"}, "defaultValue": ["a", "b"]}, [[], ["c"]]),
    ({"type": {"array": "int"}}, [[], [1, -2]]),
    ({"type": {"array": "bool"}}, [[True, False]]),
    ({"type": {"array": "dateComponents"}, "dateKind": "time"}, [["09:30:15", "10:00"]]),
]


def words_of(line):
    """The words that a shell passes to intentctl."""
    done = subprocess.run(["bash", "-c", "intentctl() { printf '%s\\0' \"$@\"; }\n" + line], capture_output=True, check=True)
    return done.stdout.decode().split("\0")[:-1]


def read_words(words, parameter):
    """The value that intentctl reads from the words after `run`, as JSON."""
    if words[0] == "--json":
        return json.loads(words[1])["aValue"]
    found = []
    words = words[1:]
    while words:
        option, equals, word = words.pop(0).partition("=")
        assert option == "--a-value", option
        if not equals:
            # A word after an option must not look like an option.
            word = "true" if not words or words[0].startswith("--") else words.pop(0)
        found.append(word)
    return found


def values():
    with Browser(out, width=390) as browser:
        driver = browser.driver
        # The order in which a date is typed depends on the browser.
        fill = lambda label, value: driver.execute_script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))", browser.field(label), value)
        zone = lambda name: driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": name})
        zone("Europe/Berlin")
        enter(browser)

        step("every value of every type survives a control, the storage and the command line")
        cases = [({"name": "aValue", "title": "A", "isOptional": True, **declaration}, value) for declaration, list in VALUES for value in list]
        results = driver.execute_async_script("""
            const [cases, done] = arguments;
            (async () => {
                const { commandLine, makeControl } = await import("/js/values.js");
                const { parse, stringify } = await import("/js/json.js");
                return cases.map((text) => {
                    const [parameter, value] = parse(text);
                    const results = [];
                    for (const given of [value, parse(stringify(value))]) {
                        const control = makeControl(parameter, { onInput() {} });
                        document.body.append(control.element);
                        control.write(given);
                        const read = control.read([]);
                        results.push(stringify(read ?? null), commandLine("App", "Intent", { aValue: read }));
                        control.element.remove();
                    }
                    return results;
                });
            })().then(done, (error) => done(String(error.stack)));""", [json.dumps(case) for case in cases])
        assert isinstance(results, list), results
        for (parameter, value), (first, line, second, _) in zip(cases, results):
            about = f"{parameter['type']} {value!r}: {first} {line}"
            assert json.loads(first) == value and json.loads(second) == value, about
            words = words_of(line)
            assert words[0] == "run" and "App/Intent" in words, about
            if words[1] == "--json":
                assert json.loads(words[2])["aValue"] == value, about
                continue
            wanted = [item["object"] if isinstance(item, dict) else item for item in (value if isinstance(value, list) else [value])]
            given = [json.loads(word) if isinstance(item, (dict, bool, int, float)) else word for item, word in zip(wanted, read_words(words[1:], parameter))]
            assert given == wanted, f"{about} {given}"
        options = {"paymentMethod": "payment-method", "imageURL": "image-url", "URLPath": "url-path", "a_b": "a-b", "x2Y": "x2-y", "ÄpfelÖl": "äpfel-öl"}
        assert driver.execute_async_script("""
            const [names, done] = arguments;
            import("/js/values.js").then(({ commandLine }) => done(names.map((name) => commandLine("A", "B", { [name]: "v" }))));""", list(options)) \
            == [f"intentctl run A/B " + (f"--{name} v" if name.isascii() else f"'--{name}' v") for name in options.values()]

        step("what is not a value is refused, and nothing runs")
        browser.go("#/intent/Values/Take")
        browser.type("number", "1-2")
        browser.press("Run")
        browser.see("expected a whole number")
        browser.type("number", "-5")
        browser.type("ratio", "1,5")
        browser.press("Run")
        browser.see("expected a number")
        browser.type("ratio", "1.5")
        browser.field("day").send_keys("1")
        browser.press("Run")
        browser.see("expected a complete date or time")
        fill("day", "2026-11-21")
        fill("moment", "2026-03-29T02:30:15")
        browser.press("Run")
        browser.see("this time does not exist")
        fill("moment", "2026-11-21T09:30:15")
        fill("clock", "09:30:15")

        step("several lines are typed and pasted")
        browser.field("text").send_keys("--one", Keys.SHIFT, Keys.ENTER, Keys.NULL, "two")
        driver.execute_script("""
            const data = new DataTransfer();
            data.setData("text", "-----BEGIN\\nEND-----\\n");
            arguments[0].dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));""", browser.field("key"))
        assert driver.execute_script("return getComputedStyle(arguments[0]).webkitTextSecurity", browser.field("key")) == "disc"
        browser.press("Add a value")
        driver.switch_to.active_element.send_keys("--x")
        browser.check_accessibility("values")
        browser.shoot("values")

        step("reload, another language and Back keep the form")
        shown = lambda: driver.execute_script("return [...document.querySelectorAll('form input:not([type=password]):not([type=checkbox]), form textarea:not(.secret)')].map((field) => field.value)")
        before = shown()
        assert "--one\ntwo" in before and "2026-11-21T09:30:15" in before, before
        driver.refresh()
        browser.wait("the form is filled after a reload", lambda: shown() == before)
        for name in ["Deutsch", "English"]:
            Select(browser.find("#language select")).select_by_visible_text(name)
            browser.wait(f"the form is filled in {name}", lambda: browser.find("#language select").get_attribute("value") == name[:2].lower() and shown() == before)
        driver.execute_script("""
            const data = new DataTransfer();
            data.setData("text", "-----BEGIN\\nEND-----\\n");
            arguments[0].dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));""", browser.field("key"))
        browser.find("#remember").click()
        line = browser.find(".command").text
        browser.press("Run")
        browser.state("done")
        first = browser.run_id()
        driver.back()
        browser.wait("the form is filled after Back", lambda: shown() == before)

        intentctl = os.environ["INTENTCTL"]
        story = lambda run: json.loads(subprocess.run(["bash", "-c", f"{intentctl} show --output json {run}"], capture_output=True, check=True).stdout)["parameters"]
        given = story(first)
        assert given["text"] == "--one\ntwo" and given["number"] == -5 and given["day"] == "2026-11-21" and given["clock"] == "09:30:15", given
        assert given["moment"] == "2026-11-21T09:30:15+01:00" and given["words"] == ["--x"] and given["ratio"] == 1.5, given

        step("the command line has the same values, and asks for the secret")
        assert "BEGIN" not in line, line
        done = subprocess.run(["bash", "-c", f"intentctl() {{ {intentctl} \"$@\"; }}; {line.replace('intentctl run', 'intentctl run --detach')}"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert story(done.stdout.split()[0]) == given, story(done.stdout.split()[0])

        step("the values are remembered in another time zone, and a repeated run has them and needs its secret")
        zone("America/New_York")
        browser.go("#/catalogue")
        browser.go("#/intent/Values/Take")
        browser.wait("the day is remembered", lambda: browser.field("day").get_attribute("value") == "2026-11-21")
        browser.press("Run")
        browser.state("done")
        assert story(browser.run_id()) == given, story(browser.run_id())
        browser.go(f"#/run/{first}")
        browser.state("done")
        browser.find("#content a[href^='#/intent/Values/Take/']").click()
        browser.wait("the values are shown", lambda: "--one\ntwo" in shown())
        browser.press("Run")
        browser.see("expected a value")
        browser.type("key", "other")
        browser.press("Run")
        browser.wait("the run was repeated", lambda: browser.run_id() != first)
        browser.state("done")
        assert story(browser.run_id()) == given, story(browser.run_id())

        step("each of two equal local times can be entered, survives a reload, and runs")
        zone("Europe/Berlin")
        browser.go("#/intent/Values/Take")
        browser.wait("the form is shown", lambda: driver.find_elements(By.CSS_SELECTOR, ".command"))
        fill("moment", "2026-10-25T02:30:15")
        choice = lambda: browser.find("select[aria-label=UTC]")
        assert [item.text for item in Select(choice()).options] == ["+02:00", "+01:00"]
        assert "2026-10-25T02:30:15+02:00" in browser.find(".command").text
        Select(choice()).select_by_visible_text("+01:00")
        assert "2026-10-25T02:30:15+01:00" in browser.find(".command").text
        browser.check_accessibility("equal times")
        driver.refresh()
        browser.wait("the second time survives a reload", lambda: "2026-10-25T02:30:15+01:00" in browser.find(".command").text)
        browser.type("key", "other")
        browser.press("Run")
        browser.wait("the run began", lambda: "#/run/" in driver.current_url)
        browser.state("done")
        assert story(browser.run_id())["moment"] == "2026-10-25T02:30:15+01:00", story(browser.run_id())
        browser.go("#/intent/Values/Take")
        browser.wait("the form is shown", lambda: driver.find_elements(By.CSS_SELECTOR, ".command"))
        fill("moment", "2026-11-21T09:30:15")
        assert not choice().is_displayed()

        step("what cannot be undone asks, and No is the answer of the Enter key")
        browser.go("#/catalogue")
        browser.see("This cannot be undone.")
        browser.go("#/intent/Values/Erase")
        browser.press("Run")
        browser.find("dialog[open]")
        assert driver.switch_to.active_element.text == "No" and "primary" in driver.switch_to.active_element.get_attribute("class")
        browser.check_accessibility("confirmation")
        browser.shoot("confirmation")
        ActionChains(driver).send_keys(Keys.ENTER).perform()
        browser.wait("the question was closed", lambda: not driver.find_elements(By.TAG_NAME, "dialog"))
        assert "#/intent/" in driver.current_url
        browser.press("Run")
        browser.press("Yes")
        browser.state("done")
        browser.check_complaints()


def tabs():
    """More tabs than a browser opens connections."""
    with Browser(out) as browser:
        enter(browser)
        driver = browser.driver
        state = lambda: driver.find_element(By.TAG_NAME, "body").get_attribute("data-state")
        step("ten tabs of a window are usable, one after the other")
        for _ in range(9):
            driver.switch_to.new_window("tab")
            driver.get(origin + "/#/host")
            browser.wait("the tab is connected", lambda: state() == "open")
            browser.see("Protections in place")
        for handle in driver.window_handles[:3]:
            driver.switch_to.window(handle)
            driver.execute_cdp_cmd("Page.bringToFront", {})
            browser.wait("the first tabs are connected again", lambda: state() == "open")
            browser.go("#/now")
            browser.see("Nothing runs now.")

        step("more windows than a browser has connections follow runs")
        for handle in driver.window_handles[1:]:
            driver.switch_to.window(handle)
            driver.close()
        driver.switch_to.window(driver.window_handles[0])
        for _ in range(8):
            driver.switch_to.new_window("window")
            driver.get(origin + "/#/intent/Probe/TickUntilFile")
            browser.press("Run")
            browser.state("running")
        for handle in driver.window_handles[1:]:
            driver.switch_to.window(handle)
            before = browser.progress()
            browser.wait("progress goes on", lambda: browser.progress() > before)
        browser.shoot("ninth-window")
        for handle in driver.window_handles[1:]:
            driver.switch_to.window(handle)
            browser.press("Cancel")
            browser.state("cancelled")


def output():
    with Browser(out) as browser:
        driver = browser.driver
        enter(browser)
        log = lambda: driver.execute_script("return document.querySelector('pre[role=log]').textContent")

        step("carriage returns, titles, character sets and colours act as on a terminal")
        browser.go("#/intent/Printer/Escapes")
        browser.press("Run")
        browser.state("done")
        browser.wait("the output is shown", lambda: "end" in log())
        assert log() == "100 %\nshort\nbold red\nabd\n\\u{202E}end", repr(log())
        assert driver.title == "done · Print escapes – intentd", driver.title

        step("an ended run with much output shows its end, and says what is missing")
        browser.go("#/intent/Printer/Many")
        browser.press("Run")
        browser.state("done")
        many = browser.run_id()
        driver.refresh()
        browser.state("done")
        browser.see("The beginning is not shown. Everything:", f"intentctl logs {many}")
        browser.wait("the end is shown", lambda: log().endswith("line 40000\n"))
        assert "line 1\n" not in log()

        step("more output leaves the text under the reader where it is")
        browser.go("#/intent/Printer/Endless")
        browser.press("Run")
        browser.wait("the beginning was removed", lambda: "The beginning is not shown." in browser.text())
        # Scrolls to the middle, and returns the line there before and after the page has removed the beginning once more. An
        # observer is called before the browser handles further output, however fast that arrives.
        before, after = driver.execute_async_script("""
            const done = arguments[0], box = document.querySelector('pre[role=log]');
            const first = () => Number(/line (\\d+)\\n/.exec(box.textContent)[1]);
            const line = () => {
                const place = box.getBoundingClientRect();
                const { startContainer: node, startOffset: offset } = document.caretRangeFromPoint(place.left + 20, place.top + 30);
                return node.data.slice(node.data.lastIndexOf("\\n", offset - 1) + 1, node.data.indexOf("\\n", offset));
            };
            box.scrollIntoView({ block: 'center' });
            box.scrollTop = box.scrollHeight * 0.7;
            let before = line(), start = first();
            new MutationObserver((changes, observer) => {
                if (first() === start) return;
                // So much output arrived at once that the line itself was removed.
                if (first() > Number(before.slice(5))) {
                    box.scrollTop = box.scrollHeight * 0.7;
                    [before, start] = [line(), first()];
                    return;
                }
                observer.disconnect();
                done([before, line()]);
            }).observe(box, { characterData: true, subtree: true });""")
        assert before.startswith("line ") and after == before, f"{before} became {after}"
        browser.press("Cancel")
        browser.state("cancelled")

        step("a printed page has everything")
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        assert driver.execute_script("const box = document.querySelector('pre[role=log]'); return box.clientHeight + 2 >= box.scrollHeight")
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        browser.check_complaints()


def surroundings():
    """Browsers, windows and clocks as users have them."""
    patch = WRONG_CLOCK + """
        Object.defineProperty(navigator, "language", { get: () => "en-US@posix" });
        Object.defineProperty(navigator, "languages", { get: () => ["en-US@posix", "en-US"] });"""
    with Browser(out, width=1280) as browser:
        driver = browser.driver
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": patch})
        enter(browser)
        size = lambda width: driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})

        step("a browser with a wrong clock and a strange locale shows the last hour and the history")
        for name in ["Long", "Slow"]:
            browser.go(f"#/intent/Words/{name}")
            if name == "Long":
                browser.type("Word", "w" * 300)
            browser.press("Run")
            browser.state("done" if name == "Long" else "cancelled")
        slow = browser.run_id()
        # A time-out has the colour and the name of a failure.
        browser.see("timed out")
        colour = lambda selector: driver.execute_script("return getComputedStyle(document.querySelector(arguments[0])).color", selector)
        assert colour(".badge.timedOut") == driver.execute_script("const node = document.body.appendChild(document.createElement('i')); node.className = 'failed'; return getComputedStyle(node).color")
        browser.go("#/now")
        browser.see("The last hour", "Runs per minute, by outcome")

        step("charts follow the width of the window")
        widths = lambda: driver.execute_script("return [...document.querySelectorAll('svg.chart')].map((chart) => chart.viewBox.baseVal.width - chart.clientWidth)")
        for width in [700, 390, 1280]:
            size(width)
            browser.wait(f"charts are drawn for {width} pixels", lambda: widths() and not any(widths()))

        step("rows of the history have a title, values and the time of day, also in narrow windows")
        browser.go("#/history")
        browser.see("A long word", 'word="wwww')
        # The row of the ended run names the setting, its value and its place.
        rows = lambda: driver.execute_script("return document.querySelector('.long-body').textContent")
        browser.wait("the row names the limit", lambda: "Runtime=1s (" in rows() and "Words.intents:" in rows())
        cut = "return [...document.querySelectorAll('.long-body .time, .long-body .state')].filter((node) => !node.clientWidth && node.offsetParent === null || node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent)"
        for width in [1280, 900, 390]:
            size(width)
            browser.wait(f"the rows are drawn for {width} pixels", lambda: bool(driver.find_elements(By.CSS_SELECTOR, ".two-lines")) == (width == 390))
            assert driver.execute_script(cut) == [], f"{width}: {driver.execute_script(cut)}"
            assert all(":" in time for time in driver.execute_script("return [...document.querySelectorAll('.long-body .time')].map((node) => node.textContent)"))
            browser.shoot(f"history-{width}")
            browser.check_accessibility(f"history at {width} pixels")

        step("long words do not scroll the page sideways")
        for fragment in ["#/catalogue", "#/now", "#/history", "#/host", "#/intent/Words/Long", f"#/run/{slow}"]:
            driver.execute_script("location.hash = arguments[0]", fragment)
            browser.wait("the view is ready", lambda: driver.find_elements(By.CSS_SELECTOR, f"#content[data-view='{fragment.split('/')[1]}']:not([aria-busy])"))
            width = driver.execute_script("return document.documentElement.scrollWidth")
            assert width <= 390, f"{fragment} is {width} pixels wide"

        step("forced colours show the current view")
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "forced-colors", "value": "active"}]})
        style = "return getComputedStyle(document.querySelector(arguments[0])).outlineStyle"
        assert driver.execute_script(style, "nav a[aria-current]") == "solid" and driver.execute_script(style, "nav a:not([aria-current])") == "none"
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

        step("a printed history has every row")
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        browser.go("#/history")
        browser.see("A long word")
        driver.execute_script("dispatchEvent(new Event('beforeprint'))")
        assert driver.execute_script("const box = document.querySelector('.long-scroll'); return box.clientHeight >= box.scrollHeight && document.querySelectorAll('.long-body .long-row').length === 2")
        browser.check_complaints()


def fleet():
    with Browser(out) as browser:
        enter(browser)
        browser.go("#/host")
        browser.see("Fleet", "web1", "web2", "alive", "draining", " ago", "Free slots")
        browser.check_accessibility("fleet")
        browser.shoot("fleet")
        browser.check_complaints()


def shortcut():
    """The steps of a shortcut with their values, the live one, and what was undone."""
    with Browser(out) as browser:
        enter(browser)
        browser.driver.execute_script("location.hash = arguments[0]", f"#/run/{os.environ['RUN']}")
        browser.see("Steps", "one", "tools/Add", '"a"', "two", "tools/Await", "running")
        assert "s3cret" not in browser.text()
        browser.shoot("shortcut-live")
        step("live")
        browser.see("Undo", "tools/Remove", "cancelled")
        browser.check_accessibility("a shortcut")
        browser.shoot("shortcut")
        browser.check_complaints()


def other_user():
    """The page of another user of the machine: nothing of the first user's runs."""
    with Browser(out) as browser:
        enter(browser)
        browser.go("#/now")
        browser.see("Nothing runs now.")
        browser.go("#/history")
        browser.see("No runs recorded.")
        browser.driver.execute_script("location.hash = arguments[0]", f"#/run/{os.environ['FOREIGN_RUN']}")
        browser.see("This run is not recorded, or is another user's.")


{"features": features, "restart": restart, "cut": cut, "many": many, "omitted": omitted, "shortcut": shortcut, "large": large, "hostile": hostile, "values": values, "tabs": tabs, "output": output, "surroundings": surroundings, "host": host, "fleet": fleet, "cockpit": cockpit, "other-user": other_user}[scenario]()
step("finished")
