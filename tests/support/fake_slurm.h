/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_slurm.h - for tests of --engine slurm: scripts with the names of Slurm's programs, in the folder `bin` of
 * the test. sbatch runs the jobs of an array one after another in the background, on a node with the name n1, or n2
 * where n1 is excluded; squeue prints the arrays that have not ended. The arrays are the files jobs/ID, and what
 * their jobs print is in jobs.log. sbatch.log has the options of every submission. The nodes that the variable
 * BAD_NODES names have processors of another kind: they run the portable kernels. */
#ifndef ASSAY_TESTS_FAKE_SLURM_H
#define ASSAY_TESTS_FAKE_SLURM_H

#include "support/shell.h"

/* A command line that finds the scripts begins with these words. */
#define FAKE_SLURM "export HERE=$PWD PATH=$PWD/bin:$PATH; "

static inline void fake_slurm_make(void)
{
    int code = shell(
        "mkdir -p bin jobs && cd bin && printf '#!/bin/sh\necho MaxArraySize = 8\n' > scontrol && "
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
        "cat > sbatch << 'EOF'\n"
        "#!/bin/sh\n"
        "echo \"$@\" >> \"$HERE/sbatch.log\"\n"
        "export SLURMD_NODENAME=n1\n"
        "for word; do\n"
        "    case $word in --array=1-*) last=${word#--array=1-} ;; --exclude=n1) "
        "SLURMD_NODENAME=n2 ;; esac\n"
        "done\n"
        "case \" $BAD_NODES \" in *\" $SLURMD_NODENAME \"*) export ASSAY_SIMD=portable ;; esac\n"
        "id=$(wc -l < \"$HERE/sbatch.log\")\n"
        ": > \"$HERE/jobs/$id\"\n"
        "(until [ -s \"$HERE/jobs/$id\" ]; do sleep 0.01; done\n"
        "for k in $(seq $last); do\n"
        "    SLURM_ARRAY_TASK_ID=$k SLURM_JOB_ID=$id-$k sh \"$word\"\n"
        "done; rm \"$HERE/jobs/$id\") >> \"$HERE/jobs.log\" 2>&1 < /dev/null &\n"
        "echo $! > \"$HERE/jobs/$id\"\n"
        "echo $id\n"
        "EOF\n"
        "chmod +x *");
    if (code)
        abort();
}

#endif
