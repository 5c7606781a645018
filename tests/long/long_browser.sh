#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_browser.sh ASSAY - opens the report's page in a browser, and checks errors on the console, filters, links,
# sorting, narrow screens, dark mode, the page without script, and paper. Screenshots are left in build/browser/ to
# be looked at.
set -u
assay=$(realpath "$1")
tests=$(realpath "$(dirname "$0")")
shots=$tests/../../build/browser
command -v chromium >/dev/null || {
    SUDO=; [ "$(id -u)" -eq 0 ] || SUDO=sudo
    $SUDO apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $SUDO apt-get install -y -qq --no-install-recommends chromium >/dev/null; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$shots"
cd "$work" || exit 1
failed=0

# browse URL OPTION...: starts a new browser. As root the browser has no sandbox.
browse()
{
    url=$1; shift
    timeout 120 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --user-data-dir="$work/profile" --hide-scrollbars --enable-logging=stderr --v=0 \
        --virtual-time-budget=15000 "$@" "file://$work/$url" 2> console
}
# tell NAME STATUS: prints the result of a check.
tell()
{
    if [ "$2" -eq 0 ]; then echo "ok   $1"; else echo "FAIL $1"; failed=1; fi
}

"$assay" verify --paper baselines --profile quick --store r.db --output report > table.txt 2> said.txt ||
    [ $? -eq 3 ] || {
    cat said.txt; exit 1; }

# --- the script
{ sed '/^<\/body>/,$d' report/index.html; echo '<script>//<![CDATA['; cat "$tests/long_browser.js"
  echo '//]]></script></body></html>'; } > report/probe.html
browse report/probe.html --dump-dom > dom.html
sed -n '/<pre id="probe"/,/<\/pre>/p' dom.html | grep -E '^(ok|FAIL) ' > probe.txt
! grep '^FAIL' probe.txt && grep -q '^ok drawings are drawn' probe.txt
tell "filters, links, sorting, keyboard: $(grep -c '^ok' probe.txt) probes" $?
! grep CONSOLE console
tell "no message on the console" $?

# --- narrow screens: a window has a smallest width, so the page is shown in a frame, which has none
for width in 320 390 768 1280; do
    cat > frame.html <<END
<!DOCTYPE html><body style="margin:0"><iframe id="f" src="report/index.html" width="$width" height="900"
style="border:0"></iframe><script>
document.getElementById('f').onload = function () {
    var d = this.contentDocument;
    d.querySelectorAll('details').forEach(function (e) { e.open = true; });
    var r = d.documentElement;
    document.title = 'width ' + r.scrollWidth + ' of ' + r.clientWidth;
};</script></body>
END
    browse frame.html --allow-file-access-from-files --window-size=1400,900 --dump-dom > dom.html
    set -- $(grep -o '<title>width [0-9]* of [0-9]*' dom.html | tr -dc '0-9 ')
    [ $# -eq 2 ] && [ "$2" -eq "$width" ] && [ "$1" -le "$2" ]
    tell "no sideways scrolling at $width pixels: ${1-none}" $?
done

# --- without a script, as in a frame that allows none: everything is there except the filters
cat > plain.html <<'END'
<!DOCTYPE html><body style="margin:0"><iframe id="f" sandbox="allow-same-origin" src="report/index.html"
width="1280" height="900" style="border:0"></iframe><script>
document.getElementById('f').onload = function () {
    var d = this.contentDocument, seen = function (s) {
        return Array.prototype.filter.call(d.querySelectorAll(s), function (e) { return e.offsetParent; }).length;
    };
    document.title = ['plain', seen('article.claim') === d.querySelectorAll('article.claim').length,
                      seen('.verdicts tbody tr') === d.querySelectorAll('article.claim').length,
                      seen('svg.plot, figure') > 0, seen('form, button, #nothing')].join(' ');
};</script></body>
END
browse plain.html --allow-file-access-from-files --window-size=1400,900 --dump-dom > dom.html
grep -q '<title>plain true true true 0<' dom.html
tell "without a script" $?

# --- pictures and paper
browse report/index.html --window-size=1280,1600 --screenshot="$shots/light.png"
browse report/index.html --window-size=1280,1600 --blink-settings=preferredColorScheme=0 \
    --screenshot="$shots/dark.png"
sed 's/width="[0-9]*" height="900"/width="390" height="1600"/' frame.html > phone.html
browse phone.html --window-size=500,1600 --screenshot="$shots/phone.png"
[ -s "$shots/light.png" ] && [ -s "$shots/dark.png" ] && ! cmp -s "$shots/light.png" "$shots/dark.png"
tell "light and dark" $?
browse report/index.html --no-pdf-header-footer --print-to-pdf="$shots/paper.pdf"
head -c 5 "$shots/paper.pdf" | grep -q '%PDF-' &&
    grep -aq '/MediaBox \[0 0 59[45][.0-9]* 84[12][.0-9]*\]' "$shots/paper.pdf"
tell "prints on A4" $?
exit $failed
