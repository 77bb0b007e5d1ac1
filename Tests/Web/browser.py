"""A headless Chromium with what the scenarios of the page need."""

import json
import os
import pathlib
import tempfile
import time

import axe_core_python
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

PATIENCE = 40 * float(os.environ.get("INTENTD_TESTS_PATIENCE", "1"))


class Browser:
    def __init__(self, out, width=1200, height=900, language="en-GB"):
        self.out = pathlib.Path(out)
        self.downloads = pathlib.Path(tempfile.mkdtemp(dir=out))
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            f"--window-size={width},{height}", f"--user-data-dir={tempfile.mkdtemp(dir=out)}",
            "--disable-background-networking", f"--lang={language}",
        ]:
            options.add_argument(argument)
        options.add_experimental_option("prefs", {
            "download.default_directory": str(self.downloads), "intl.accept_languages": language,
        })
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        self.driver.execute_cdp_cmd("Emulation.setLocaleOverride", {"locale": language})

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.driver.quit()

    # What the page shows

    def wait(self, what, condition):
        """Waits until the condition holds, and returns its value."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                value = condition()
                if value:
                    return value
            except (StaleElementReferenceException, WebDriverException):
                value = None
            if time.monotonic() > end:
                self.shoot("failed")
                raise AssertionError(f"never: {what}; the page shows:\n{self.text()}\n{self.complaints()}")
            time.sleep(0.05)

    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    def see(self, *texts):
        for text in texts:
            self.wait(f"'{text}' is shown", lambda: text in self.text())

    def find(self, selector):
        return self.wait(f"{selector} exists", lambda: self.driver.find_elements(By.CSS_SELECTOR, selector))[0]

    def field(self, label):
        """The control with this label."""
        def labelled():
            for element in self.driver.find_elements(By.TAG_NAME, "label"):
                if element.text.split(" (")[0].split("\n")[0] == label:
                    return self.driver.find_element(By.ID, element.get_attribute("for"))
            return None
        return self.wait(f"a field '{label}'", labelled)

    def type(self, label, text):
        field = self.field(label)
        field.clear()
        field.send_keys(text)

    def choose(self, label, title):
        Select(self.field(label)).select_by_visible_text(title)

    def press(self, name):
        """Presses the first button with this text."""
        def pressed():
            for button in self.driver.find_elements(By.TAG_NAME, "button"):
                if button.text == name and button.is_enabled():
                    button.click()
                    return True
            return False
        self.wait(f"a button '{name}'", pressed)

    def go(self, fragment):
        self.driver.execute_script("location.hash = arguments[0]", fragment)
        view = fragment.split("/")[1]
        self.wait(f"the view {view} is ready", lambda: self.driver.find_elements(
            By.CSS_SELECTOR, f"#content[data-view='{view}']:not([aria-busy])"))

    def state(self, state):
        self.wait(f"the run is '{state}'", lambda: self.driver.find_elements(By.CSS_SELECTOR, f"[data-state='{state}'].badge"))

    def progress(self):
        """The fraction that the page shows; 0 without a meter. Read by a single script, because the page replaces the meter."""
        return self.driver.execute_script("return document.querySelector('#content progress')?.value ?? 0")

    def run_id(self):
        self.wait("a run is shown", lambda: "#/run/" in self.driver.current_url)
        return self.driver.current_url.rsplit("/", 1)[1]

    def shoot(self, name):
        self.driver.save_screenshot(str(self.out / f"{name}.png"))

    # What must not be

    def complaints(self):
        """Errors of scripts and violations of the policy, which the browser logs. It also logs each refusal of the API."""
        entries = [entry for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        return [entry["message"] for entry in entries if not (entry["source"] == "network" and "/v1/" in entry["message"])]

    def check_complaints(self):
        complaints = self.complaints()
        assert not complaints, complaints

    def foreign_requests(self, origin):
        """Addresses of other origins that the page has loaded something from."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if not url.startswith((origin, "data:", f"blob:{origin}", "chrome:", "about:")):
                    found.append(url)
        return found

    def check_accessibility(self, view):
        script = pathlib.Path(axe_core_python.__file__).with_name("axe.min.js").read_text()
        self.driver.execute_script(script)
        result = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; axe.run(document).then(done, (error) => done({violations: [{id: String(error), nodes: []}]}))")
        problems = [f"{item['id']}: {[node['html'][:200] for node in item['nodes'][:3]]}" for item in result["violations"]]
        assert not problems, f"{view}: " + "\n".join(problems)
