/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_report_junit.c - the report as JUnit XML, checked by the schema with which other programs read it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/paged.h"

/* The elements in the order that Jenkins' schema of JUnit results requires. */
static const char junit_dtd[] =
    "<!ELEMENT testsuites (testsuite*)>"
    "<!ATTLIST testsuites name CDATA #IMPLIED tests CDATA #IMPLIED failures CDATA #IMPLIED "
    "errors CDATA #IMPLIED skipped CDATA #IMPLIED time CDATA #IMPLIED>"
    "<!ELEMENT testsuite (properties?, testcase*, system-out?, system-err?)>"
    "<!ATTLIST testsuite name CDATA #REQUIRED tests CDATA #REQUIRED failures CDATA #IMPLIED "
    "errors CDATA #IMPLIED skipped CDATA #IMPLIED time CDATA #IMPLIED>"
    "<!ELEMENT properties (property*)><!ELEMENT property EMPTY>"
    "<!ATTLIST property name CDATA #REQUIRED value CDATA #REQUIRED>"
    "<!ELEMENT testcase ((skipped | error | failure)?, system-out?, system-err?)>"
    "<!ATTLIST testcase name CDATA #REQUIRED classname CDATA #REQUIRED time CDATA #IMPLIED>"
    "<!ELEMENT skipped (#PCDATA)><!ATTLIST skipped message CDATA #IMPLIED>"
    "<!ELEMENT failure (#PCDATA)><!ATTLIST failure message CDATA #IMPLIED type CDATA #IMPLIED>"
    "<!ELEMENT error (#PCDATA)><!ATTLIST error message CDATA #IMPLIED type CDATA #IMPLIED>"
    "<!ELEMENT system-out (#PCDATA)><!ELEMENT system-err (#PCDATA)>";

static void junit_is_valid_and_counts(void **state)
{
    need("xmllint");
    struct report_input in = input(false);
    write_page(&in, "r");
    const char *file = in_folder("r/junit.xml"), *dtd = in_folder("junit.dtd");
    FILE *out = fopen(dtd, "w");
    fputs(junit_dtd, out);
    fclose(out);
    assert_string_equal(xml_said("xmllint --noout --dtdvalid '%s' '%s' 2>&1", dtd, file), "");
    assert_int_equal(xml_count(file, "//testcase[@classname=\"alpha\"]"), 3);
    /* The failures are two CONTRADICTED and one SUSPECT; one INCONCLUSIVE and two NOT_RUN are skipped. */
    assert_string_equal(
        xml_value(file, "concat(/*/@tests, \" \", /*/@failures, \" \", /*/@skipped)"), "8 3 3");
    assert_int_equal(xml_count(file, "//failure[@type=\"CONTRADICTED\"]"), 2);
    assert_int_equal(xml_count(file, "//failure[@type=\"SUSPECT\"]"), 1);
    assert_int_equal(xml_count(file, "//skipped"), 3);
    assert_int_equal(xml_count(file, "//testsuite[@tests != count(testcase) or "
                                     "@failures != count(testcase/failure) or "
                                     "@skipped != count(testcase/skipped)]"),
                     0);
    assert_string_equal(
        xml_value(file, "string(//testcase[contains(@name, \"cheap\")]/failure/@message)"),
        "50% less than \"the\" formula, at T = 4");
    assert_int_equal(
        xml_count(file, "//testcase[1]/system-out[contains(., \"control: gd does not sample: "
                        "CAUGHT, exponent -1.\")]"),
        1);
}

/* Evidence that is contradicted counts as open, and not as a failure; the exit code treats it in the same way. */
static void evidence_is_no_failure(void **state)
{
    need("xmllint");
    struct report_input in = input(false);
    struct judgement changed[JUDGED];
    struct claim evidence;
    memcpy(changed, in.judgement, sizeof changed);
    for (int k = 0; k < JUDGED; k++)
        if (changed[k].verdict.word == CONTRADICTED) {
            evidence = *changed[k].claim;
            evidence.kind = KIND_EVIDENCE;
            changed[k].claim = &evidence;
            break;
        }
    in.judgement = changed;
    write_page(&in, "e");
    const char *file = in_folder("e/junit.xml");
    assert_string_equal(
        xml_value(file, "concat(/*/@tests, \" \", /*/@failures, \" \", /*/@skipped)"), "8 2 4");
    assert_int_equal(xml_count(file, "//failure[@type=\"CONTRADICTED\"]"), 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = { TEST(junit_is_valid_and_counts), TEST(evidence_is_no_failure) };
    return cmocka_run_group_tests_name("report as JUnit XML", tests, NULL, NULL);
}
