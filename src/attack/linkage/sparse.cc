#include "attack/linkage/sparse.h"

#include <algorithm>
#include <cmath>

#include "attack/dice.h"
#include "attack/statistics.h"

namespace tacit::attack {
namespace {

constexpr size_t kFrequentItems = 100;

// The records that have an item, and what a match on it is worth.
class Index {
 public:
  explicit Index(const SparseTable& table) : table_(table), postings_(table.items) {
    for (uint32_t person = 0; person < table.people.size(); ++person) {
      for (const SparseEntry& entry : table.people[person]) {
        postings_[entry.item].push_back({person, entry.value, entry.day});
      }
    }
    std::vector<uint32_t> order(table.items);
    for (uint32_t item = 0; item < table.items; ++item) order[item] = item;
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return postings_[a].size() > postings_[b].size();
    });
    frequent_.resize(table.items);
    for (size_t i = 0; i < std::min(kFrequentItems, order.size()); ++i) frequent_[order[i]] = true;
  }

  bool IsFrequent(uint32_t item) const { return frequent_[item]; }

  // Adds what knowing `entry` says for every record: 1 / log(records with the item), times how near
  // rating and day are.
  void Score(const SparseEntry& entry, std::vector<double>& scores) const {
    const std::vector<Posting>& postings = postings_[entry.item];
    if (postings.empty()) return;
    const double weight = 1 / std::log(1 + static_cast<double>(postings.size()));
    for (const Posting& posting : postings) {
      double near = 1;
      if (table_.has_values) near = std::exp(-std::abs(posting.value - entry.value) / 1.5);
      if (table_.has_days) near += std::exp(-std::abs(posting.day - entry.day) / 30);
      scores[posting.person] += weight * near;
    }
  }

 private:
  struct Posting {
    uint32_t person;
    float value, day;
  };
  const SparseTable& table_;
  std::vector<std::vector<Posting>> postings_;
  std::vector<bool> frequent_;
};

// What stands out among the scores, leaving one record out (or none: UINT32_MAX).
struct Best {
  uint32_t person = 0;
  double gap = 0;  // in standard deviations
};
Best FindBest(const std::vector<double>& scores, uint32_t left_out) {
  double best = -1, second = -1, sum = 0, squares = 0, count = 0;
  uint32_t person = 0;
  for (uint32_t p = 0; p < scores.size(); ++p) {
    if (p == left_out) continue;
    const double score = scores[p];
    sum += score;
    squares += score * score;
    ++count;
    if (score > best) {
      second = best;
      best = score;
      person = p;
    } else {
      second = std::max(second, score);
    }
  }
  const double variance = squares / count - (sum / count) * (sum / count);
  return {person, variance > 0 ? (best - second) / std::sqrt(variance) : 0};
}

// A few of the target's entries, some replaced by items drawn blindly, the others a little off.
std::vector<SparseEntry> Memory(const SparseTable& table, const std::vector<SparseEntry>& usable,
                                uint32_t known, const SparseOptions& options, Dice& dice) {
  std::vector<SparseEntry> memory = usable;
  dice.Shuffle(memory);
  memory.resize(known);
  for (uint32_t i = 0; i < known; ++i) {
    SparseEntry& entry = memory[i];
    if (i < options.wrong && options.wrong < known) {
      entry.item = static_cast<uint32_t>(dice.Below(table.items));
    }
    entry.value += static_cast<float>(std::round((2 * dice.Fraction() - 1) * options.value_off));
    entry.day += static_cast<float>((2 * dice.Fraction() - 1) * options.day_off);
  }
  return memory;
}

}  // namespace

Scoreboard AttackRecords(const SparseTable& table, uint32_t known, bool rare,
                         const SparseOptions& options, const Progress& progress) {
  const Index index(table);
  Dice dice = Dice(options.seed).Part(known * 2 + (rare ? 1 : 0));
  std::vector<std::vector<SparseEntry>> usable;
  std::vector<uint32_t> targets;
  for (uint32_t person = 0; person < table.people.size(); ++person) {
    std::vector<SparseEntry> entries;
    for (const SparseEntry& entry : table.people[person]) {
      if (!rare || !index.IsFrequent(entry.item)) entries.push_back(entry);
    }
    if (entries.size() >= known) targets.push_back(person);
    usable.push_back(std::move(entries));
  }
  dice.Shuffle(targets);
  if (targets.size() > options.targets) targets.resize(options.targets);

  Scoreboard board;
  std::vector<double> scores(table.people.size());
  for (const uint32_t target : targets) {
    if (board.targets % 32 == 0) {
      Tell(progress, std::to_string(known) + " items known",
           static_cast<double>(board.targets) / static_cast<double>(targets.size()));
    }
    std::fill(scores.begin(), scores.end(), 0);
    for (const SparseEntry& entry : Memory(table, usable[target], known, options, dice)) {
      index.Score(entry, scores);
    }
    ++board.targets;
    const Best present = FindBest(scores, UINT32_MAX);
    board.gap += present.gap;
    if (present.gap >= options.gap) ++(present.person == target ? board.right : board.wrong);
    board.absent_claimed += FindBest(scores, target).gap >= options.gap;
    const auto as_high = std::count_if(scores.begin(), scores.end(),
                                       [&](double score) { return score >= scores[target]; });
    board.alone += as_high == 1;
    board.entropy += std::log2(static_cast<double>(as_high));
  }
  if (board.targets > 0) {
    board.gap /= static_cast<double>(board.targets);
    board.entropy /= static_cast<double>(board.targets);
  }
  return board;
}

