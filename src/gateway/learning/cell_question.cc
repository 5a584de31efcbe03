#include "gateway/learning/cell_question.h"

#include "base/assert.h"
#include "base/secrets/digest.h"
#include "gateway/answer_query.h"
#include "gateway/learning/unit_parts.h"
#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "plan/fingerprint/fingerprint.h"
#include "plan/price/sensitivity.h"
#include "plan/release_facts.h"
#include "plan/room.h"
#include "plan/tree/from_block.h"
#include "plan/tree/walk.h"
#include "sql/print/quote.h"

namespace tacit::gateway::learning {
namespace {

// Why 2^30: sums of codes stay within PostgreSQL's integer, whose arithmetic is fastest.
constexpr int64_t kPackedCellsMax = int64_t{1} << 30;

// The policy without lists of keys: which combinations of cells somebody has is then as private as
// how many, and the engine lists no others.
policy::Policy WithoutLists(const policy::Policy& policy) {
  policy::Policy without = policy;
  for (policy::Table& table : without.tables) {
    for (policy::Column& column : table.columns) column.keys.reset();
  }
  return without;
}

// The query, and where each column's cell is in its keys.
std::string CellsQuery(const std::vector<learn::CellColumn>& columns, const std::string& rows,
                       CellQuestion& question) {
  std::vector<std::string> keys;
  std::string known;
  int64_t next = kPackedCellsMax;  // the first column opens a key
  for (const learn::CellColumn& column : columns) {
    const auto cells = static_cast<int64_t>(column.Cells());
    const bool opens = next > kPackedCellsMax / cells;
    const int64_t multiplier = opens ? 1 : next;
    const std::string name = "tacit_rows." + sql::QuoteIdentifierIfNeeded(column.name);
    const std::string code = "(" + learn::CellExpression(column, name, multiplier) + ")";
    // A CASE of literals alone would be a list of public keys.
    if (opens) {
      keys.push_back(code + " + 0");
    } else {
      keys.back() += " + " + code;
    }
    known += (known.empty() ? "" : " AND ") + learn::HasCell(column, name);
    question.keys_of.push_back(keys.size() - 1);
    question.multipliers.push_back(multiplier);
    question.cells.push_back(column.Cells());
    next = multiplier * cells;
  }
  std::string items;
  std::string names;
  for (size_t k = 0; k < keys.size(); ++k) {
    const std::string name = "c" + std::to_string(k + 1);
    items += (k == 0 ? "" : ", ") + keys[k] + " AS " + name;
    names += (k == 0 ? "" : ", ") + name;
  }
  return "SELECT " + names + ", count(*) FROM (SELECT " + items + " FROM (" + rows +
         ") AS tacit_rows WHERE " + known + ") AS tacit_cells GROUP BY " + names;
}

// The engine reads of a measure only whether it is a whole number. Its noise is none of these: it
// is drawn by the rounds.
Result<plan::Measure> CountOfCells() {
  TACIT_TRY(noise::DiscreteGaussian shape, noise::DiscreteGaussian::WithSigmaSquared(1));
  return plan::Measure{.name = "m1",
                       .aggregate = "count",
                       .text = "count(*)",
                       .column = "",
                       .mechanism = std::move(shape),
                       .step = 1,
                       .sensitivity_l1 = 1,
                       .scale = 1,
                       .moe95 = 1,
                       .cost = {}};
}

// Analysis has keys in an order of its own, the same for every way to ask; what the query shows
// first is the first of ours.
size_t PlaceOfCellKey(const sql::Query& post, size_t key) {
  const auto* select = sql::As<sql::Select>(post);
  TACIT_ASSERT(select != nullptr && key < select->items.size());
  const auto* name = sql::As<sql::ColumnReference>(select->items[key].expression);
  TACIT_ASSERT(name != nullptr && name->column.starts_with("k"));
  return std::stoul(name->column.substr(1)) - 1;
}

Error NoPeoplesRows() {
  return Error{
      .code = ErrorCode::kUnsupported,
      .public_message =
          "models are learned from rows of people, and these are made of other numbers too",
      .hint = "name rows of a protected table, without subqueries that give one number",
      .position = std::nullopt,
      .private_detail = ""};
}

// What `text` counts: a query that gives so many keys of each row and a count.
Result<CellQuestion> AskForKeys(const std::string& text, size_t keys, CellQuestion question,
                                const Request& request, const Services& services, bool with_unit) {
  Request asked = request;
  asked.text = text;
  asked.statement = nullptr;
  asked.parameters.clear();
  const policy::Policy without = WithoutLists(services.policy);
  const Services unlisted{.policy = without,
                          .schema = services.schema,
                          .ledger = services.ledger,
                          .engine = services.engine,
                          .entropy = services.entropy,
                          .deployment_key = services.deployment_key,
                          .kept_results = services.kept_results};
  Result<analysis::Facts> facts = FactsOf(asked, unlisted);
  if (!facts.ok()) return InTheRows(std::move(facts).error());
  if (facts->blocks.size() != 1) return NoPeoplesRows();
  const analysis::Block& block = facts->blocks[0];
  const bool plain = block.measures.size() == 1 && block.keys.size() == keys &&
                     block.constants.empty() && (with_unit || block.HasPrivateKeys()) &&
                     facts->public_reads.empty();
  if (!plain) return NoPeoplesRows();
  for (size_t& key : question.keys_of) key = PlaceOfCellKey(facts->post, key);
  question.fingerprint = plan::FingerprintsOf(*facts)[0];
  question.step = {
      .rows = block.rows.rows_per_unit * Integer(services.policy.privacy.protects),
      .replaces = services.policy.privacy.neighbours == policy::Neighbours::kReplaceOne};
  analysis::Block bare = block;
  bare.keys.clear();
  question.promises = plan::FactSentences(bare, services.policy.privacy);
  analysis::Block asked_block = block;
  if (with_unit) {
    TACIT_TRY(asked_block.keys.emplace_back(), UnitKeyOf(block));
    question.unit_key = keys;
    question.fingerprint = Sha256Hex("with its unit " + question.fingerprint);
  }
  TACIT_TRY(const plan::tree::Exact exact, plan::tree::FromBlock(asked_block, false));
  TACIT_TRY(plan::Measure measure, CountOfCells());
  question.release = plan::Release{.name = "tacit_cells",
                                   .fingerprint = question.fingerprint,
                                   .exact = exact,
                                   .parameters = {},
                                   .keys = {},
                                   .selection = plan::NoneShown{},
                                   .measures = {std::move(measure)},
                                   .cost = {},
                                   .scales = {},
                                   .made_from = {},
                                   .facts = {},
                                   .room = plan::RoomOf(block)};
  for (size_t i = 0; i < keys; ++i) {
    question.release.keys.push_back({.name = "k" + std::to_string(i + 1),
                                     .type = block.keys[i].type,
                                     .text = "cells",
                                     .is_public = false});
  }
  if (with_unit) {
    question.release.keys.push_back({.name = "k" + std::to_string(keys + 1),
                                     .type = kTextType,
                                     .text = "unit",
                                     .is_public = false});
  }
  if (plan::tree::UsesDeploymentKey(*exact)) {
    question.release.parameters.push_back(plan::DeploymentKey{});
  }
  return question;
}

}  // namespace

// proof: learn/rounds/proof.md#the-rows
Result<CellQuestion> AskForCells(const std::vector<learn::CellColumn>& columns,
                                 const RowsToLearn& rows, const Request& request,
                                 const Services& services, bool with_unit) {
  CellQuestion question;
  const std::string text = CellsQuery(columns, rows.text, question);
  const size_t keys = question.keys_of.back() + 1;
  return AskForKeys(text, keys, std::move(question), request, services, with_unit);
}

Result<CellQuestion> AskForRows(const RowsToLearn& rows, const Request& request,
                                const Services& services) {
  CellQuestion question;
  std::string names;
  for (size_t i = 0; i < rows.shape.size(); ++i) {
    names += (i == 0 ? "tacit_rows." : ", tacit_rows.") +
             sql::QuoteIdentifierIfNeeded(rows.shape[i].name);
    question.keys_of.push_back(i);
  }
  const std::string text =
      "SELECT " + names + ", count(*) FROM (" + rows.text + ") AS tacit_rows GROUP BY " + names;
  return AskForKeys(text, rows.shape.size(), std::move(question), request, services, true);
}

Result<analysis::Key> UnitKeyOf(const analysis::Block& block) {
  if (!block.rows.unit) {
    return Error{.code = ErrorCode::kUnsupported,
                 .public_message =
                     "people are divided by their unit, and here every row is a "
                     "person of its own",
                 .hint = "ask the owner to declare a column as the unit, or leave this out",
                 .position = std::nullopt,
                 .private_detail = ""};
  }
  analysis::Key key;
  // Analysis takes every unit for a text, so a cast would be left out; joined to nothing it is one.
  const sql::Expression nothing = sql::MakeExpression(
      sql::Literal{.kind = sql::LiteralKind::kString, .text = "", .interval = {}});
  key.expression = sql::MakeExpression(sql::Operator{"||", {block.rows.unit, nothing}});
  key.type = kTextType;
  return key;
}

// proof: learn/rounds/proof.md#who-is-held-out
learn::CellRows RowsIn(const engine::ExactGroups& groups, const CellQuestion& question,
                       const std::optional<HeldOutPeople>& held) {
  TACIT_ASSERT(!held || question.unit_key);
  learn::CellRows rows(question.cells.size());
  std::vector<uint16_t> codes(question.cells.size());
  for (size_t g = 0; g < groups.size(); ++g) {
    bool known = true;
    for (size_t c = 0; c < codes.size() && known; ++c) {
      const engine::Value packed = groups.Key(g, question.keys_of[c]);
      const auto* whole = std::get_if<int64_t>(&packed);
      known = whole != nullptr && *whole >= 0;
      if (!known) break;
      codes[c] = static_cast<uint16_t>(*whole / question.multipliers[c] %
                                       static_cast<int64_t>(question.cells[c]));
    }
    if (!known) continue;  // every row that is counted has cells
    bool held_out = false;
    if (held) {
      const engine::Value unit = groups.Key(g, *question.unit_key);
      held_out =
          UnitParts(held->deployment_key, "holdout").IsInFirst(engine::ToText(unit), held->share);
    }
    rows.Add(codes, static_cast<int64_t>(std::get<Int128>(groups.Measure(g, 0))), held_out);
  }
  return rows;
}

}  // namespace tacit::gateway::learning
