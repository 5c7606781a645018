// report.js - filters, sorting and copying for the report's page, which is whole without them.
(function () {
    'use strict';
    var all = function (selector, from) {
        return Array.prototype.slice.call((from || document).querySelectorAll(selector));
    };
    var form = document.getElementById('filters');
    var shown = document.getElementById('shown'), nothing = document.getElementById('nothing');
    var keys = ['paper', 'check', 'verdict'];
    var claims = all('article.claim').map(function (article) {
        return { article: article, text: article.dataset.text.toLowerCase() };
    });
    var rows = {};
    all('.verdicts tbody tr').forEach(function (row) { rows[row.dataset.claim] = row; });

    // The lists hold what the page holds.
    keys.forEach(function (key) {
        var count = {};
        claims.forEach(function (c) {
            var value = c.article.dataset[key];
            count[value] = (count[value] || 0) + 1;
        });
        Object.keys(count).forEach(function (value) {
            form.elements[key].add(new Option(value + ' (' + count[value] + ')', value));
        });
    });

    // --- filters; the hash "#?verdict=SUPPORTED" holds them, so that a view can be linked

    function matches(claim, words) {
        return keys.every(function (key) {
            var wanted = form.elements[key].value;
            return !wanted || claim.article.dataset[key] === wanted;
        }) && words.every(function (word) { return claim.text.includes(word); });
    }

    function apply() {
        var words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean), visible = 0;
        claims.forEach(function (claim) {
            var hide = !matches(claim, words);
            claim.article.hidden = rows[claim.article.id].hidden = hide;
            visible += !hide;
        });
        all('section.paper').forEach(function (paper) {
            paper.hidden = !paper.querySelector('tbody tr:not([hidden])');
        });
        all('.exhibit').forEach(function (exhibit) {
            var wanted = form.elements.paper.value;
            exhibit.hidden = wanted && exhibit.dataset.paper !== wanted;
        });
        shown.textContent = visible + ' of ' + claims.length + ' claims';
        nothing.hidden = visible > 0;
    }

    function write() {
        var query = new URLSearchParams();
        ['q'].concat(keys).forEach(function (key) {
            if (form.elements[key].value) query.set(key, form.elements[key].value);
        });
        var text = query.toString();
        history.replaceState(null, '', text ? '#?' + text : location.pathname + location.search);
    }

    // A link to a claim shows it whatever the filters say.
    function read() {
        var hash = location.hash;
        if (hash.indexOf('#?') === 0) {
            var query = new URLSearchParams(hash.slice(2));
            ['q'].concat(keys).forEach(function (key) {
                form.elements[key].value = query.get(key) || '';
            });
            keys.forEach(function (key) {      // a value the page does not have
                if (form.elements[key].selectedIndex < 0) form.elements[key].value = '';
            });
            apply();
            return;
        }
        var target = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
        if (target && target.closest('[hidden]')) {
            form.reset();
            apply();
            target.scrollIntoView();
        }
    }

    form.addEventListener('input', function () { apply(); write(); });
    form.addEventListener('submit', function (event) { event.preventDefault(); });
    form.addEventListener('reset', function () { setTimeout(function () { apply(); write(); }); });
    window.addEventListener('hashchange', read);
    document.addEventListener('keydown', function (event) {
        var typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
        if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            form.elements.q.focus();
        }
        if (event.key === 'Escape' && event.target === form.elements.q) {
            form.elements.q.value = '';
            apply();
            write();
        }
    });

    // --- sorting, of all tables at once: up, down, as it was

    function key_of(row, column) {
        var cell = row.cells[column], key = cell.dataset.key;
        return key === undefined ? cell.textContent.trim() : key;
    }

    function compare(a, b) {
        var x = parseFloat(a), y = parseFloat(b);
        if (!isNaN(x) && !isNaN(y)) return x - y;
        return isNaN(x) !== isNaN(y) ? (isNaN(x) ? 1 : -1) : a.localeCompare(b);
    }

    function sort(column, direction) {
        all('table.verdicts').forEach(function (table) {
            var body = table.tBodies[0];
            var list = Array.prototype.slice.call(body.rows);
            list.forEach(function (row, k) { row.dataset.place = row.dataset.place || k; });
            list.sort(function (a, b) {
                var order = direction * compare(key_of(a, column), key_of(b, column));
                return order || a.dataset.place - b.dataset.place;
            }).forEach(function (row) { body.appendChild(row); });
            all('thead th', table).forEach(function (heading, k) {
                heading.removeAttribute('aria-sort');
                if (k === column && direction)
                    heading.setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending');
            });
        });
    }

    all('table.verdicts thead tr').forEach(function (headings) {
        all('th', headings).forEach(function (heading, column) {
            var button = document.createElement('button');
            button.type = 'button';
            button.textContent = heading.textContent;
            heading.textContent = '';
            heading.appendChild(button);
            button.addEventListener('click', function () {
                var now = heading.getAttribute('aria-sort');
                sort(column, now === 'ascending' ? -1 : now ? 0 : 1);
            });
        });
    });

    // --- copying

    function copied(button, done) {
        button.textContent = done ? 'Copied' : 'Select it';
        setTimeout(function () { button.textContent = 'Copy'; }, 1500);
    }

    all('.command').forEach(function (block) {
        var button = document.createElement('button'), text = block.textContent;
        button.type = 'button';
        button.textContent = 'Copy';
        button.setAttribute('aria-label', 'Copy the command');
        button.addEventListener('click', function () {
            if (!navigator.clipboard) {
                getSelection().selectAllChildren(block.firstChild);
                copied(button, document.execCommand('copy'));
                return;
            }
            navigator.clipboard.writeText(text).then(function () { copied(button, true); },
                                                     function () { copied(button, false); });
        });
        block.classList.add('copies');
        block.appendChild(button);
    });

    // What scrolls sideways can be reached by keyboard.
    function reach() {
        all('.box, .plate').forEach(function (box) {
            if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
            else box.removeAttribute('tabindex');
        });
    }

    // On paper nothing can be opened.
    var closed = [];
    window.addEventListener('beforeprint', function () {
        closed = all('details:not([open])');
        closed.forEach(function (details) { details.open = true; });
    });
    window.addEventListener('afterprint', function () {
        closed.forEach(function (details) { details.open = false; });
    });

    form.hidden = false;
    apply();
    read();
    reach();
    window.addEventListener('resize', reach);
}());
