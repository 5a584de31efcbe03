#include "gateway/learning/measure.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "answer/shown/margins.h"
#include "gateway/answer_query.h"
#include "noise/cube/cube_noise.h"

namespace tacit::gateway::learning {
namespace {

// Why 2000: the middle of the last of so many parts of a noise leaves three thousandths of its
// variance out.
constexpr int kNoiseParts = 2000;

// Of the noise, in the column's own unit.
double VarianceOf(const plan::Measure& measure) {
  const double step = measure.step.get_d();
  if (const noise::CubeNoise* cube = measure.mechanism->cube()) {
    // A number of width w is about w U G: U uniform on [-1, 1], G of the gamma law of shape d + 1.
    const double size = static_cast<double>(cube->size());
    const double width =
        cube->scale().get_d() * cube->width(measure.mechanism->coordinate()).get_d() * step;
    return width * width * (size + 1) * (size + 2) / 3;
  }
  double sum = 0;
  for (const Integer& error : measure.mechanism->ErrorsOf(kNoiseParts)) {
    sum += error.get_d() * error.get_d();
  }
  return sum / kNoiseParts * step * step;
}

Request Asking(const std::string& text, const Request& request) {
  Request asked = request;
  asked.text = text;
  asked.statement = nullptr;
  asked.parameters.clear();
  asked.previews = false;
  asked.wish.intervals = false;
  return asked;
}

Error NotOneRelease() {
  return Error{.code = ErrorCode::kUnsupported,
               .public_message =
                   "models are learned from rows of people, and these are made of "
                   "released numbers",
               .hint = "name rows of a protected table",
               .position = std::nullopt,
               .private_detail = ""};
}

// The noise of every column of the answer that shows a released number.
Result<std::vector<double>> NoisesOf(const plan::PrivatePlan& plan) {
  std::map<std::pair<std::string, std::string>, double> variances;  // by mechanism and scale
  for (const plan::Release& release : plan.releases) {
    for (const plan::Measure& measure : release.measures) {
      const auto key = std::make_pair(measure.mechanism->Name(), ToString(measure.scale));
      if (!variances.contains(key)) variances.emplace(key, VarianceOf(measure));
    }
  }
  std::vector<double> noises;
  for (const plan::OutputColumn& column : plan.columns) {
    if (!column.error) continue;
    const auto found =
        variances.find(std::make_pair(column.error->mechanism, ToString(column.error->scale)));
    if (found == variances.end() || !column.error->condition.empty()) return NotOneRelease();
    noises.push_back(found->second);
  }
  return noises;
}

Result<Quoted> Quote(const std::string& text, size_t numbers, const Request& request,
                     Services& services) {
  Result<answer::Explanation> explained = ExplainQuery(Asking(text, request), services);
  if (!explained.ok()) return InTheRows(std::move(explained).error());
  TACIT_TRY(std::vector<double> noises, NoisesOf(explained->plan));
  if (noises.size() != numbers) return NotOneRelease();
  return Quoted{.explanation = std::move(explained).value(), .variances = std::move(noises)};
}

double NumberIn(const engine::Value& value) { return answer::FiniteNumber(value).value_or(0.0); }

}  // namespace

Result<Quoted> QuoteMoments(const std::vector<learn::Column>& columns, const RowsToLearn& rows,
                            const Request& request, Services& services) {
  return Quote(learn::MomentsQuery(columns, rows.text), learn::Pairs(columns).asked().size(),
               request, services);
}

Result<Measured> MeasureMoments(const std::vector<learn::Column>& columns, const RowsToLearn& rows,
                                const Request& request, Services& services) {
  TACIT_TRY(const Quoted quoted, QuoteMoments(columns, rows, request, services));
  TACIT_TRY(answer::Answer answer,
            AnswerQuery(Asking(learn::MomentsQuery(columns, rows.text), request), services));
  const std::vector<std::pair<size_t, size_t>> asked = learn::Pairs(columns).asked();
  TACIT_ASSERT(answer.rows.size() == 1 && answer.columns.size() == asked.size());
  learn::Moments moments{.columns = columns, .values = {}, .variances = {}};
  const engine::PackedRows::Copy row = answer.rows[0];
  const plan::PrivatePlan& plan = quoted.explanation.plan;
  Rational coarsest = 0;  // of the served noises, in those that were asked for
  for (size_t k = 0; k < asked.size(); ++k) {
    const double unit = learn::UnitOf(columns, asked[k]);
    moments.values.push_back(NumberIn(row[k]) / unit);
    // What serves may have been bought at another price: its own error says so.
    const std::optional<plan::ColumnError>& own = answer.columns[k].error;
    const Rational& wished = plan.columns[k].error->scale;
    const Rational finer = own && wished > 0 ? Rational(own->scale / wished) : Rational(1);
    coarsest = std::max(coarsest, finer);
    const double ratio = finer.get_d();
    moments.variances.push_back(quoted.variances[k] * ratio * ratio / (unit * unit));
  }
  Rational epsilon = plan.cost.epsilon;
  if (plan.cost.rho > 0) epsilon = SquareRootUp(Rational(plan.cost.rho * 2));
  if (coarsest > 0) epsilon /= coarsest;
  return Measured{.moments = std::move(moments),
                  .answer = std::move(answer),
                  .epsilon = std::move(epsilon),
                  .promises = plan.releases[0].facts};
}

learn::Moments EvenMoments(const std::vector<learn::Column>& columns, double rows,
                           const Quoted& quoted) {
  const std::vector<std::pair<size_t, size_t>> asked = learn::Pairs(columns).asked();
  learn::Moments moments{.columns = columns, .values = {}, .variances = {}};
  for (size_t k = 0; k < asked.size(); ++k) {
    const auto& [i, j] = asked[k];
    const double unit = learn::UnitOf(columns, asked[k]);
    moments.values.push_back(i == 0 && j == 0 ? rows : i == j ? rows / 3 : 0);
    moments.variances.push_back(quoted.variances[k] / (unit * unit));
  }
  return moments;
}

}  // namespace tacit::gateway::learning
