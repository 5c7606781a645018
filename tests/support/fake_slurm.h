/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_slurm.h - for tests of --engine slurm: scripts with the names of Slurm's programs, in the folder `bin` of
 * the test. sbatch runs the jobs of an array one after another in the background, or one job after those that it
 * depends on, on a node with the name n1, or n2 where n1 is excluded; squeue prints the jobs that have not ended,
 * each of which has a file jobs/ID. Jobs run in the folder `scratch`. The option --output is read as by the true
 * sbatch: a name without a backslash has the patterns %% %A %a %j; in a name with a backslash there are no
 * patterns, and \\ stands for \. A job whose output cannot be opened does not run. sbatch.log has the options of
 * every submission, sbatch.args its words with a zero byte behind each. The nodes that the variable BAD_NODES names
 * have processors of another kind: they run the portable kernels. */
#ifndef ASSAY_TESTS_FAKE_SLURM_H
#define ASSAY_TESTS_FAKE_SLURM_H

#include "support/shell.h"

/* A command line that finds the scripts begins with these words. */
#define FAKE_SLURM "export HERE=$PWD PATH=$PWD/bin:$PATH; "

static inline void fake_slurm_make(void)
{
    int code = shell(
        "mkdir -p bin jobs scratch && cd bin && printf '#!/bin/sh\necho MaxArraySize = 8\n' > scontrol && "
        "cat > squeue << 'EOF'\n"
        "#!/bin/sh\n"
        "for ids; do :; done\n"
        "for id in $(echo $ids | tr , ' '); do [ ! -e \"$HERE/jobs/$id\" ] || echo $id; done\n"
        "EOF\n"
        "cat > scancel << 'EOF'\n"
        "#!/bin/sh\n"
        "[ ! -s \"$HERE/jobs/$1\" ] || kill $(cat \"$HERE/jobs/$1\")\n"
        "rm -f \"$HERE/jobs/$1\"\n"
        "EOF\n"
        "chmod +x *");
    code += shell(
        "cat > bin/sbatch << 'EOF'\n"
        "#!/bin/sh\n"
        "echo \"$@\" >> \"$HERE/sbatch.log\"\n"
        "printf '%%s\\0' \"$@\" >> \"$HERE/sbatch.args\"\n"
        "export SLURMD_NODENAME=n1\n"
        "last= after= output=/dev/null\n"
        "for word; do\n"
        "    case $word in --array=1-*) last=${word#--array=1-} ;; --exclude=n1) "
        "SLURMD_NODENAME=n2 ;; --output=*) output=${word#--output=} ;;\n"
        "    --dependency=afterany:*) after=${word#--dependency=afterany:} ;; esac\n"
        "done\n"
        "case \" $BAD_NODES \" in *\" $SLURMD_NODENAME \"*) export ASSAY_SIMD=portable ;; esac\n"
        "id=$(wc -l < \"$HERE/sbatch.log\")\n"
        "job() {\n"
        "    export SLURM_ARRAY_TASK_ID=$1 SLURM_ARRAY_JOB_ID=$id SLURM_JOB_ID=$id${1:+-$1}\n"
        "    case $output in\n"
        "    *\\\\*) rule='s/\\\\\\(.\\)/\\1/g' ;;\n"
        "    *) rule=\"s/%%%%/$(printf '\\002')/g;s/%%[Aj]/$id/g;s/%%a/$1/g;s/%%[0-9]*.//g\"\n"
        "       rule=\"$rule;s/$(printf '\\002')/%%/g\" ;;\n"
        "    esac\n"
        "    sh \"$word\" >> \"$(printf %%s \"$output\" | LC_ALL=C sed \"$rule\")\" 2>&1\n"
        "}\n"
        ": > \"$HERE/jobs/$id\"\n"
        "(cd \"$HERE/scratch\"; until [ -s \"$HERE/jobs/$id\" ]; do sleep 0.01; done\n"
        "for k in $(echo $after | tr : ' '); do while [ -e \"$HERE/jobs/$k\" ]; do sleep 0.01; done; done\n"
        "[ -n \"$last\" ] || job ''\n"
        "for k in $(seq ${last:-0}); do job $k; done\n"
        "rm \"$HERE/jobs/$id\") > /dev/null 2>> \"$HERE/sbatch.err\" < /dev/null &\n"
        "echo $! > \"$HERE/jobs/$id\"\n"
        "echo $id\n"
        "EOF\n"
        "chmod +x bin/sbatch");
    if (code)
        abort();
}

#endif
