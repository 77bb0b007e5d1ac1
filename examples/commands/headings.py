#!/usr/bin/python3
"""Prints the headings of a web page: headings.py URL. The sandbox decides which sites it may fetch from."""
import html.parser
import sys
import urllib.request


class Headings(html.parser.HTMLParser):
    text = None

    def handle_starttag(self, tag, attributes):
        if tag in ("h1", "h2", "h3"):
            self.text = ""

    def handle_data(self, data):
        if self.text is not None:
            self.text += data

    def handle_endtag(self, tag):
        if self.text is not None and tag in ("h1", "h2", "h3"):
            print(self.text.strip())
            self.text = None


with urllib.request.urlopen(sys.argv[1], timeout=60) as page:
    Headings().feed(page.read(1 << 20).decode(errors="replace"))
