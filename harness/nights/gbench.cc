/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gbench.cc - main() of the benchmarks: registers the groups, checks each case before it is timed,
 * prints medians beside the limits measured in the same run, and writes every repetition to a file. */
#include "nights/gbench.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

struct entry {
    entry(const gbench_group *group, const gbench_case *c)
        : group(group), c(c), name(std::string(group->name) + "/" + c->kernel + "/" + c->size) {}
    const gbench_group *group;
    const gbench_case *c;
    std::string name;
    bool checked = false, wrong = false;
    std::vector<double> seconds;     // of an iteration; an entry for each repetition
    double median = 0, spread = 0;
};

std::vector<entry> entries;
std::vector<std::pair<std::string, std::string>> context;

struct measurement { std::string benchmark, quantity; double value; };
std::vector<measurement> measurements;

void run_case(benchmark::State &state, size_t index)
{
    entry &e = entries[index];
    const gbench_case &c = *e.c;
    if (!e.checked) {
        e.checked = true;
        e.wrong = c.check && c.check(c.payload);
    }
    if (e.wrong) {
        state.SkipWithError("wrong result");
        return;
    }
    while (state.KeepRunningBatch(state.max_iterations))
        c.run(c.payload, static_cast<long>(state.max_iterations));
    using benchmark::Counter;
    if (c.bytes > 0)
        state.counters["bytes_per_second"] = Counter(c.bytes, Counter::kIsIterationInvariantRate);
    if (c.flops > 0)
        state.counters["flops_per_second"] = Counter(c.flops, Counter::kIsIterationInvariantRate);
    if (c.items > 0)
        state.counters["items_per_second"] = Counter(c.items, Counter::kIsIterationInvariantRate);
    if (c.working_set > 0)
        state.counters["working_set"] = c.working_set;
    const char *name = nullptr;
    for (int k = 0; c.found; k++) {
        double value = c.found(c.payload, k, &name);
        if (!name)
            break;
        state.counters[name] = value;
    }
}

// Computes the median of the repetitions, and their spread: the width of the middle half over the median. A single
// disturbed repetition moves neither.
void summarise(entry &e)
{
    std::vector<double> &s = e.seconds;
    std::sort(s.begin(), s.end());
    size_t n = s.size();
    e.median = n % 2 ? s[n / 2] : (s[n / 2 - 1] + s[n / 2]) / 2;
    e.spread = (s[n - 1 - n / 4] - s[n / 4]) / e.median;
}

double rate(const entry &e, double amount)
{
    return e.median > 0 ? amount / e.median : 0;
}

// Returns the case that measured the bandwidth of the smallest level of memory that holds the working set: a case
// that only reads for a kernel that only reads, else the fastest one that also writes. The last level holds all.
const entry *bandwidth_for(const gbench_case &c)
{
    const entry *best = nullptr;
    for (const entry &e : entries) {
        double level = e.c->working_set, chosen = best ? best->c->working_set : 0;
        if (e.c->limit == GBENCH_BANDWIDTH && e.median > 0 && level >= c.working_set &&
            (e.c->written > 0) == (c.written > 0) &&
            (!best || level < chosen ||
             (level == chosen && rate(e, e.c->bytes) > rate(*best, best->c->bytes))))
            best = &e;
    }
    return best;
}

const entry *peak()
{
    const entry *best = nullptr;
    for (const entry &e : entries)
        if (e.c->limit == GBENCH_PEAK && e.median > 0 &&
            (!best || rate(e, e.c->flops) > rate(*best, best->c->flops)))
            best = &e;
    return best;
}

const entry *peer_of(const entry &e)
{
    if (e.c->peer)
        for (const entry &p : entries)
            if (p.group == e.group && std::string(p.c->kernel) == e.c->peer &&
                std::string(p.c->size) == (e.c->peer_size ? e.c->peer_size : e.c->size) && p.median > 0)
                return &p;
    return nullptr;
}

// Returns the time of a case over that of its peer; of an item where the peer has another size.
double ratio_to(const entry &e, const entry &peer)
{
    double items = e.c->peer_size ? e.c->items / peer.c->items : 1;
    return e.median / peer.median / items;
}

