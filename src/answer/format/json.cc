#include "answer/format/format.h"
#include "answer/format/json_parts.h"
#include "answer/format/numbers.h"
#include "answer/shown/margins.h"

// Written by hand where numbers must keep every digit: a JSON library would make doubles of them.

namespace tacit::answer {
namespace {

// "name": value, in a list.
class Members {
 public:
  Members& Add(const std::string& name, const std::string& value) {
    text_ += (text_.empty() ? "" : ", ") + JsonText(name) + ": " + value;
    return *this;
  }
  std::string Object() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

template <class List, class Text>
std::string Array(const List& list, const Text& text) {
  std::string array;
  for (const auto& item : list) array += (array.empty() ? "" : ", ") + text(item);
  return "[" + array + "]";
}

std::string RemainingJson(const Privacy& privacy) {
  Members members;
  members.Add("epsilon", JsonNumber(privacy.remaining.epsilon));
  members.Add("delta", JsonNumber(privacy.remaining.delta));
  if (privacy.remaining.rho) members.Add("rho", JsonNumber(*privacy.remaining.rho));
  return members.Object();
}

std::string PrivacyJson(const Privacy& privacy) {
  Members members;
  members.Add("epsilon", JsonNumber(privacy.cost.epsilon));
  members.Add("delta", JsonNumber(privacy.cost.delta));
  if (privacy.remaining.rho) members.Add("rho", JsonNumber(privacy.cost.rho));
  members.Add("cached", privacy.cached ? "true" : "false");
  members.Add("remaining", RemainingJson(privacy));
  members.Add("receipt", JsonText(privacy.receipt));
  return members.Object();
}

// The margins beside the rows, one for each row, and the largest of them before.
void AddMargins(const plan::OutputColumn& column, const engine::PackedRows& margins,
                Members& members) {
  std::optional<Rational> most;
  std::vector<std::optional<Rational>> of_rows;
  for (const std::vector<engine::Value>& row : margins) {
    of_rows.push_back(MarginIn(row, column));
    if (of_rows.back() && (!most || *most < *of_rows.back())) most = of_rows.back();
  }
  const auto text = [](const std::optional<Rational>& margin) {
    return margin ? JsonNumber(*margin) : std::string("null");
  };
  members.Add("moe95", text(most)).Add("moe95_rows", Array(of_rows, text));
}

std::string ErrorsJson(const std::vector<plan::OutputColumn>& columns,
                       const engine::PackedRows& margins) {
  std::vector<const plan::OutputColumn*> noisy;
  const auto has_margins = [&](const plan::OutputColumn& column) {
    return column.margin && !margins.empty();
  };
  for (const plan::OutputColumn& column : columns) {
    if (column.error || has_margins(column)) noisy.push_back(&column);
  }
  return Array(noisy, [&](const plan::OutputColumn* column) {
    Members members;
    members.Add("column", JsonText(column->name));
    members.Add("mechanism", JsonText(column->error ? column->error->mechanism : "computed"));
    if (column->error) members.Add("scale", JsonNumber(column->error->scale));
    if (has_margins(*column)) {
      AddMargins(*column, margins, members);
      if (column->error && column->error->in_rows) {
        members.Add("ranks95", JsonNumber(column->error->moe95));
      }
      return members.Object();
    }
    members.Add("moe95", JsonNumber(column->error->moe95));
    if (!column->error->condition.empty()) {
      members.Add("condition", JsonText(column->error->condition));
    }
    return members.Object();
  });
}

std::string CostJson(const plan::Cost& cost) {
  return Members()
      .Add("epsilon", JsonNumber(cost.epsilon))
      .Add("delta", JsonNumber(cost.delta))
      .Add("rho", JsonNumber(cost.rho))
      .Object();
}

std::string MeasureJson(const plan::Measure& measure) {
  return Members()
      .Add("column", JsonText(measure.column))
      .Add("aggregate", JsonText(measure.aggregate))
      .Add("quantity", JsonText(measure.text))
      .Add("mechanism", JsonText(measure.mechanism->Name()))
      .Add("sensitivity", JsonNumber(measure.sensitivity_l1))
      .Add("scale", JsonNumber(measure.scale))
      .Add("epsilon", JsonNumber(measure.cost.epsilon))
      .Add("delta", JsonNumber(measure.cost.delta))
      .Add("rho", JsonNumber(measure.cost.rho))
      .Add("moe95", JsonNumber(measure.moe95))
      .Object();
}

// The choice of groups is a release of its own, with a price but without a number to be off by.
std::string SelectionJson(const plan::Release& release) {
  if (const auto* threshold = std::get_if<plan::NoisyThreshold>(&release.selection)) {
    return Members()
        .Add("column", "null")
        .Add("aggregate", JsonText("keys"))
        .Add("mechanism", JsonText("threshold"))
        .Add("sensitivity", "1")
        .Add("scale", "null")
        .Add("threshold", ToString(threshold->mechanism.threshold()))
        .Add("epsilon", "0")
        .Add("delta", JsonNumber(threshold->mechanism.delta().value))
        .Add("moe95", "null")
        .Object();
  }
  const auto* choice = std::get_if<plan::UnitsChoice>(&release.selection);
  if (choice == nullptr) return "";
  return Members()
      .Add("column", "null")
      .Add("aggregate", JsonText("keys"))
      .Add("mechanism", JsonText("truncated_geometric"))
      .Add("sensitivity", "1")
      .Add("scale", "null")
      .Add("epsilon", JsonNumber(choice->cost.epsilon))
      .Add("delta", JsonNumber(choice->cost.delta))
      .Add("rho", JsonNumber(choice->cost.rho))
      .Add("moe95", "null")
      .Object();
}

std::string ReleasesJson(const plan::PrivatePlan& plan) {
  std::vector<std::string> entries;
  for (const plan::Release& release : plan.releases) {
    for (const plan::Measure& measure : release.measures) entries.push_back(MeasureJson(measure));
    std::string selection = SelectionJson(release);
    if (!selection.empty()) entries.push_back(std::move(selection));
  }
  return Array(entries, [](const std::string& entry) { return entry; });
}

}  // namespace

void AddJsonOpening(const Answer& answer, std::string& to) {
  to += R"({"columns": )";
  to += Array(answer.columns, [](const plan::OutputColumn& column) {
    return Members()
        .Add("name", JsonText(column.name))
        .Add("type", JsonText(column.TypeName()))
        .Object();
  });
  to += R"(, "rows": [)";
}

void AddJsonRow(const std::vector<engine::Value>& row, std::string& to) {
  const char* between = "[";
  for (const engine::Value& value : row) {
    to += between;
    to += JsonValue(value);
    between = ", ";
  }
  to += row.empty() ? "[]" : "]";
}

void AddJsonClosing(const Answer& answer, std::string& to) {
  to += R"(], "privacy": )" + PrivacyJson(answer.privacy);
  to += R"(, "error": )" + ErrorsJson(answer.columns, answer.margins);
  to += R"(, "notices": )" + Array(NoticesOf(answer), JsonText) + "}\n";
}

std::string FormatJson(const Answer& answer) {
  std::string text;
  AddJsonOpening(answer, text);
  const char* between = "";
  for (const std::vector<engine::Value>& row : answer.rows) {
    text += between;
    AddJsonRow(row, text);
    between = ", ";
  }
  AddJsonClosing(answer, text);
  return text;
}

std::string FormatJson(const Explanation& explanation) {
  const plan::PrivatePlan& plan = explanation.plan;
  std::vector<std::string> pushed;
  std::vector<std::string> facts;
  for (size_t i = 0; i < plan.releases.size(); ++i) {
    const std::vector<std::string>& proved = plan.releases[i].facts;
    facts.insert(facts.end(), proved.begin(), proved.end());
    if (explanation.told.empty()) continue;
    const engine::Told& told = explanation.told[i];
    facts.insert(facts.end(), told.storage.begin(), told.storage.end());
    pushed.push_back(told.statement);
  }
  Members members;
  members.Add("releases", ReleasesJson(plan)).Add("cost", CostJson(plan.cost));
  if (!pushed.empty()) members.Add("pushed", Array(pushed, JsonText));
  members.Add("post", JsonText(plan.post_sql))
      .Add("facts", Array(facts, JsonText))
      .Add("cached", explanation.privacy.cached ? "true" : "false")
      .Add("error", ErrorsJson(plan.columns, {}))
      .Add("notices", Array(plan.notices, JsonText));
  if (explanation.no_room) {
    members.Add("refused", JsonText(*explanation.no_room));
  } else {
    members.Add("remaining", RemainingJson(explanation.privacy));
  }
  return members.Object() + "\n";
}

}  // namespace tacit::answer
