// long_browser.js - run in the page of a paper once that is loaded: uses it as a reader does, and leaves one line for
// each thing tried in <pre id="probe">.
(function () {
    'use strict';
    var out = [], steps = [], form = document.getElementById('filters');
    var list = function (selector) {
        return Array.prototype.slice.call(document.querySelectorAll(selector));
    };
    var seen = function (selector) {
        return list(selector).filter(function (e) { return e.offsetParent; });
    };
    var check = function (name, good, got) {
        out.push((good ? 'ok ' : 'FAIL ') + name + (good ? '' : ': ' + got));
    };
    // Whatever the script believes, this is what the attributes say.
    var expect = function (name, selector) {
        ['article.claim', '.verdicts tbody tr'].forEach(function (kind) {
            var want = list(kind + selector).length, got = seen(kind);
            check(name + ': ' + kind, want > 0 && got.length === want && got.every(function (a) {
                return a.matches(selector || '*');
            }), got.length + ' of ' + want);
        });
        var rows = list('.verdicts tbody tr' + selector).length, said = document.getElementById('shown').textContent;
        check(name + ': count', said.indexOf(rows + ' of ') === 0, said);
    };
    var choose = function (key, value) {
        form.elements[key].value = value;
        form.elements[key].dispatchEvent(new Event('input', { bubbles: true }));
    };
    var click = function (element) { element.dispatchEvent(new MouseEvent('click', { bubbles: true })); };
    var column = function () {
        return list('.verdicts')[0].querySelectorAll('tbody td[data-label="measured"][data-key]');
    };
    var ascends = function (sign) {
        var keys = Array.prototype.map.call(column(), function (c) { return sign * c.dataset.key; });
        return keys.length > 1 && keys.every(function (k, i) { return !i || keys[i - 1] <= k; });
    };
    var order = function () {
        return list('.verdicts tbody tr').map(function (r) { return r.dataset.claim; }).join();
    };
    var first = order(), hidden;

    steps.push(function () {
        check('filters appear', form.offsetParent && !form.hidden, form.hidden);
        expect('all', '');
        choose('check', 'rate');
    }, function () {
        expect('check', '[data-check="rate"]');
        check('hash', location.hash === '#?check=rate', location.hash);
        check('sections without a match are hidden', !seen('#exhibits').length, 'shown');
        choose('q', 'NESTEROV  t');
    }, function () {
        expect('check and words', '[data-check="rate"][data-text*="nesterov" i][data-text*="t" i]');
        choose('q', 'no such words');
    }, function () {
        check('nothing', seen('#nothing').length === 1 && !seen('article').length && !seen('.verdicts').length, 'shown');
        click(form.querySelector('button[type=reset]'));
    }, function () {
        expect('show all', '');
        check('no hash', location.hash === '', location.hash);
        check('all sections', list('main section').length === seen('main section').length, 'hidden');
        location.hash = '#?verdict=SUPPORTED';
    }, function () {
        expect('linked view', '[data-verdict="SUPPORTED"]');
        check('lists follow', form.elements.verdict.value === 'SUPPORTED', form.elements.verdict.value);
        location.hash = '#?check=rate&verdict=nothing';
    }, function () {
        expect('unknown value', '[data-check="rate"]');
        hidden = list('article.claim[hidden]')[0];
        location.hash = '#' + hidden.id;
    }, function () {
        check('a linked claim is shown', hidden.offsetParent, 'hidden');
        expect('and all others', '');
        var top = hidden.querySelector('h3').getBoundingClientRect().top;
        check('its heading is in sight', top > -1 && top < innerHeight &&
              hidden.contains(document.elementFromPoint(innerWidth / 2 - 200, Math.max(top, 0) + 4)), top);
        click(list('.verdicts thead th:nth-child(3) button')[0]);
    }, function () {
        var marked = list('th[aria-sort="ascending"]').length;
        check('ascending', ascends(1) && marked === list('.verdicts').length, order());
        click(list('.verdicts thead th:nth-child(3) button')[0]);
    }, function () {
        check('descending', ascends(-1), order());
        click(list('.verdicts thead th:nth-child(3) button')[0]);
    }, function () {
        check('as it was', order() === first && !list('[aria-sort]').length, order());
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
    }, function () {
        check('slash', document.activeElement === form.elements.q, document.activeElement.tagName);
        var commands = list('pre.command').length;
        check('copy buttons', commands && commands === list('pre.command > button').length, 'missing');
    }, function () {
        // gnuplot's script in each drawing: the values under the pointer, and curves that can be switched off.
        var drawings = list('object.plate').map(function (o) { return o.contentDocument; });
        check('drawings are drawn', drawings.length > 3 && drawings.every(function (d) {
            var box = d && d.documentElement.getElementById('gnuplot_canvas').getBBox();
            return box && box.width > 300 && d.documentElement.gnuplot;
        }), drawings.length);
        var d = drawings[0], canvas = d.getElementById('gnuplot_canvas'), key = d.querySelector('[id$="_keyentry"]');
        var curve = d.getElementById(key.id.replace('_keyentry', ''));
        key.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        check('a curve is switched off', curve.getAttribute('visibility') === 'hidden', curve.outerHTML.slice(0, 80));
        d.querySelector('rect').dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: 300, clientY: 150 }));
        canvas.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, clientX: 300, clientY: 150 }));
        var said = d.getElementById('coord_text');
        check('values under the pointer', /[0-9]/.test(said.textContent), said.outerHTML);
    });

    function next() {
        if (steps.length) {
            try { steps.shift()(); } catch (e) { check('no exception', false, e); }
            setTimeout(next, 50);
            return;
        }
        var pre = document.createElement('pre');
        pre.id = 'probe';
        pre.textContent = '\n' + out.join('\n') + '\n';
        document.body.appendChild(pre);
    }
    next();
}());
