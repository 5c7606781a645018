#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_browser.sh ASSAY - the report's pages in a browser: sizes and times, errors on the console, filters, links,
# sorting, every figure, rules of accessibility (axe-core), narrow screens, dark mode, no script, paper; and a night
# with a planted regression, which the first screen must name. Screenshots stay in build/browser/ to be looked at.
# With REPORT=DIR it looks at the report in that folder too, as at one of a night.
set -u
assay=$(realpath "$1")
tests=$(realpath "$(dirname "$0")")
source=$(realpath "$tests/../..")
shots=$source/build/browser
report=${REPORT:+$(realpath "$REPORT")}
command -v chromium >/dev/null || {
    SUDO=; [ "$(id -u)" -eq 0 ] || SUDO=sudo
    $SUDO apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $SUDO apt-get install -y -qq --no-install-recommends chromium >/dev/null; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$shots"
cd "$work" || exit 1
failed=0

# browse FILE OPTION... : a fresh browser; as root it has no sandbox. What the page says on its console is in ./console.
browse()
{
    url=$(realpath "$1"); shift
    timeout 120 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --user-data-dir="$work/profile" --hide-scrollbars --enable-logging=stderr --v=0 \
        --virtual-time-budget=15000 --allow-file-access-from-files "$@" "file://$url" 2> console
    ! grep CONSOLE console | grep -v 'willReadFrequently' >> consoles
}
# tell NAME STATUS
tell()
{
    if [ "$2" -eq 0 ]; then echo "ok   $1"; else echo "FAIL $1"; failed=1; fi
}
# probe PAGE SCRIPT... : the page with scripts behind its own; ./probe.txt <- the lines that they leave.
probe()
{
    page=$1; shift
    { sed '/^<\/body>/,$d' "$page"
      for script; do echo '<script>//<![CDATA['; cat "$script"; echo '//]]></script>'; done
      echo '</body></html>'; } > "$(dirname "$page")/probe.html"
    browse "$(dirname "$page")/probe.html" --window-size=1400,900 --dump-dom > dom.html
    rm "$(dirname "$page")/probe.html"
    sed -n '/<pre id="probe"/,/<\/pre>/p' dom.html | grep -E '^(ok|FAIL) ' > probe.txt
}

"$assay" verify --paper baselines --profile quick --store r.db --output report > table.txt 2> said.txt ||
    [ $? -eq 3 ] || {
    cat said.txt; exit 1; }

# --- sizes: the first page with style and script
for dir in report ${report:+"$report"}; do
    bytes=$(cat "$dir/index.html" "$dir/report.css" "$dir/report.js" | wc -c)
    [ "$bytes" -lt 300000 ]
    tell "$dir: $bytes bytes of index.html, style and script, below 300,000" $?
done

# --- the script
probe report/paper-baselines.html "$tests/long_browser.js"
! grep '^FAIL' probe.txt && grep -q '^ok values under the pointer' probe.txt
tell "filters, links, sorting, keyboard, figures: $(grep -c '^ok' probe.txt) probes" $?

# --- times, figures and accessibility, page by page
axe=$source/build/browser/axe.min.js
[ -s "$axe" ] || { pip download -q --no-deps -d axe axe-core-python==0.1.0 > axe.txt 2>&1 &&
                   unzip -p axe/*.whl axe_core_python/axe.min.js > "$axe"; }
cat > look.js <<'END'
window.addEventListener('load', function () { setTimeout(function look(tries) {
    var out = [], t = performance.getEntriesByType('paint')[0], bad = function (name, what) {
        out.push((what ? 'FAIL ' : 'ok ') + name + (what ? ': ' + what : ''));
    };
    if (!t && tries) { setTimeout(look, 100, tries - 1); return; }
    bad('first paint', t && t.startTime < 1000 ? '' : t ? t.startTime + ' ms' : 'none');
    var missing = Array.prototype.filter.call(document.querySelectorAll('object.plate'), function (o) {
        var canvas = o.contentDocument && o.contentDocument.getElementById('gnuplot_canvas');
        return !canvas || canvas.getBBox().width < 200 || o.getBoundingClientRect().height < 100;
    }).map(function (o) { return o.getAttribute('data'); });
    bad(document.querySelectorAll('object.plate').length + ' figures are drawn', missing.join(' '));
    var done = function () {
        var pre = document.createElement('pre');
        pre.id = 'probe';
        pre.textContent = '\n' + out.join('\n') + '\n';
        document.body.appendChild(pre);
    };
    if (typeof axe === 'undefined') { out.push('ok no axe'); done(); return; }
    axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'], iframes: false }).then(function (r) {
        bad(r.passes.length + ' rules of accessibility', r.violations.map(function (v) {
            return v.id + ' (' + v.nodes.length + ') ' + v.nodes[0].html.slice(0, 90).replace(/\s+/g, ' ');
        }).join('; '));
        done();
    });
}, 300, 50); });
END
[ -s "$axe" ] || echo "skip: no axe-core"
look()
{
    if [ -s "$axe" ]; then probe "$1" "$axe" look.js; else probe "$1" look.js; fi
    ! grep '^FAIL' probe.txt && [ "$(grep -c '^ok' probe.txt)" -eq 3 ]
    tell "$(basename "$1"): $(sed -n 's/^ok //p' probe.txt | tr '\n' ';')" $?
}
for page in report/*.html ${report:+"$report/index.html" "$report"/paper-*.html "$report"/theorem-*.html}; do
    look "$page"
done

# --- narrow screens: a window has a smallest width, a frame has none
frame()
{
    cat > frame.html <<END
<!DOCTYPE html><html><body style="margin:0"><iframe id="f" src="$1" width="$2" height="$3"
style="border:0"></iframe><script>
document.getElementById('f').onload = function () {
    var d = this.contentDocument;
    if ($4) d.querySelectorAll('details').forEach(function (e) { e.open = true; });
    var r = d.documentElement;
    document.title = 'width ' + r.scrollWidth + ' of ' + r.clientWidth;
};</script></body></html>
END
}
for page in index paper-baselines about nights; do
    for width in 320 400 768 1280; do
        frame "report/$page.html" $width 900 1
        browse frame.html --window-size=1400,900 --dump-dom > dom.html
        set -- $(grep -o '<title>width [0-9]* of [0-9]*' dom.html | tr -dc '0-9 ')
        [ $# -eq 2 ] && [ "$2" -eq "$width" ] && [ "$1" -le "$2" ]
        tell "$page: no sideways scrolling at $width pixels: ${1-none}" $?
    done
done

# --- without a script, as in a frame that allows none: all is there but the filters
cat > plain.html <<'END'
<!DOCTYPE html><html><body style="margin:0"><iframe id="f" sandbox="allow-same-origin" src="report/paper-baselines.html"
width="1280" height="900" style="border:0"></iframe><script>
document.getElementById('f').onload = function () {
    var d = this.contentDocument, seen = function (s) {
        return Array.prototype.filter.call(d.querySelectorAll(s), function (e) { return e.offsetParent; }).length;
    };
    document.title = ['plain', seen('article.claim') === d.querySelectorAll('article.claim').length,
                      seen('.verdicts tbody tr') === d.querySelectorAll('article.claim').length,
                      seen('object.plate') > 0, seen('form, button, #nothing')].join(' ');
};</script></body></html>
END
cp consoles before 2>/dev/null || : > before
browse plain.html --window-size=1400,900 --dump-dom > dom.html
cp before consoles                       # the browser says that it ran no script
grep -q '<title>plain true true true 0<' dom.html
tell "without a script" $?

# --- a night after a night, with a fault in the method: what it broke is named on the first screen
cp -r "$source/tests/plugin" plug && chmod -R u+w plug
build() { cc -std=c17 -O2 -fPIC -shared -I"$source/harness/api" plug/plugin.c plug/algos/heavy_ball.c \
              plug/claims/heavy_ball.c -o "$1"; }
night() { "$assay" nightly --paper heavy-ball --plugin "$1" --store night.db --output night --baseline verdicts.csv \
              > table.txt 2> said.txt; }
build good.so && night good.so
"$assay" accept '*' --paper heavy-ball --plugin good.so --profile nightly --store night.db --baseline verdicts.csv \
    --reason first > table.txt 2> said.txt
sed -i 's/-p->step, g/-p->step \/ 2, g/' plug/algos/heavy_ball.c
build bad.so && night bad.so
cat > first.js <<'END'
window.addEventListener('load', function () {
    var out = [], pre = document.createElement('pre');
    [['#against li', 'root.value.excess.T'], ['#changes li', 'root.value.excess.T']].forEach(function (wanted) {
        var found = Array.prototype.some.call(document.querySelectorAll(wanted[0]), function (e) {
            return e.textContent.includes(wanted[1]) && e.getBoundingClientRect().bottom <= 900;
        });
        out.push((found ? 'ok ' : 'FAIL ') + wanted[0]);
    });
    pre.id = 'probe';
    pre.textContent = '\n' + out.join('\n') + '\n';
    document.body.appendChild(pre);
});
END
probe night/index.html first.js
! grep '^FAIL' probe.txt && [ "$(grep -c '^ok' probe.txt)" -eq 2 ]
tell "a planted regression stands on the first screen" $?
browse night/index.html --window-size=1400,900 --screenshot="$shots/night.png"

# --- pictures and paper
for page in index paper-baselines nights; do
    browse report/$page.html --window-size=1400,1600 --screenshot="$shots/$page-1400.png"
    frame "report/$page.html" 400 1600 0
    browse frame.html --window-size=500,1600 --screenshot="$shots/$page-400.png"
done
browse report/paper-baselines.html --window-size=1400,1600 --blink-settings=preferredColorScheme=0 \
    --screenshot="$shots/dark.png"
[ -s "$shots/dark.png" ] && ! cmp -s "$shots/paper-baselines-1400.png" "$shots/dark.png"
tell "light and dark" $?
browse report/paper-baselines.html --no-pdf-header-footer --print-to-pdf="$shots/paper.pdf"
head -c 5 "$shots/paper.pdf" | grep -q '%PDF-' &&
    grep -aq '/MediaBox \[0 0 59[45][.0-9]* 84[12][.0-9]*\]' "$shots/paper.pdf"
tell "prints on A4" $?
! grep . consoles
tell "no message on the console of any page" $?
exit $failed
