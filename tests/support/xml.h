/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml.h - reads pages back by an independent parser: xmllint of libxml2-utils. */
#ifndef ASSAY_TESTS_XML_H
#define ASSAY_TESTS_XML_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the output of a command, cut to 64 kB; valid until the next call. */
__attribute__((format(printf, 1, 2))) static inline const char *xml_said(const char *format, ...)
{
    static char said[1 << 16];
    char command[8192];
    va_list list;
    va_start(list, format);
    vsnprintf(command, sizeof command, format, list);
    va_end(list);
    FILE *in = popen(command, "r");
    size_t n = in ? fread(said, 1, sizeof said - 1, in) : 0;
    said[n] = 0;
    if (in)
        pclose(in);
    return said;
}

/* Is the file well-formed, without undeclared entities and namespaces? Prints what is wrong. */
static inline bool xml_well_formed(const char *file)
{
    const char *wrong = xml_said("xmllint --noout '%s' 2>&1 | head -c 2000", file);
    fputs(wrong, stderr);
    return *wrong == 0;
}

/* Returns the value of an XPath expression (without single quotes). Elements of a page are named without their
 * namespace, those of a drawing by local-name(). */
static inline const char *xml_value(const char *file, const char *expression)
{
    char *said = (char *)xml_said("sed 's| xmlns=\"http://www.w3.org/1999/xhtml\"||' '%s' | "
                                  "xmllint --xpath '%s' - 2>&1",
                                  file, expression);
    said[strcspn(said, "\n") == strlen(said) ? strlen(said) : strlen(said) - 1] = 0;
    return said;
}

static inline int xml_count(const char *file, const char *nodes)
{
    char expression[4096];
    snprintf(expression, sizeof expression, "count(%s)", nodes);
    return atoi(xml_value(file, expression));
}

#endif
