#include "gateway/learning/statistics/asked.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "answer/assemble.h"
#include "answer/shown/margins.h"
#include "gateway/answer_query.h"

namespace tacit::gateway::learning {
namespace {

// Why 2000: the middle of the last of so many parts of a noise leaves three thousandths of its
// variance out.
constexpr int kLawParts = 2000;

Error WrongCall(const std::string& message, const std::string& hint) {
  return Error{.code = ErrorCode::kInvalidQuery,
               .public_message = message,
               .hint = hint,
               .position = std::nullopt,
               .private_detail = ""};
}

Request AskingFor(const std::string& text, const Request& request) {
  Request asked = request;
  asked.text = text;
  asked.statement = nullptr;
  asked.parameters.clear();
  asked.previews = false;
  asked.wish.intervals = false;
  asked.wish.nonnegative = false;
  return asked;
}

Error NotOneTable() {
  return Error{.code = ErrorCode::kUnsupported,
               .public_message =
                   "statistics are made of rows of people, and these are made of "
                   "released numbers",
               .hint = "name rows of a protected table",
               .position = std::nullopt,
               .private_detail = ""};
}

const plan::Measure* MeasureBehind(const plan::PrivatePlan& plan, const plan::ColumnError& error) {
  for (const plan::Measure& measure : plan.releases[0].measures) {
    const bool same = measure.mechanism->Name() == error.mechanism && measure.scale == error.scale;
    if (same) return &measure;
  }
  return nullptr;
}

struct QuotedNumbers {
  answer::Explanation explanation;
  std::vector<learn::NoiseLaw> noises;
};

Result<QuotedNumbers> QuoteAll(const std::string& text, size_t keys, size_t numbers,
                               const Request& request, Services& services) {
  Result<answer::Explanation> explained = ExplainQuery(AskingFor(text, request), services);
  if (!explained.ok()) return InTheRows(std::move(explained).error());
  const plan::PrivatePlan& plan = explained->plan;
  if (plan.releases.size() != 1 || plan.columns.size() != keys + numbers) return NotOneTable();
  if (!std::holds_alternative<plan::AllGroups>(plan.releases[0].selection)) return NotOneTable();
  std::vector<learn::NoiseLaw> noises;
  for (size_t i = keys; i < plan.columns.size(); ++i) {
    const std::optional<plan::ColumnError>& error = plan.columns[i].error;
    if (!error || !error->condition.empty()) return NotOneTable();
    const plan::Measure* measure = MeasureBehind(plan, *error);
    if (measure == nullptr) return NotOneTable();
    std::vector<double> errors;
    for (const Integer& steps : measure->mechanism->ErrorsOf(kLawParts)) {
      errors.push_back(Rational(Rational(steps) * measure->step).get_d());
    }
    if (errors.empty()) return NotOneTable();
    noises.emplace_back(std::move(errors));
  }
  return QuotedNumbers{std::move(explained).value(), std::move(noises)};
}

// Which cell a key says; nothing for one that is on no list.
std::optional<size_t> CellOfKey(const learn::CutColumn& column, const engine::Value& key) {
  if (column.kind == learn::CutColumn::Kind::kTexts) {
    const auto* text = std::get_if<std::string>(&key);
    if (text == nullptr) return std::nullopt;
    const auto found = std::find(column.texts.begin(), column.texts.end(), *text);
    if (found == column.texts.end()) return std::nullopt;
    return static_cast<size_t>(found - column.texts.begin());
  }
  const auto* number = std::get_if<int64_t>(&key);
  if (number == nullptr || *number < 0) return std::nullopt;
  const auto cell = static_cast<size_t>(*number);
  return cell < column.cells() ? std::optional(cell) : std::nullopt;
}

}  // namespace

Result<Done> CheckStatistic(const sql::LearnCall& call, const std::vector<std::string>& options,
                            const Request& request) {
  for (const auto& [option, value] : call.options) {
    if (std::find(options.begin(), options.end(), option) != options.end()) continue;
    std::string known;
    for (const std::string& name : options) known += (known.empty() ? "it has " : " and ") + name;
    return WrongCall("tacit." + call.task + " has no option " + option,
                     known.empty() ? "it takes the rows alone" : known);
  }
  if (request.wish.error) {
    return WrongCall("tacit." + call.task + " is asked for at a price, not at an error",
                     "SET tacit.epsilon = 0.5, or RESET tacit.error; EXPLAIN says how far a price "
                     "would be off");
  }
  return Done{};
}

Result<size_t> CountOption(const sql::LearnCall& call, const char* name, size_t otherwise,
                           size_t most) {
  for (const auto& [option, value] : call.options) {
    if (option != name) continue;
    size_t count = 0;
    const char* const end = value.data() + value.size();
    const auto [stopped, error] = std::from_chars(value.data(), end, count);
    if (error != std::errc() || stopped != end || count < 1 || count > most) {
      return WrongCall(std::string(name) + " is " + (value.size() > 40 ? "no number" : value) +
                           ", and has to be a whole number from 1 to " + std::to_string(most),
                       std::string("write ") + name + " => " + std::to_string(otherwise));
    }
    return count;
  }
  return otherwise;
}

Error WrongColumns(const sql::LearnCall& call, const char* takes) {
  return WrongCall("tacit." + call.task + " takes " + takes,
                   "name these columns in the SELECT, and no others");
}

Result<StatisticRows> ReadStatisticRows(const sql::LearnCall& call, size_t columns,
                                        const char* takes, const Request& request,
                                        const Services& services) {
  StatisticRows read;
  TACIT_TRY(read.rows, ReadRows(call.rows, services));
  if (read.rows.shape.size() != columns) return WrongColumns(call, takes);
  // Texts are not numbers: their lists are looked up by CutOf.
  RowsToLearn numbers = read.rows;
  std::erase_if(numbers.shape, [](const plan::OutputColumn& column) {
    return !column.is_array && column.type.kind == TypeKind::kText;
  });
  TACIT_TRY(const std::vector<learn::Column> known, RangesOf(numbers, request, services));
  read.rows.rows_per_person = numbers.rows_per_person;
  size_t next = 0;
  for (const plan::OutputColumn& column : read.rows.shape) {
    read.ranges.emplace_back();
    if (column.type.kind == TypeKind::kText) continue;
    const learn::Column& range = known[next++];
    if (!range.is_boolean) read.ranges.back() = range;
  }
  return read;
}

Result<learn::CutColumn> CutOf(const StatisticRows& from, size_t column, size_t bins,
                               const Request& request, const Services& services) {
  const plan::OutputColumn& shape = from.rows.shape[column];
  if (from.IsNumber(column)) {
    return learn::CutNumber(*from.ranges[column], shape.type.IsInteger(), bins);
  }
  if (from.IsBoolean(column)) return learn::CutBoolean(shape.name);
  TACIT_TRY(std::vector<std::string> texts, ListOf(shape.name, from.rows, request, services));
  return learn::CutTexts(shape.name, std::move(texts));
}

Result<Done> CheckCells(const std::vector<learn::CutColumn>& columns, size_t most) {
  size_t cells = 1;
  for (const learn::CutColumn& column : columns) {
    if (column.cells() <= most) cells *= column.cells();
    if (column.cells() <= most && cells <= most) continue;
    return Error{.code = ErrorCode::kUnsupported,
                 .public_message = "the columns have more than " + std::to_string(most) +
                                   " cells together, and the noise would hide them all",
                 .hint =
                     "take fewer bins, or name in the SELECT what matters: town = 'north' AS "
                     "is_north",
                 .position = std::nullopt,
                 .private_detail = ""};
  }
  return Done{};
}

Result<answer::Explanation> QuoteNumbers(const std::string& text, size_t keys, size_t numbers,
                                         const Request& request, Services& services) {
  TACIT_TRY(QuotedNumbers quoted, QuoteAll(text, keys, numbers, request, services));
  return std::move(quoted.explanation);
}

Result<Numbers> AskNumbers(const std::string& text, size_t keys, size_t numbers,
                           const Request& request, Services& services) {
  TACIT_TRY(QuotedNumbers quoted, QuoteAll(text, keys, numbers, request, services));
  TACIT_TRY(answer::Answer answer, AnswerQuery(AskingFor(text, request), services));
  TACIT_ASSERT(answer.columns.size() == keys + numbers);
  for (size_t i = 0; i < numbers; ++i) {
    // What serves may have been bought at another price: its own error says so.
    const std::optional<plan::ColumnError>& own = answer.columns[keys + i].error;
    const Rational& wished = quoted.explanation.plan.columns[keys + i].error->scale;
    if (!own || wished == 0 || own->scale == wished) continue;
    quoted.noises[i] = quoted.noises[i].Times(Rational(own->scale / wished).get_d());
  }
  return Numbers{.answer = std::move(answer), .noises = std::move(quoted.noises)};
}

Result<Counts> CountCells(const std::vector<learn::CutColumn>& columns, const RowsToLearn& rows,
                          const Request& request, Services& services) {
  TACIT_TRY(Numbers numbers, AskNumbers(learn::CountsQuery(columns, rows.text), columns.size(), 1,
                                        request, services));
  size_t cells = 1;
  for (const learn::CutColumn& column : columns) cells *= column.cells();
  Counts counts{.counts = std::vector<double>(cells, 0.0),
                .noise = std::move(numbers.noises[0]),
                .answer = std::move(numbers.answer)};
  for (const auto& row : counts.answer.rows) {
    size_t place = 0;
    bool known = true;
    for (size_t i = 0; i < columns.size(); ++i) {
      const std::optional<size_t> cell = CellOfKey(columns[i], row[i]);
      known = known && cell;
      place = place * columns[i].cells() + cell.value_or(0);
    }
    if (known) counts.counts[place] = answer::FiniteNumber(row[columns.size()]).value_or(0.0);
  }
  return counts;
}

Result<answer::Explanation> QuoteCells(const std::vector<learn::CutColumn>& columns,
                                       const RowsToLearn& rows, const Request& request,
                                       Services& services) {
  return QuoteNumbers(learn::CountsQuery(columns, rows.text), columns.size(), 1, request, services);
}

answer::Answer StatisticAnswer(std::vector<plan::OutputColumn> columns,
                               const answer::Answer& paid) {
  return answer::Answer{.columns = std::move(columns),
                        .rows = {},
                        .privacy = paid.privacy,
                        .notices = {answer::PriceSentence(paid.privacy)}};
}

void AddSeveralRows(const RowsToLearn& rows, std::vector<std::string>& notices) {
  if (rows.rows_per_person <= 1) return;
  notices.emplace_back(
      "a person may have several rows, and they are taken for different people's: where one "
      "person's rows are alike, this looks surer than it is");
}

plan::OutputColumn StatisticColumn(const char* name, TypeKind kind) {
  return plan::OutputColumn{
      .name = name, .type = ValueType{.kind = kind}, .is_array = false, .error = std::nullopt};
}

engine::Value ShortNumber(double number) {
  if (!std::isfinite(number)) return {};
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", number);
  return std::strtod(text, nullptr);
}

engine::Value NumberWithin(double number, double error) {
  if (!std::isfinite(number)) return {};
  if (!std::isfinite(error) || error <= 0) return number;
  const double step = std::pow(10.0, std::floor(std::log10(error)) - 1);
  if (!(step > 0) || !std::isfinite(step)) return number;
  // Through text, so that it reads as the short number that it is.
  const int places = static_cast<int>(std::clamp(-std::round(std::log10(step)), 0.0, 60.0));
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", places,
                step < 1 ? number : std::round(number / step) * step);
  return std::strtod(text, nullptr);
}

}  // namespace tacit::gateway::learning