std::string text(const char *form, double value)
{
    char s[64];
    std::snprintf(s, sizeof s, form, value);
    return s;
}

std::string duration(double seconds)
{
    static const struct { double unit; const char *form; } forms[] = {
        { 1e-6, "%.4g ns" }, { 1e-3, "%.4g us" }, { 1, "%.4g ms" }
    };
    double scale = 1e9;
    for (const auto &f : forms) {
        if (seconds < f.unit)
            return text(f.form, seconds * scale);
        scale /= 1e3;
    }
    return text("%.4g s", seconds);
}

// Returns as text the share that a kernel reaches of the limit that it cannot beat, with the name of the limit:
// memory or arithmetic, whichever takes longer.
std::string share(const entry &e)
{
    if (e.c->limit != GBENCH_NO_LIMIT)
        return "limit";
    const entry *memory = bandwidth_for(*e.c), *fastest = peak();
    double by_memory = memory && e.c->working_set > 0
                           ? e.c->bytes / rate(*memory, memory->c->bytes) : 0;
    double by_flops = fastest ? e.c->flops / rate(*fastest, fastest->c->flops) : 0;
    if (by_memory <= 0 && by_flops <= 0)
        return "-";
    return text("%.3g%% of ", 100 * std::max(by_memory, by_flops) / e.median) +
           (by_memory > by_flops ? memory->c->size : fastest->c->kernel);
}

void print_entry(const entry &e)
{
    const gbench_case &c = *e.c;
    std::printf("  %-34s %-16s", c.kernel, c.size);
    if (e.wrong || e.seconds.empty()) {
        std::printf(" %s\n", e.wrong ? "WRONG RESULT" : "failed");
        return;
    }
    const entry *p = peer_of(e);
    std::printf(" %9s %6s %9s %8s %8s  %-15s %s\n", duration(e.median).c_str(),
                text("%.1f%%", 100 * e.spread).c_str(),
                c.items > 0 ? duration(e.median / c.items).c_str() : "-",
                c.bytes > 0 ? text("%.4g", rate(e, c.bytes) / 1e9).c_str() : "-",
                c.flops > 0 ? text("%.4g", rate(e, c.flops) / 1e9).c_str() : "-", share(e).c_str(),
                p ? (text("%.3g x ", ratio_to(e, *p)) + (c.peer_size ? c.peer_size : c.peer)).c_str()
                  : c.peer ? "-" : "");
}

// Keeps one repetition, for the table and for the file.
void keep(entry &e, const benchmark::BenchmarkReporter::Run &run)
{
    const std::string time_of = GBENCH_TIME_OF;
    double iterations = static_cast<double>(run.iterations), seconds = run.cpu_accumulated_time / iterations;
    bool own = true;
    e.seconds.push_back(seconds);
    measurements.push_back({ e.name, "iterations", iterations });
    for (const auto &c : run.counters) {
        bool is_time = c.first.compare(0, time_of.size(), time_of) == 0;
        own = own && !is_time;
        if (!is_time)
            measurements.push_back({ e.name, c.first, c.second });
        else if (c.second > 0)           // a difference of two times, which noise can make negative
            measurements.push_back({ std::string(e.group->name) + "/" + e.c->kernel + "/" +
                                     c.first.substr(time_of.size()), GBENCH_TIME, c.second });
    }
    if (own)
        measurements.push_back({ e.name, GBENCH_TIME, seconds });
}

// The file is written at the end of the run, so that a run that was cut off leaves no part of one.
bool write_csv(const char *path)
{
    std::FILE *out = std::fopen(path, "w");
    if (!out)
        return false;
    gbench_csv(out, nullptr, nullptr, nullptr);
    for (const auto &line : context)
        gbench_csv(out, "", line.first.c_str(), line.second.c_str());
    for (const measurement &m : measurements)
        gbench_csv(out, m.benchmark.c_str(), m.quantity.c_str(), text("%.17g", m.value).c_str());
    bool bad = std::ferror(out);
    return std::fclose(out) == 0 && !bad;
}

