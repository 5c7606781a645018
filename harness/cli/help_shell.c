/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help_shell.c - completions for bash and zsh. */
#include <argp.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/help.h"

static bool takes_path(const struct argp_option *o)
{
    return o->arg && (strcmp(o->arg, "FILE") == 0 || strcmp(o->arg, "DIR") == 0);
}

/* --- bash */

static void put_bash_name(void *ctx, const struct argp_option *o)
{
    fprintf(ctx, " --%s", o->name);
}

/* `words` <- what may stand there. */
static void put_bash_words(FILE *out, const struct help_words *w)
{
    if (w->list)
        fprintf(out, "words=$(_assay_names \"${COMP_WORDS[0]}\" %s) ;;\n", w->list);
    else
        fprintf(out, "words='%s' ;;\n", w->words);
}

static void put_bash_case(void *ctx, const struct argp_option *o)
{
    const struct help_words *w = help_words_of_option(o->name);
    if (!o->arg)
        return;
    if (o->key < 0x80)
        fprintf(ctx, "    -%c|--%s) ", o->key, o->name);
    else
        fprintf(ctx, "    --%s) ", o->name);
    if (w)
        put_bash_words(ctx, w);
    else if (takes_path(o))
        fprintf(ctx, "COMPREPLY=($(compgen -f -- \"$cur\")); compopt -o filenames 2> /dev/null; "
                     "return ;;\n");
    else
        fprintf(ctx, "return ;;\n");
}

void help_bash(FILE *out)
{
    fputs("# bash completion for assay\n"
          "_assay_names() {\n    \"$1\" list \"$2\" --format csv 2> /dev/null |\n"
          "        sed -e 1d -e 's/,.*//' -e 's/\"//g'\n}\n"
          "_assay() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local words= verb= k\n"
          "    if [ \"$cur\" = = ]; then\n        cur=\n"
          "    elif [ \"$prev\" = = ] && [ \"$COMP_CWORD\" -gt 1 ]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD-2]}\n    fi\n"
          "    for ((k = 1; k < COMP_CWORD; k++)); do\n"
          "        case ${COMP_WORDS[k]} in\n        ", out);
    for (const struct verb *v = verbs; v->name; v++)
        fprintf(out, "%s%s", v->name, v[1].name ? "|" : ") verb=${COMP_WORDS[k]}; break ;;\n");
    fputs("        esac\n    done\n    COMPREPLY=()\n    case $prev in\n", out);
    options_each(put_bash_case, out);
    fputs("    *) case $cur:$verb in\n    -*) words='", out);
    options_each(put_bash_name, out);
    fputs("' ;;\n    *:) words='", out);
    for (const struct verb *v = verbs; v->name; v++)
        fprintf(out, "%s ", v->name);
    fputs("' ;;\n", out);
    for (const struct verb *v = verbs; v->name; v++)
        if (help_words_of_verb(v->name)) {
            fprintf(out, "    *:%s) ", v->name);
            put_bash_words(out, help_words_of_verb(v->name));
        }
    fputs("    esac ;;\n    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n"
          "complete -F _assay assay\n", out);
}

/* --- zsh */

/* Inside single quotes, where brackets and colons end a field of _arguments. */
static void put_zsh(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fprintf(out, "%s%c", strchr("[]:\\", *text) ? "\\" : "", *text);
}

static void put_zsh_words(FILE *out, const struct help_words *w)
{
    if (w->list)
        fprintf(out, "{compadd -- $(_assay_names %s)}", w->list);
    else
        fprintf(out, "(%s)", w->words);
}

static void put_zsh_option(void *ctx, const struct argp_option *o)
{
    const struct help_words *w = help_words_of_option(o->name);
    bool repeats = strcmp(o->name, "set") == 0 || strcmp(o->name, "plugin") == 0;
    if (o->key < 0x80)
        fprintf(ctx, o->arg ? "        '(-%c --%s)'{-%c+,--%s=}'[" : "        '(-%c --%s)'{-%c,--%s}'[",
                o->key, o->name, o->key, o->name);
    else
        fprintf(ctx, "        '%s--%s%s[", repeats ? "*" : "", o->name, o->arg ? "=" : "");
    put_zsh(ctx, o->doc);
    fputs("]", ctx);
    if (o->arg) {
        fputs(":", ctx);
        put_zsh(ctx, o->arg);
        fputs(":", ctx);
        if (w)
            put_zsh_words(ctx, w);
        else if (takes_path(o))
            fputs("_files", ctx);
    }
    fputs("' \\\n", ctx);
}

void help_zsh(FILE *out)
{
    fputs("#compdef assay\n# zsh completion for assay\n"
          "_assay_names() { ${words_of_line[1]} list $1 --format csv 2> /dev/null | "
          "sed -e 1d -e 's/,.*//' -e 's/\"//g' }\n"
          "_assay_verbs() {\n    local -a verbs=(\n", out);
    for (const struct verb *v = verbs; v->name; v++) {
        fprintf(out, "        '%s:", v->name);
        put_zsh(out, v->doc);
        fputs("'\n", out);
    }
    fputs("    )\n    _describe verb verbs\n}\n"
          "_assay_arguments() {\n    case ${words_of_line[2]} in\n", out);
    for (const struct verb *v = verbs; v->name; v++) {
        const struct help_words *w = help_words_of_verb(v->name);
        if (w && w->list)
            fprintf(out, "    %s) compadd -- $(_assay_names %s) ;;\n", v->name, w->list);
        else if (w)
            fprintf(out, "    %s) compadd -- %s ;;\n", v->name, w->words);
    }
    fputs("    esac\n}\n"
          "_assay() {\n    local -a words_of_line=($words)\n    _arguments -s \\\n", out);
    options_each(put_zsh_option, out);
    fputs("        '1:verb:_assay_verbs' '*:argument:_assay_arguments'\n}\n_assay \"$@\"\n", out);
}
