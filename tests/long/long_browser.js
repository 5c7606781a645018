// long_browser.js - a script that a copy of the report's page runs after its own script. It uses the page as a reader
// does, and writes one line for each check into <pre id="probe">.
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
    // The attributes show the state of the page, whatever the script believes.
    var expect = function (name, selector) {
        var want = list('article.claim' + selector).length, articles = seen('article.claim');
        check(name + ': sections', want > 0 && articles.length === want && articles.every(function (a) {
            return a.matches(selector || '*');
        }), articles.length + ' of ' + want);
        var rows = seen('.verdicts tbody tr').length, said = document.getElementById('shown').textContent;
        check(name + ': rows', rows === want, rows);
        check(name + ': count', said.indexOf(want + ' of ') === 0, said);
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
        choose('q', 'NESTEROV  t');
    }, function () {
        expect('check and words', '[data-check="rate"][data-text*="nesterov" i][data-text*="t" i]');
        choose('q', 'no such words');
    }, function () {
        check('nothing', seen('#nothing').length === 1 && !seen('article').length, 'shown');
        click(form.querySelector('button[type=reset]'));
    }, function () {
        expect('show all', '');
        check('no hash', location.hash === '', location.hash);
        location.hash = '#?verdict=SUPPORTED&paper=baselines';
    }, function () {
        expect('linked view', '[data-verdict="SUPPORTED"][data-paper="baselines"]');
        check('lists follow', form.elements.verdict.value === 'SUPPORTED', form.elements.verdict.value);
        location.hash = '#?check=rate&paper=nowhere';
    }, function () {
        expect('unknown value', '[data-check="rate"]');
        hidden = list('article.claim[hidden]')[0];
        location.hash = '#' + hidden.id;
    }, function () {
        check('a linked claim is shown', hidden.offsetParent, 'hidden');
        expect('and all others', '');
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
        var commands = list('pre.command').length, ids = list('[id]').map(function (e) { return e.id; });
        check('copy buttons', commands && commands === list('pre.command > button').length, 'missing');
        check('ids are unique', new Set(ids).size === ids.length, 'not');
        check('drawings are drawn', list('svg.plot').length > 0 && list('svg.plot').every(function (s) {
            return s.getBBox().width > 500 && s.getBoundingClientRect().width > 200;
        }), 'not');
        list('svg.plot use').forEach(function (u) {
            if (!document.querySelector(u.getAttribute('xlink:href'))) check('use', false, u.outerHTML);
        });
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
    setTimeout(next, 50);
}());
