/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_markup.c - any text can become part of a page or of a drawing, and leaves it well-formed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "text/markdown.h"
#include "text/markup.h"
#include "support/xml.h"

static char *marked(void (*how)(FILE *, const char *), const char *text)
{
    static char *out;
    size_t size;
    free(out);
    FILE *f = open_memstream(&out, &size);
    how(f, text);
    fclose(f);
    return out;
}

static void text_is_escaped(void **state)
{
    assert_string_equal(marked(markup_text, "a < b & 'c' > \"d\""),
                        "a &lt; b &amp; &#39;c&#39; &gt; &quot;d&quot;");
    assert_string_equal(marked(markup_text, "]]>"), "]]&gt;");
    assert_string_equal(marked(markup_text, "\xc3\xa9 \xe2\x89\xa4"), "\u00e9 \u2264");
    assert_string_equal(marked(markup_text, NULL), "");
}

/* XML 1.0, production [2], excludes surrogates, U+FFFE, U+FFFF and the control characters below U+0020 (tab and
 * line ends excepted). The program also replaces the carriage return and the controls U+007F to U+009F. */
static void characters_that_xml_excludes_are_replaced(void **state)
{
    static const char *const none[] = { "\x01",     "\x1b",         "\r",           "\x7f",
                                        "\xc2\x85", "\xef\xbf\xbe", "\xef\xbf\xbf", "\x80" };
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        assert_string_equal(marked(markup_text, none[k]), "&#xfffd;");
    assert_string_equal(marked(markup_text, "\xe9t\xe9"), "&#xe9;t&#xe9;"); /* not UTF-8: Latin-1 */
    assert_string_equal(marked(markup_text, "\xed\xa0\x80"), "&#xed;&#xa0;&#xfffd;");
    assert_string_equal(marked(markup_text, "\xf0\x9f"), "&#xf0;&#xfffd;"); /* two bytes of four */
    assert_string_equal(marked(markup_text, "a\tb\nc"), "a\tb\nc");
}

static void prose_has_code(void **state)
{
    assert_string_equal(marked(markup_prose, "see `a<b` and `c`"),
                        "see <code>a&lt;b</code> and <code>c</code>");
    assert_string_equal(marked(markup_prose, "one ` alone"), "one ` alone");
}

static void formulas_are_set(void **state)
{
    static const char *const pair[][2] = {
        { "n^-0.502 (-0.531 to -0.473)", "n<sup>\u22120.502</sup> (\u22120.531 to \u22120.473)" },
        { "d^-3.33e-16 (x", "d<sup>\u22123.33e\u221216</sup> (x" },
        { "2^e-1", "2<sup>e</sup>-1" },
        { "n^0.25 +- 0.12", "n<sup>0.25</sup> \u00b1 0.12" },
        { "~ n^(-1/2).", "~ n<sup>\u22121/2</sup>." },
        { "E |q_(T-1)|^2 = sigma^2/(B T)",
          "E |q<sub>T\u22121</sub>|<sup>2</sup> = sigma<sup>2</sup>/(B T)" },
        { "F(x_t) - F* <= M D^2/(4t+2)",
          "F(x<sub>t</sub>) \u2212 F* \u2264 M D<sup>2</sup>/(4t+2)" },
        { "x_{t+1}, n >= 2", "x<sub>t+1</sub>, n \u2265 2" },
        { "lg(T)^1.5.", "lg(T)<sup>1.5</sup>." },
        { "a batch_steps, mini-batch, 1e-05, -", "a batch_steps, mini-batch, 1e\u221205, -" },
        { "f^<b> 2^", "f^&lt;b&gt; 2^" },
        { "(a^(b) and ^2 _x", "(a<sup>b</sup> and <sup>2</sup> _x" },
        { "n^(1/(2+p))", "n^(1/(2+p))" },
    };
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++)
        assert_string_equal(marked(markup_math, pair[k][0]), pair[k][1]);
}

/* The format is written as it is, and its texts are escaped. Markdown has other escapes than HTML. */
static void formats_escape_their_arguments(void **state)
{
    const char *volatile none = NULL;
    char *out;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    markup_print(f, "<b>%s</b> 5%% %d %ld %.2f %g|%.3s|", "a<b", -7, 1L << 40, 0.126, 2.5, "x&yz");
    markup_print(f, "%-s %s%s", "n^2 <= 3", "n^2", none);
    markdown_print(f, "|%s %-s *%.1f*", "a_b|c", "d`|e", 1.25);
    fclose(f);
    assert_string_equal(out, "<b>a&lt;b</b> 5% -7 1099511627776 0.13 2.5|x&amp;y|"
                             "n<sup>2</sup> \u2264 3 n^2|a\\_b\\|c `d'/e` *1.2*");
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(text_is_escaped),
                                        cmocka_unit_test(characters_that_xml_excludes_are_replaced),
                                        cmocka_unit_test(prose_has_code),
                                        cmocka_unit_test(formulas_are_set),
                                        cmocka_unit_test(formats_escape_their_arguments) };
    return cmocka_run_group_tests_name("markup", tests, NULL, NULL);
}
