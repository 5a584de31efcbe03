#include "release/fit/queries.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tacit::release {
namespace {

// A cell that is off by less than so many standard deviations is left as the model has it.
constexpr double kSoft = 1;

bool AsPairsSeeIt(const Query& query, size_t place) {
  return query.views.empty() || query.views[place].cell_of.empty();
}

}  // namespace

std::vector<View> ModelViews(const Query& query, const Measured& measured, const Targets& targets) {
  std::vector<View> views;
  for (size_t i = 0; i < query.columns.size(); ++i) {
    const size_t column = query.columns[i];
    views.push_back(AsPairsSeeIt(query, i) ? targets.WholeView(column)
                                           : ModelView(query.views[i], measured.views[column]));
  }
  return views;
}

std::vector<Side> SidesOf(const Query& query, const Measured& measured) {
  std::vector<Side> sides;
  for (size_t i = 0; i < query.columns.size(); ++i) {
    const size_t column = query.columns[i];
    sides.push_back({column, AsPairsSeeIt(query, i) ? &measured.views[column] : &query.views[i]});
  }
  return sides;
}

std::vector<Query> AllTables(const Targets& targets, size_t ways) {
  std::vector<Query> tables;
  std::vector<size_t> columns;
  const std::function<void(size_t, size_t)> choose = [&](size_t first, size_t cells) {
    if (cells > kQueryCellsMax) return;
    if (columns.size() == ways) {
      tables.push_back({.columns = columns});
      return;
    }
    for (size_t c = first; c < targets.columns(); ++c) {
      columns.push_back(c);
      choose(c + 1, cells * targets.CellsOf(c));
      columns.pop_back();
    }
  };
  choose(0, 1);
  return tables;
}

View ModelView(const View& own, const View& coarse) {
  View view{.cell_of = std::vector<uint16_t>(coarse.cells, kNowhere), .cells = own.cells};
  for (size_t i = own.cell_of.size(); i-- > 0;) {
    if (coarse.cell_of[i] != kNowhere) view.cell_of[coarse.cell_of[i]] = own.cell_of[i];
  }
  return view;
}

// proof: release/proof.md#6-the-rest-is-post-processing
std::vector<Answered> AskFarthest(const std::vector<Query>& queries, const Asking& asking,
                                  const Measured& measured, const Targets& targets,
                                  const Mixture& mixture, size_t threads, Curator& curator) {
  std::vector<size_t> chosen;
  std::vector<std::vector<Side>> sides;
  for (const Query& query : queries) {
    chosen.push_back(sides.size());
    sides.push_back(SidesOf(query, measured));
  }
  if (asking.wanted < queries.size()) {
    const double sigma = curator.SigmaFor(asking.each.get_d());
    const auto known = [&](size_t q) {
      Curator::Known compared;
      double noise = 0;
      for (const float share : TableOf(mixture, targets, queries[q].columns,
                                       ModelViews(queries[q], measured, targets))) {
        const double rows = targets.rows * static_cast<double>(share);
        compared.rows.push_back(std::llround(rows));
        noise += std::min(1.0, rows / sigma);
      }
      compared.allowance = std::llround(std::sqrt(2 / std::numbers::pi) * sigma * noise);
      return compared;
    };
    chosen = curator.Farthest(sides, known, asking.wanted, asking.choosing, threads);
  }
  std::vector<Answered> answered;
  for (const size_t q : chosen) {
    answered.push_back({.which = q,
                        .views = ModelViews(queries[q], measured, targets),
                        .table = curator.Count(sides[q], asking.each)});
  }
  return answered;
}

FitTable FitTableOf(const Query& query, const Answered& answered, const Targets& targets,
                    const Mixture& mixture) {
  FitTable table{.columns = query.columns,
                 .views = answered.views,
                 .shares = TableOf(mixture, targets, query.columns, answered.views),
                 .variance = answered.table.variance / (targets.rows * targets.rows)};
  // One number has no neighbours that say how much of it is noise.
  const double soft = table.shares.size() > 1 ? kSoft * std::sqrt(table.variance) : 0;
  for (size_t i = 0; i < table.shares.size(); ++i) {
    const double off =
        answered.table.counts[i] / targets.rows - static_cast<double>(table.shares[i]);
    if (std::abs(off) <= soft) continue;
    const double moved = static_cast<double>(table.shares[i]) + off - std::copysign(soft, off);
    table.shares[i] = static_cast<float>(std::max(0.0, moved));
  }
  return table;
}

TableTarget TableTargetOf(const FitTable& table, double total) {
  TableTarget target{.columns = table.columns, .rows = {}, .weight = 1, .views = table.views};
  const bool whole = std::all_of(table.views.begin(), table.views.end(), [](const View& view) {
    return view.cells == view.cell_of.size() &&
           std::is_sorted(view.cell_of.begin(), view.cell_of.end());
  });
  if (whole) target.views.clear();
  for (const float share : table.shares) {
    target.rows.push_back(share * static_cast<float>(total));
  }
  return target;
}

}  // namespace tacit::release
