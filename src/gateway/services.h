#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/secrets/entropy.h"
#include "base/time/time_zone.h"
#include "engine/duckdb/above/post_processing_pool.h"
#include "engine/engine.h"
#include "gateway/deployment/engine_room.h"
#include "gateway/deployment/question_gate.h"
#include "gateway/kept/kept_results.h"
#include "gateway/kept/recent.h"
#include "ledger/ledger.h"
#include "plan/compile.h"
#include "policy/policy.h"
#include "policy/schema.h"
#include "sql/tree.h"

namespace tacit::gateway {

struct ChargeTerms;
class OwnShapes;
class ParsedTexts;
class Replays;

// A question, as it comes from the command line or the wire.
struct Request {
  std::string text;
  std::string analyst;     // empty: the owner asks
  std::string request_id;  // empty: none; the same id never charges twice
  plan::Wish wish;
  // A question for rows is answered by its columns and no row, instead of being refused: for tools
  // that learn a table's shape from its first rows.
  bool previews = false;
  bool coarsest = false;                         // ledger::ChargeRequest
  std::vector<sql::Expression> parameters = {};  // the values of $1, $2, ...
  // What now() is, in microseconds since 1970 and rounded (moment.h); absent: it is refused.
  std::optional<int64_t> now = {};
  // The session's, by which constants are read; null: UTC.
  std::shared_ptr<const TimeZone> zone = nullptr;
  // What the text says, from who has read it already; null: it is read when it has to be.
  std::shared_ptr<const sql::Statement> statement = nullptr;
};

// What a question needs beside itself. All of it outlives the call.
struct Services {
  const policy::Policy& policy;
  const policy::Schema& schema;
  ledger::Ledger& ledger;
  engine::Engine& engine;
  Entropy& entropy;
  std::string_view deployment_key;  // the secret, as text
  const KeptResults& kept_results;
  // Where several questions are answered, at once or one after the other:
  QuestionGate* gate = nullptr;
  engine::duckdb::PostProcessingPool* instances = nullptr;
  // What was made under this policy and schema before:
  RecentOfEach<plan::PrivatePlan>* plans = nullptr;
  const ChargeTerms* charge_terms = nullptr;
  ParsedTexts* texts = nullptr;
  Replays* replays = nullptr;
  EngineRoom* room = nullptr;
  OwnShapes* own_shapes = nullptr;
};

}  // namespace tacit::gateway
