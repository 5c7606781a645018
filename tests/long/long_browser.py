#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""long_browser.py PICTURES AXE NIGHT REPORT... - looks at folders of reports in Chromium, page by page, over the
pipe of its DevTools protocol. Prints a line for each thing that was looked at; ends with 1 if one fails. AXE: the script
axe.min.js, or '' to leave it out. NIGHT: the report of a night after a fault was planted. Needs no package."""
import base64
import fcntl
import json
import os
import re
import select
import subprocess
import sys
import tempfile
import time

WIDTHS = (320, 400, 768, 1280)
PATIENCE = 600          # seconds for one answer of the browser: axe-core takes minutes on the page of a paper
HERE = os.path.dirname(os.path.abspath(__file__))
# What no page may say: names of items, unexplained words of the program, numbers that are none.
WORDS = (r"\bitem [A-Z]{1,2}\d", r"\bkind (evidence|theorem|erratum|conditional|extension|lemma)\b",
         r"\bchecked by\b",
         r"\(null\)", r"(?<![\w-])(nan|inf)(?![\w-])", r"%[sdg]\b", r"audits show 0\b", r"Nothing was measured\.\.")


class Browser:
    def __init__(self, folder):
        theirs, self.out = os.pipe()
        self.back, ours = os.pipe()
        theirs, ours = (fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in (theirs, ours))

        def place():
            os.dup2(theirs, 3)
            os.dup2(ours, 4)
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--allow-file-access-from-files", "--user-data-dir=" + folder,
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=place, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(ours)
        self.number, self.rest, self.session, self.events, self.console = 0, b"", None, [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def read(self):
        """The next message: an answer or an event."""
        end = time.time() + PATIENCE
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.back], [], [], max(0, end - time.time()))
            part = os.read(self.back, 1 << 20) if ready else b""
            if not part:
                raise SystemExit("FAIL the browser does not answer")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        method = message.get("method")
        if method == "Log.entryAdded":
            self.console.append(message["params"]["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.console.append(message["params"]["exceptionDetails"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(a.get("value", "")) for a in message["params"]["args"]))
        elif method:
            self.events.append(method)
        return message

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit("FAIL %s: %s" % (method, answer["error"]["message"]))
                return answer["result"]

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)

    def open(self, path, anchor=""):
        """Loads a page afresh; returns the seconds until its load event."""
        for url in ("about:blank", "file://" + os.path.abspath(path) + anchor):
            self.events, start = [], time.time()
            self.call("Page.navigate", url=url)
            while "Page.loadEventFired" not in self.events:
                self.read()
        if self.run("location.pathname") != os.path.abspath(path):
            raise SystemExit("FAIL %s was not loaded" % path)
        return time.time() - start

    def run(self, script):
        """The value of an expression, or of the promise that it is."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise SystemExit("FAIL script: " + json.dumps(answer["exceptionDetails"])[:400])
        return answer["result"].get("value")

    def picture(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
        return os.path.getsize(path)

    def close(self):
        self.call("Browser.close")
        self.process.wait(PATIENCE)


failed = False


def tell(name, wrong):
    """wrong: '' or what is wrong."""
    global failed
    failed |= bool(wrong)
    print(("FAIL " if wrong else "ok   ") + name + (": " + str(wrong)[:600] if wrong else ""), flush=True)


# The time of the first paint, from the start of the navigation; it comes with a frame, which may come after the load.
PAINT = """new Promise(function (done) { (function look(tries) {
    var t = performance.getEntriesByName('first-paint')[0];
    if (t || !tries) done(t ? t.startTime : -1); else setTimeout(look, 50, tries - 1);
}(60)); })"""

# Drawings that are not drawn, those whose legend has other dashes than the curve, and intervals below 0 of measures
# that cannot be.
FIGURES = """new Promise(function (done) { (function look(tries) {
    var dashes = function (paths) {
        return Array.prototype.map.call(paths, function (p) {
            return p.getAttribute('stroke-dasharray') ? 'dashed' : 'solid'; })
            .filter(function (d, k, all) { return all.indexOf(d) === k; }).sort().join('+');
    };
    var list = Array.prototype.map.call(document.querySelectorAll('object.plate'), function (o) {
        var d = o.contentDocument, canvas = d && d.getElementById('gnuplot_canvas'), bad = '';
        if (!canvas || canvas.getBBox().width < 200 || o.getBoundingClientRect().height < 100)
            return [o.getAttribute('data'), 'not drawn'];
        d.querySelectorAll('g[id^="gnuplot_plot_"]').forEach(function (g) {
            var key = d.getElementById(g.id + '_keyentry');
            if (/_keyentry$/.test(g.id) || !key) return;
            var in_key = key.parentNode.querySelectorAll('#' + g.id + '_keyentry ~ path, #' + g.id + '_keyentry path');
            var curve = Array.prototype.filter.call(g.querySelectorAll('path[stroke]'), function (p) {
                return p.getAttribute('d').length > 60 && !/^M[^M]*M/.test(p.getAttribute('d')); });
            var sample = dashes(in_key), line = dashes(curve);
            if (sample && line && sample !== line) bad += g.querySelector('title').textContent + ' is ' + line + ', ' +
                sample + ' in the legend; ';
        });
        return [o.getAttribute('data'), bad];
    });
    if (tries && list.some(function (f) { return f[1] === 'not drawn'; })) setTimeout(look, 200, tries - 1);
    else done(list);
}(100)); })"""

SQUARES = """Array.prototype.filter.call(document.querySelectorAll('table.numbers tbody td'), function (cell) {
    var head = cell.closest('table').tHead.rows[0].cells, at = cell.cellIndex;
    return at > 0 && / interval$/.test(head[at].textContent) && /^[-\\u2212]/.test(cell.textContent) &&
        /squared|variance|probability|norm|distance from/.test(head[at - 1].textContent);
}).map(function (cell) { return cell.closest('article').id + ' ' + cell.textContent; }).join('; ')"""

AXE = """axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'], iframes: false })
.then(function (r) { return [r.passes.length, r.violations.map(function (v) {
    return v.id + ' (' + v.nodes.length + ') ' + v.nodes[0].html.slice(0, 90).replace(/\\s+/g, ' ');
}).join('; ')]; })"""


def look(b, path, axe):
    """One page; axe '' leaves the rules of accessibility out: times, console, figures, words, widths, accessibility. Returns the figures that it shows."""
    name = os.path.join(os.path.basename(os.path.dirname(os.path.abspath(path))), os.path.basename(path))
    b.console.clear()
    b.size(1400, 900)
    loaded, paint = b.open(path), b.run(PAINT)
    figures, text = b.run(FIGURES), b.run("document.body.innerText")
    wrong = []
    if not 0 <= paint < 1000:
        wrong.append("first paint %.0f ms" % paint)
    wrong += ["%s: %s" % (f, w) for f, w in figures if w]
    wrong += ["says '%s'" % m.group() for m in (re.search(w, text) for w in WORDS) if m]
    below = b.run(SQUARES)
    if below:
        wrong.append("intervals below 0: " + below)
    rules = 0
    if axe:
        b.run(axe)
        rules, violations = b.run(AXE)
        wrong += [violations] if violations else []
    b.run("document.querySelectorAll('details').forEach(function (e) { e.open = true; })")
    for width in WIDTHS:
        b.size(width, 900)
        wide = b.run("document.documentElement.scrollWidth")
        if wide > width:
            wrong.append("%d pixels wide at %d" % (wide, width))
    wrong += ["console: " + text for text in b.console if "willReadFrequently" not in text]
    if len(text) < 200:
        wrong.append("next to no text")
    tell("%s: loaded in %.2f s, first paint %.0f ms, %d figures, %d rules of accessibility"
         % (name, loaded, paint, len(figures), rules), "; ".join(wrong))
    return [f for f, _ in figures]


def look_at_report(b, folder, axe):
    sizes = sum(os.path.getsize(os.path.join(folder, f)) for f in ("index.html", "report.css", "report.js"))
    tell("%s: %d bytes of index.html, style and script, below 300,000" % (folder, sizes), sizes >= 300000)
    shown = set()
    pages = [p for p in sorted(os.listdir(folder)) if p.endswith(".html")]
    kinds = {}      # the smallest page of each kind, for axe-core, whose time grows faster than the page
    for page in sorted(pages, key=lambda p: os.path.getsize(os.path.join(folder, p))):
        kinds.setdefault(page.split("-")[0], page)
    for page in pages:
        shown |= set(look(b, os.path.join(folder, page), axe if page in kinds.values() else ""))
    drawn = {"figures/" + f for f in os.listdir(os.path.join(folder, "figures")) if f.endswith(".svg")}
    tell("%s: each of %d figures is on a page" % (folder, len(drawn)), "; ".join(sorted(drawn ^ shown)))


def probe(b, page, of=""):
    """Uses the page of a paper as a reader does, and looks at the probes whose names have the word `of`."""
    b.size(1400, 900)
    b.open(page)
    with open(os.path.join(HERE, "long_browser.js")) as script:
        b.run(script.read())
    lines = b.run("""new Promise(function (done) { (function look(tries) {
        var p = document.getElementById('probe');
        if (p || !tries) done(p ? p.textContent : ''); else setTimeout(look, 100, tries - 1);
    }(200)); })""").strip().split("\n")
    bad = [l for l in lines if of in l and not l.startswith("ok ")]
    tell("%s: filters, links, sorting, keyboard, figures: %d probes" % (os.path.basename(page), len(lines)),
         "; ".join(bad) if bad else "" if "ok values under the pointer" in lines else "not all tried")


def plain(b, folder, work):
    """In a frame that allows no script all is there but the filters."""
    frame = os.path.join(work, "plain.html")
    with open(frame, "w") as out:
        out.write('<!DOCTYPE html><html><body><iframe id="f" sandbox="allow-same-origin" src="file://%s" width="1280" '
                  'height="900"></iframe></body></html>' % os.path.abspath(os.path.join(folder, "paper-baselines.html")))
    b.size(1400, 900)
    b.open(frame)
    got = b.run("""(function () {
        var d = document.getElementById('f').contentDocument, seen = function (s) {
            return Array.prototype.filter.call(d.querySelectorAll(s), function (e) { return e.offsetParent; }).length;
        }, all = d.querySelectorAll('article.claim').length;
        return [all > 0, seen('article.claim') === all, seen('.verdicts tbody tr') >= all, seen('object.plate') > 0,
                seen('form, button, #nothing')];
    }())""")
    tell("without a script", "" if got == [True] * 4 + [0] else got)


def first_screen(b, night):
    b.size(1400, 900)
    b.open(os.path.join(night, "index.html"))
    for list_of in ("#against li", "#changes li"):
        found = b.run("""Array.prototype.some.call(document.querySelectorAll('%s'), function (e) {
            return e.textContent.includes('root.value.excess.T') && e.getBoundingClientRect().bottom <= 900; })"""
                      % list_of)
        tell("a planted regression stands on the first screen, in " + list_of, not found)


def pictures(b, folder, to):
    pages = sorted(f for f in os.listdir(folder) if f.endswith(".html"))
    papers = [f for f in pages if f.startswith("paper-")]
    pick = ["index.html", "nights.html", "about.html"] + papers[:3] + [f for f in pages if f.startswith("theorem-")][:3]
    for page in pick:
        if page not in pages:
            continue
        for width, height in ((1400, 1600), (400, 1600)):
            b.size(width, height)
            b.open(os.path.join(folder, page))
            time.sleep(0.3)
            b.picture(os.path.join(to, "%s-%d.png" % (page[:-5], width)))
    paper = os.path.join(folder, (papers or ["index.html"])[0])
    shots = []
    for scheme in ("light", "dark"):
        b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        b.size(1400, 1600)
        b.open(paper)
        shots.append(b.run("getComputedStyle(document.body).backgroundColor"))
        b.picture(os.path.join(to, scheme + ".png"))
    b.call("Emulation.setEmulatedMedia", features=[])
    tell("light and dark", "" if shots[0] != shots[1] else shots)
    pdf = base64.b64decode(b.call("Page.printToPDF", preferCSSPageSize=True)["data"])
    with open(os.path.join(to, "paper.pdf"), "wb") as out:
        out.write(pdf)
    tell("prints on A4", "" if pdf[:5] == b"%PDF-" and re.search(rb"/MediaBox ?\[0 0 59[45][.\d]* 84[12]", pdf)
         else pdf[:80])


def main():
    to, axe, night, reports = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        b = Browser(os.path.join(work, "profile"))
        rules = open(axe).read() + ";0" if axe else ""
        if not axe:
            print("skip: no axe-core")
        for folder in reports:
            look_at_report(b, folder, rules)
        probe(b, os.path.join(reports[0], "paper-baselines.html"))
        probe(b, os.path.join(reports[0], "paper-dp-gcd.html"), ": count")      # a paper with theorems
        plain(b, reports[0], work)
        first_screen(b, night)
        for k, folder in enumerate(reports):
            pictures(b, folder, to) if k == len(reports) - 1 else None
        b.close()
    sys.exit(failed)


main()