// Random interleaving ends the cases in any order, so they are kept, and printed in the order of their declaration.
class table : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context &) override
    {
        for (const auto &line : context)
            std::printf("%-8s %s\n", line.first.c_str(), line.second.c_str());
        std::fflush(stdout);
        return true;
    }

    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &run : runs)
            for (entry &e : entries)
                if (run.run_type == Run::RT_Iteration && !run.error_occurred &&
                    run.run_name.function_name == e.name)
                    keep(e, run);
    }

    void Finalize() override
    {
        for (entry &e : entries)
            if (!e.seconds.empty())
                summarise(e);
        std::printf("\n%-36s %-16s %9s %6s %9s %8s %8s  %-15s %s\n", "kernel", "size", "time",
                    "spread", "an item", "GB/s", "GFLOP/s", "share", "against");
        const gbench_group *group = nullptr;
        for (const entry &e : entries) {
            if (!e.checked)
                continue;            // not selected
            bool next = e.group != group;
            if (next)
                std::printf("%s\n", (group = e.group)->name);
            if (!e.group->print)
                print_entry(e);
            else if (next)
                e.group->print();
        }
    }
};

// The default options come first and later ones win, so that the user can replace each of them.
std::vector<char *> with_defaults(int argc, char **argv)
{
    static char repetitions[] = "--benchmark_repetitions=9", time[] = "--benchmark_min_time=0.04",
                order[] = "--benchmark_enable_random_interleaving=true";
    std::vector<char *> words = { argv[0], repetitions, time, order };
    words.insert(words.end(), argv + 1, argv + argc);
    return words;
}

// The limits are measured in every run, whatever is selected; a filter that begins with - leaves cases out.
std::string selection()
{
    std::string filter = benchmark::GetBenchmarkFilter();
    if (filter.empty() || filter == "all")
        return ".";
    return filter[0] == '-' ? filter : "^limits/|" + filter;
}

} // namespace

extern "C" void gbench_context(const char *key, const char *value)
{
    context.emplace_back(key, value);
    benchmark::AddCustomContext(key, value);
}

// Removes --csv=FILE from the words and returns FILE; nullptr: it is not among them.
static const char *csv_path(int *argc, char **argv)
{
    const char *path = nullptr;
    int kept = 0;
    for (int k = 0; k < *argc; k++)
        if (std::strncmp(argv[k], "--csv=", 6) == 0)
            path = argv[k] + 6;
        else
            argv[kept++] = argv[k];
    *argc = kept;
    return path;
}

int main(int argc, char **argv)
{
    const char *csv = csv_path(&argc, argv);
    std::vector<char *> words = with_defaults(argc, argv);
    bool own_table = std::none_of(argv + 1, argv + argc, [](const char *word) {
        return std::string(word).rfind("--benchmark_format", 0) == 0;
    });
    int count = static_cast<int>(words.size());
    benchmark::Initialize(&count, words.data());
    if (benchmark::ReportUnrecognizedArguments(count, words.data()))
        return 2;
    for (auto g = gbench_groups; *g; g++) {
        if ((*g)->begin)
            (*g)->begin();
        for (const gbench_case *c = (*g)->cases; c->kernel; c++)
            entries.emplace_back(*g, c);
    }
    for (size_t k = 0; k < entries.size(); k++)
        benchmark::RegisterBenchmark(entries[k].name.c_str(), run_case, k);
    table display;
    size_t run = own_table ? benchmark::RunSpecifiedBenchmarks(&display, nullptr, selection())
                           : benchmark::RunSpecifiedBenchmarks(nullptr, nullptr, selection());
    for (auto g = gbench_groups; *g; g++)
        if ((*g)->end)
            (*g)->end();
    bool wrong = std::any_of(entries.begin(), entries.end(),
                             [](const entry &e) { return e.wrong; });
    bool written = !csv || write_csv(csv);
    if (!written)
        std::fprintf(stderr, "bench: cannot write %s\n", csv);
    return wrong || run == 0 || !written;
}
