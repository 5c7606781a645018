/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_packaged.c - the sets that Debian's packages hold. Those of libfann-doc with several outputs
 * that are no classes (building, robot) are left out; the sums are those of Debian 12. */
#include "data/data_sets.h"

#include <stdio.h>
#include <unistd.h>

#define CLASSES "classification"
#define TARGET "regression"

struct packaged {
    const char *name, *file, *task;
    long n, d;
    const char *sha256;
};

static const struct packaged fann[] = {
    { "abelone", "abelone.train", TARGET, 2088, 10,
      "144242044810fc1a407d0d3796be4aa3bd6a9035f96ad1f2dacd31298f3c0969" },
    { "abelone-test", "abelone.test", TARGET, 2089, 10,
      "7070e95efc609cad1a5fae4253a5019e90863ac56848ddfe1a395c114276e778" },
    { "bank32fm", "bank32fm.train", TARGET, 2048, 32,
      "67937eb9cce2db57e004d5038755b4a3813f835326e915ba58af7f3f783cb8ec" },
    { "bank32fm-test", "bank32fm.test", TARGET, 2048, 32,
      "7f5526007f9ff736c739a10e3db6dfe8e43dc243db41f5294fb7fd42385f7d75" },
    { "bank32nh", "bank32nh.train", TARGET, 2048, 32,
      "7a4934fbcef4500b7a77a59d24b9f0529fbd6dc8af7299383bcac3f256963717" },
    { "bank32nh-test", "bank32nh.test", TARGET, 2048, 32,
      "c0916065d48c721f66986db347c5465949bd1b01956271639c6909e2464f3053" },
    { "census-house", "census-house.train", TARGET, 11392, 16,
      "978672230b5790e2c5fc72ba4af5967919acd04020bee4a3da5fb132db88b7a4" },
    { "census-house-test", "census-house.test", TARGET, 11392, 16,
      "319c479bca69dd6a61cb71a87cf3617dcb7f4c2ddf6b6933c77188ba471fbfa3" },
    { "diabetes", "diabetes.train", CLASSES, 384, 8,
      "5dce8aca2858ca212adfd66a54d7b4ac6c0316674bbf8fa3db80fb3e620a9473" },
    { "diabetes-test", "diabetes.test", CLASSES, 384, 8,
      "d9ff70a44a6616d6dcabf9de45aa78d4f149714c4dc92962b93f5284535c3f15" },
    { "gene", "gene.train", CLASSES, 1588, 120,
      "f5804bcd84fc916840ad1197fb261ffbca852f019b9de536c28a5130a3b2e345" },
    { "gene-test", "gene.test", CLASSES, 1587, 120,
      "f16f2f2493e997992388f8ba92f278232aa267d825f951f81093a2e85bb1f4ad" },
    { "kin32fm", "kin32fm.train", TARGET, 2048, 32,
      "407f0f46b744e2f0f997e80ac82162b13d2e3132c7331a90da2c067be51e50fb" },
    { "kin32fm-test", "kin32fm.test", TARGET, 2048, 32,
      "ed04c92502a6edf45ecdae39b827a039dbaff46c759e53521d4b4ee2bfbf6bb7" },
    { "mushroom", "mushroom.train", CLASSES, 4062, 125,
      "38fa641ff1c17a5ba28c5a470b43c5a5abc05ce545d3e2189382cb20a6a17fea" },
    { "mushroom-test", "mushroom.test", CLASSES, 4062, 125,
      "da962d6332eaa400c8b3a0a9ee70abdcfab51571f2de66aec73f2b30bd737785" },
    { "pumadyn-32fm", "pumadyn-32fm.train", TARGET, 512, 32,
      "4c4d905a25fc6c646adc5ce7d28e0b082f66a83803a6d5c5beceeda9fc5a9a56" },
    { "pumadyn-32fm-test", "pumadyn-32fm.test", TARGET, 512, 32,
      "b4a78eb72bc0bece6771bd515cfe77f41304e0b37a7f80d77bf03a932b7099bd" },
    { "soybean", "soybean.train", CLASSES, 342, 82,
      "7b7942275fe8c93ceaa0e0704a02700cc82e5cb533fd63de5137d50d4087d699" },
    { "soybean-test", "soybean.test", CLASSES, 341, 82,
      "a29600658975bdae55bedd3f7af37df24e290093279add35e9ed2afd469777bf" },
    { "thyroid", "thyroid.train", CLASSES, 3600, 21,
      "4727a5b1caa1caec3a8af5a861c0638d6ef7cc253d18a568a2feb40822f87f43" },
    { "thyroid-test", "thyroid.test", CLASSES, 3600, 21,
      "9e26364459a377ac5c69ef51b1eadfac0959cfcafe1868a8f32a62e789342899" },
    { "two-spiral", "two-spiral.train", CLASSES, 193, 2,
      "371ac6a7a72fd467be01c677d863202454ed8c16fc61a4489e1535d9a29350b7" },
    { "two-spiral-test", "two-spiral.test", CLASSES, 193, 2,
      "0a5a6f338808b8cc8831016903a9a6b9c0be41ff96cbeb72aea40bcaa3d6591d" },
    { 0 }
};

static const struct packaged liblinear[] = {
    { "heart_scale", "heart_scale", CLASSES, 270, 13,
      "5defa0a4c4c5bdaf3f55ae3828310252e8565c13ee37ce279e0b86d82e7f4ce9" },
    { 0 }
};

static const struct {
    const char *name, *licence, *source, *folder[2];         /* the second: of other releases */
    const struct packaged *set;
} packages[] = {
    { "liblinear-tools", "BSD-3-Clause", "https://www.csie.ntu.edu.tw/~cjlin/liblinear",
      { "/usr/share/doc/liblinear-tools/examples", NULL }, liblinear },
    { "libfann-doc", "LGPL-2.1+", "https://github.com/libfann/fann",
      { "/usr/share/doc/libfann-dev/examples/datasets",
        "/usr/share/doc/libfann-doc/examples/datasets" }, fann },
};

/* Where the file is, as it is or as gzip; else where it would be. */
static void locate(const char *const folder[2], const char *file, struct data_set *s)
{
    for (int k = 0; k < 4; k++) {
        if (!folder[k / 2])
            continue;
        snprintf(s->file, sizeof s->file, "%s/%s%s", folder[k / 2], file, k % 2 ? ".gz" : "");
        if (access(s->file, R_OK) == 0)
            return;
    }
    snprintf(s->file, sizeof s->file, "%s/%s", folder[0], file);
}

enum status data_packaged(struct data_sets *all, struct why *why)
{
    for (size_t k = 0; k < sizeof packages / sizeof *packages; k++)
        for (const struct packaged *p = packages[k].set; p->name; p++) {
            if (data_sets_find(all, p->name))
                continue;
            struct data_set *s = data_sets_more(all);
            if (!s)
                return why_set(why, NO_MEMORY, "data: not enough memory for the list of sets");
            *s = (struct data_set){ .n = p->n, .d = p->d, .package = packages[k].name };
            snprintf(s->name, sizeof s->name, "%s", p->name);
            snprintf(s->task, sizeof s->task, "%s", p->task);
            snprintf(s->sha256, sizeof s->sha256, "%s", p->sha256);
            snprintf(s->licence, sizeof s->licence, "%s", packages[k].licence);
            snprintf(s->source, sizeof s->source, "%s", packages[k].source);
            locate(packages[k].folder, p->file, s);
        }
    return OK;
}