namespace {

void AddFigures(const std::vector<std::pair<uint32_t, Scoreboard>>& boards, const char* which,
                Table& table, Chart& chart) {
  Series alone{.name = std::string("fits best alone, ") + which, .points = {}};
  Series found{.name = std::string("found, ") + which, .points = {}};
  Series absent{
      .name = std::string("claimed though absent, ") + which, .points = {}, .is_reference = true};
  for (const auto& entry : boards) {
    const uint32_t known = entry.first;
    const Scoreboard& board = entry.second;
    const auto share = [&](int64_t count) { return ShareOf(count, board.targets); };
    const Estimate right = share(board.right), single = share(board.alone);
    alone.points.push_back({.x = double(known),
                            .y = 100 * single.value,
                            .low = 100 * single.low,
                            .high = 100 * single.high});
    found.points.push_back({.x = double(known),
                            .y = 100 * right.value,
                            .low = 100 * right.low,
                            .high = 100 * right.high});
    absent.points.push_back({.x = double(known), .y = 100 * share(board.absent_claimed).value});
    table.rows.push_back({Text(which), Number(known), Number(static_cast<double>(board.targets)),
                          Percent(share(board.alone).value), Percent(right.value),
                          Percent(share(board.wrong).value),
                          Percent(share(board.absent_claimed).value), Number(board.gap, 1),
                          Number(board.entropy, 1)});
  }
  chart.series.push_back(std::move(alone));
  chart.series.push_back(std::move(found));
  chart.series.push_back(std::move(absent));
}

std::string SentenceOf(uint32_t known, const Scoreboard& board, const SparseOptions& options) {
  const auto share = [&](int64_t count) {
    return Percent(ShareOf(count, board.targets).value).text;
  };
  std::string text = "Knowing " + std::to_string(known) + (known == 1 ? " item" : " items");
  if (options.wrong > 0 && known > options.wrong) {
    text += ", " + std::to_string(options.wrong) + " of them wrong";
  }
  return text + ": for " + share(board.alone) + " of " + Shown(static_cast<double>(board.targets)) +
         " people no other record fits as well as their own; " + share(board.right) +
         " stand out so far that they are claimed, and " + share(board.wrong) +
         " are taken for somebody else. Of people who are not in the release " +
         share(board.absent_claimed) + " are claimed.";
}

std::string AttackerOf(const SparseTable& table, const SparseOptions& options) {
  std::string text =
      options.wrong == 0 ? "no item wrong" : std::to_string(options.wrong) + " of the items wrong";
  if (table.has_values) text += ", ratings off by up to " + Shown(options.value_off, 1);
  if (table.has_days) text += ", days off by up to " + Shown(options.day_off, 0);
  return text;
}

}  // namespace

Result<Report> AttackSparse(const SparseTable& table, const SparseOptions& options,
                            const Progress& progress) {
  if (table.people.size() < 3 || options.known.empty() || options.targets == 0) {
    return InvalidArgument(
        "at least three people, one number of known items and one target are needed");
  }
  for (const uint32_t known : options.known) {
    if (known == 0) return InvalidArgument("an attacker who knows 0 items knows nobody");
  }
  uint64_t entries = 0;
  for (const auto& person : table.people) entries += person.size();
  Report report{.name = "linkage",
                .title = "A few known items among thousands of columns",
                .shows =
                    "Somebody knows a few things that a person did, rated, bought or searched "
                    "for. Every record is scored by how well it fits; the best one is claimed "
                    "when it stands out from the second by " +
                    Shown(options.gap, 1) + " standard deviations."};
  report.parameters = {
      {"records", table.name + ": " + Shown(static_cast<double>(table.people.size())) +
                      " people, " + Shown(table.items) + " items, " +
                      Shown(static_cast<double>(entries)) + " entries"},
      {"an item", table.item_means},
      {"the attacker", AttackerOf(table, options)}};
  report.seed = options.seed;
  Table figures{.title = "Records found",
                .header = {"items known", "how many", "targets", "fits best alone", "found",
                           "wrong record", "claimed though absent", "gap (sd)", "bits left"},
                .rows = {}};
  Chart chart{.title = "Records found by a few known items",
              .x = {.label = "items known", .unit = "items"},
              .y = {.label = "targets", .unit = "%", .low = 0, .high = 100},
              .series = {},
              .error_bars = "95 % interval of a share"};
  size_t part = 0;
  for (const bool rare : {false, true}) {
    std::vector<std::pair<uint32_t, Scoreboard>> boards;
    for (const uint32_t known : options.known) {
      const Scoreboard board = AttackRecords(table, known, rare, options,
                                             PartOf(progress, part++, 2 * options.known.size()));
      if (board.targets == 0) continue;  // nobody has so many
      // The less frequent ones are in the table and the chart.
      if (!rare) report.summary.push_back(SentenceOf(known, board, options));
      boards.emplace_back(known, board);
    }
    AddFigures(boards, rare ? "without the 100 most frequent" : "any", figures, chart);
  }
  report.tables.push_back(std::move(figures));
  report.charts.push_back(std::move(chart));
  report.cautions = {
      "Targets are people with at least that many items. Those with fewer are found less often "
      "because less is known of them, not because of anything the release does."};
  report.defence = {"Release no records",
                    "Everybody is the only one with their own few items, so no coarsening that "
                    "leaves them readable helps. Counts and averages by item, with noise that "
                    "epsilon pays for, are what such data can give."};
  return report;
}

}  // namespace tacit::attack
