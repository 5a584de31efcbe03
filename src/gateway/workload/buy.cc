#include "gateway/workload/buy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "answer/assemble.h"
#include "answer/format/numbers.h"
#include "answer/release_table.h"
#include "answer/table_bytes.h"
#include "engine/duckdb/database/errors.h"
#include "gateway/carry_out.h"
#include "gateway/charge_request.h"
#include "gateway/workload/bought.h"
#include "gateway/workload/derived_rows.h"
#include "gateway/workload/read_workload.h"

namespace tacit::gateway::workload {
namespace {

// The charge: what is drawn at its price, and then, for a token, the tables that follow from it and
// a mark for every question.
struct WorkloadCharge {
  ledger::ChargeRequest request;
  std::vector<ServedQuestion> marks;
};

// What an estimated table tells: no sum or difference of its numbers is further off than those of
// independent Gaussian noise of the scale that is written down.
// proof: plan/workload/least_squares.md#the-variance
std::optional<plan::Shape> ShapeOfEstimate(const plan::Release& release) {
  std::optional<plan::Shape> shape = release.shape;
  if (!shape || shape->measures.size() != release.measures.size()) return std::nullopt;
  for (size_t i = 0; i < release.measures.size(); ++i) {
    shape->measures[i].noise = plan::StoredNoise();
    shape->measures[i].noise.kind = plan::StoredNoise::Kind::kGaussian;
    shape->measures[i].noise.scale = Rational(release.scales[i] / release.measures[i].step);
  }
  return shape;
}

Result<WorkloadCharge> ChargeOf(const WorkloadPlan& plan, const Request& asker,
                                const Services& services) {
  WorkloadCharge charge;
  TACIT_TRY(charge.request,
            ChargeRequestOf(asker, plan.to_draw, services.policy, services.charge_terms));
  const ledger::Cost token = TokenOf(plan.fingerprint, charge.request.limits.accounting);
  for (const DerivedTable& table : plan.derived) {
    charge.request.releases.push_back({.fingerprint = table.release.fingerprint,
                                       .scales = table.release.scales,
                                       .cost = token,
                                       .made_from = {},
                                       .shape = KeptShape(ShapeOfEstimate(table.release))});
  }
  for (const MadeOfOthers& made : plan.made) {
    charge.request.releases.push_back({.fingerprint = made.release.fingerprint,
                                       .scales = made.release.scales,
                                       .cost = token,
                                       .made_from = {}});
  }
  std::set<std::string> marked;
  for (const ServedQuestion& question : plan.questions) {
    const std::string mark = question.marked_by + ToString(question.epsilon);
    if (!marked.insert(mark).second) continue;
    charge.request.releases.push_back(MarkOf(question.marked_by, question.epsilon, token));
    charge.marks.push_back(question);
  }
  return charge;
}

// The steps of CarryOut for a workload.
class Purchase {
 public:
  Purchase(const WorkloadPlan& plan, const WorkloadCharge& charge, Services& services)
      : plan_(plan), charge_(charge), services_(services), bytes_(charge.request.releases.size()) {}
  ~Purchase() { services_.engine.EndQuestion(); }
  Purchase(const Purchase&) = delete;
  Purchase& operator=(const Purchase&) = delete;

  Result<Done> Prepare(const ledger::Receipt& quote) {
    if (IsFree(quote)) return Done{};
    services_.engine.WorkFor(charge_.request.analyst);
    TACIT_TRY(columns_, services_.engine.Prepare(plan_.to_draw));
    plan::PrivatePlan asked;
    for (const DerivedTable& table : plan_.derived) asked.releases.push_back(table.release);
    TACIT_TRY(const auto columns, services_.engine.Prepare(asked));
    // The rows of every derived table are known without looking at anybody.
    for (size_t i = 0; i < plan_.derived.size(); ++i) {
      TACIT_TRY(rows_.emplace_back(),
                DerivedRows::Make(plan_, plan_.derived[i], columns[i], services_.engine));
    }
    stay_.reset(new EngineRoom::Stay(EngineRoom::Enter(services_.room, plan_.to_draw)));
    return Done{};
  }

  Error Unfinished() const { return engine::duckdb::ExactQueryFailed("exception"); }

  Result<Done> Replay(size_t index, std::string bytes) {
    bytes_[index] = std::move(bytes);
    return Done{};
  }

  Result<const std::string*> Made(size_t index) {
    if (index < plan_.to_draw.releases.size()) return nullptr;
    size_t place = index - plan_.to_draw.releases.size();
    if (place < plan_.derived.size()) {
      TACIT_TRY(const MeasuredTables* const measured, Measured());
      bytes_[index] = rows_[place].BytesFrom(*measured);
      return &bytes_[index];
    }
    place -= plan_.derived.size();
    if (place < plan_.made.size()) {
      TACIT_TRY(bytes_[index], BytesOf(plan_.made[place], bytes_));
    } else {
      bytes_[index] = ToString(charge_.marks[place - plan_.made.size()].epsilon);
    }
    return &bytes_[index];
  }

  Result<engine::ExactRelease> Exact(size_t index) {
    const plan::Release& release = plan_.to_draw.releases[index];
    const std::vector<engine::Value> parameters(
        release.parameters.size(), engine::Value(std::string(services_.deployment_key)));
    return services_.engine.Run(release, parameters);
  }

  answer::TableNoise MechanismOf(size_t index) const {
    return answer::TableNoise(plan_.to_draw.releases[index], columns_[index]);
  }

  Result<const std::string*> Take(size_t index, std::string released) {
    bytes_[index] = std::move(released);
    return &bytes_[index];
  }

  Result<answer::Privacy> Finish(const ledger::Receipt& receipt) {
    return answer::PrivacyOf(receipt, charge_.request);
  }

