// report.js - filters, sorting and copying for the pages of the report, which are whole without them.
(function () {
    'use strict';
    var all = function (selector, from) {
        return Array.prototype.slice.call((from || document).querySelectorAll(selector));
    };

    // --- filters: what has data-text can be hidden; the hash "#?verdict=SUPPORTED" holds them, so that a view can be
    // linked

    function filters(form) {
        var shown = document.getElementById('shown'), nothing = document.getElementById('nothing');
        // Lists and the line `shown` count claims; where a page has no table of claims, the rows of its tables.
        var claims = document.querySelector('.verdicts'), counts = claims ? '.verdicts tr' : 'tr';
        var items = all('[data-text]').map(function (item) {
            return { item: item, text: item.dataset.text.toLowerCase(), counts: item.matches(counts) };
        });
        // The lists hold what the page holds; an item may have several values, between blanks.
        var keys = ['check', 'verdict'].filter(function (key) {
            var count = {};
            items.forEach(function (i) {
                if (i.counts) (i.item.dataset[key] || '').split(' ').forEach(function (value, k, list) {
                    if (value && list.indexOf(value) === k) count[value] = (count[value] || 0) + 1;
                });
            });
            Object.keys(count).forEach(function (value) {
                form.elements[key].add(new Option(value + ' (' + count[value] + ')', value));
            });
            form.elements[key].parentNode.hidden = !Object.keys(count).length;
            return Object.keys(count).length;
        });

        function matches(i, words) {
            return keys.every(function (key) {
                var wanted = form.elements[key].value;
                return !wanted || i.item.dataset[key] === undefined ||
                    (' ' + i.item.dataset[key] + ' ').includes(' ' + wanted + ' ');
            }) && words.every(function (word) { return i.text.includes(word); });
        }

        // What has nothing left that matches is hidden too: groups of a table, sections, lists.
        function apply() {
            var words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
            var rows = 0, visible = 0, filtered = words.length || keys.some(function (key) {
                return form.elements[key].value;
            });
            items.forEach(function (i) {
                i.item.hidden = !matches(i, words);
                if (i.counts) { rows++; visible += !i.item.hidden; }
            });
            all('tbody, main section').forEach(function (group) {
                var own = all('[data-text]', group);
                group.hidden = own.length ? own.every(function (item) { return item.hidden; })
                             : filtered && group.tagName === 'SECTION' && !group.contains(form);
            });
            if (form.closest('section')) form.closest('section').hidden = false;
            shown.textContent = visible + ' of ' + rows + (claims ? ' claims' : ' theorems');
            nothing.hidden = items.some(function (i) { return !i.item.hidden; });
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
        form.hidden = false;
        apply();
        read();
    }

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
        all('.box').forEach(function (box) {
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

    if (document.getElementById('filters')) filters(document.getElementById('filters'));
    reach();
    window.addEventListener('resize', reach);
}());