 private:
  // All measured tables, once they are there.
  Result<const MeasuredTables*> Measured() {
    if (!measured_) {
      TACIT_TRY(MeasuredTables read, MeasuredTables::Read(plan_, bytes_));
      measured_ = std::move(read);
    }
    return &*measured_;
  }

  const WorkloadPlan& plan_;
  const WorkloadCharge& charge_;
  Services& services_;
  std::vector<std::vector<engine::ResultColumn>> columns_;
  std::vector<DerivedRows> rows_;
  std::vector<std::string> bytes_;
  std::optional<MeasuredTables> measured_;
  std::unique_ptr<const EngineRoom::Stay> stay_;
};

Bought BoughtOf(const WorkloadPlan& plan, answer::Privacy privacy) {
  return {.questions = plan.questions,
          .measured = plan.measured,
          .own = plan.to_draw.releases.size() - plan.measured,
          .derived = plan.derived.size() + plan.made.size(),
          .cost = plan.to_draw.cost,
          .privacy = std::move(privacy)};
}

// Whose shortest decimal is the price as it was written.
double NearestDouble(const Rational& value) {
  const double below = value.get_d();
  const double above = std::nextafter(below, std::numeric_limits<double>::infinity());
  return RationalOf(above) - value < value - RationalOf(below) ? above : below;
}

// Who pays, and under which words.
Result<Request> AskerOf(const std::vector<Request>& questions) {
  if (questions.empty()) {
    return InvalidArgument("a workload needs a question", "write SELECTs, with ; between them");
  }
  Request asker = questions[0];
  asker.text.clear();
  for (const Request& question : questions) {
    TACIT_ASSERT(question.analyst == asker.analyst && question.request_id == asker.request_id);
    asker.text += question.text + ";\n";
  }
  return asker;
}

}  // namespace

Result<Bought> BuyWorkload(const std::vector<Request>& questions,
                           const std::optional<Epsilon>& total, Services& services) {
  TACIT_TRY(const Request asker, AskerOf(questions));
  TACIT_TRY(const WorkloadPlan plan, PlanWorkload(questions, total, services));
  if (services.room != nullptr) TACIT_CHECK(services.room->Check(plan.to_draw));
  TACIT_TRY(const WorkloadCharge charge, ChargeOf(plan, asker, services));
  const QuestionGate::Pass pass = QuestionGate::Enter(services.gate, plan.fingerprint);
  Purchase purchase(plan, charge, services);
  TACIT_TRY(answer::Privacy privacy,
            CarryOut(charge.request, purchase, services.ledger, services.entropy));
  return BoughtOf(plan, std::move(privacy));
}

std::vector<plan::OutputColumn> BoughtColumns() {
  const auto column = [](const char* name, TypeKind kind) {
    return plan::OutputColumn{
        .name = name, .type = ValueType{.kind = kind}, .is_array = false, .error = std::nullopt};
  };
  return {column("question", TypeKind::kInteger), column("epsilon", TypeKind::kDouble),
          column("errors", TypeKind::kText), column("sql", TypeKind::kText)};
}

answer::Answer AnswerOf(const Bought& bought) {
  answer::Answer answer{
      .columns = BoughtColumns(), .rows = {}, .privacy = bought.privacy, .notices = {}};
  int64_t number = 0;
  for (const ServedQuestion& question : bought.questions) {
    std::string errors;
    for (const plan::OutputColumn& shown : question.columns) {
      if (!shown.error) continue;
      errors += (errors.empty() ? "" : ", ") + shown.name + " within " +
                answer::ErrorNumber(shown.error->moe95) + (shown.error->in_rows ? " ranks" : "");
      if (!shown.error->condition.empty()) errors += " " + shown.error->condition;
    }
    answer.rows.push_back({engine::Value(++number), engine::Value(NearestDouble(question.epsilon)),
                           engine::Value(std::move(errors)), engine::Value(question.text)});
  }
  const bool quote = bought.is_quote;
  answer.notices.push_back((quote ? "it would be: " : "") + answer::PriceSentence(bought.privacy));
  answer.notices.push_back(
      "questions: " + std::to_string(bought.questions.size()) +
      ", tables measured for several of them: " + std::to_string(bought.measured) +
      ", releases of their own: " + std::to_string(bought.own) +
      (quote ? ""
             : "; each question is free for you now, asked without a "
               "price or at the epsilon beside it"));
  return answer;
}

Result<answer::Answer> AnswerBuying(const std::string& text, const Request& request, bool explain,
                                    Services& services) {
  // A price is that of all of it together; an error is each question's that names none.
  Request base = request;
  base.wish.epsilon.reset();
  base.wish.intervals = false;
  base.wish.nonnegative = false;
  TACIT_TRY(const std::vector<Request> questions, ReadWorkload(text, base));
  TACIT_TRY(const Bought bought, explain ? QuoteWorkload(questions, request.wish.epsilon, services)
                                         : BuyWorkload(questions, request.wish.epsilon, services));
  return AnswerOf(bought);
}

Result<Bought> QuoteWorkload(const std::vector<Request>& questions,
                             const std::optional<Epsilon>& total, Services& services) {
  TACIT_TRY(const Request asker, AskerOf(questions));
  TACIT_TRY(const WorkloadPlan plan, PlanWorkload(questions, total, services));
  TACIT_TRY(const WorkloadCharge charge, ChargeOf(plan, asker, services));
  TACIT_TRY(const ledger::Receipt quote, services.ledger.Quote(charge.request));
  Bought bought = BoughtOf(plan, answer::PrivacyOf(quote, charge.request));
  bought.is_quote = true;
  return bought;
}

}  // namespace tacit::gateway::workload
