#include "ledger/record/record.h"

#include <array>
#include <ctime>
#include <stdexcept>

#include "base/process/memory_reserve.h"
#include "base/secrets/digest.h"
#include "ledger/record/record_json.h"

namespace tacit::ledger {
namespace {

void Write(const ReleaseId& id, JsonText& json) {
  json.Open('[').Number(id.sequence).Number(static_cast<int64_t>(id.ordinal)).Close(']');
}

ReleaseId ReadReleaseId(const Json& json) {
  return {.sequence = ReadWhole(json.at(0), 0),
          .ordinal = static_cast<size_t>(ReadWhole(json.at(1), 0))};
}

void Write(const PaidRelease& release, JsonText& json) {
  json.Open('{');
  Write(release.id, json.Key("id"));
  json.Key("fingerprint").Text(release.fingerprint);
  ledger::Write(release.scales, json.Key("scales"));
  ledger::Write(release.cost, json.Key("cost"));
  json.Key("analyst_pays").Truth(release.analyst_pays);
  json.Key("made_from").Open('[');
  for (const ReleaseId& source : release.made_from) Write(source, json);
  json.Close(']');
  if (!release.shape.empty()) json.Key("shape").Text(release.shape);
  json.Close('}');
}

PaidRelease ReadRelease(const Json& json) {
  PaidRelease release{.id = ReadReleaseId(json.at("id")),
                      .fingerprint = json.at("fingerprint").get<std::string>(),
                      .scales = {},
                      .cost = ReadCost(json.at("cost")),
                      .analyst_pays = json.at("analyst_pays").get<bool>(),
                      .made_from = {},
                      .shape = json.value("shape", "")};
  for (const Json& scale : json.at("scales")) release.scales.push_back(ReadNumber(scale));
  for (const Json& id : json.at("made_from")) release.made_from.push_back(ReadReleaseId(id));
  return release;
}

void Write(const Seal& seal, JsonText& json) {
  json.Open('{').Key("count").Number(seal.count).Key("hash").Text(seal.hash).Close('}');
}

Seal ReadSealOf(const Json& json) {
  return {.count = ReadWhole(json.at("seal").at("count"), 0),
          .hash = json.at("seal").at("hash").get<std::string>()};
}

Accounting ReadAccounting(const std::string& text) {
  if (text == "pure") return Accounting::kPure;
  if (text == "zcdp") return Accounting::kZcdp;
  throw std::invalid_argument("unknown accounting");
}

struct ActWriter {
  JsonText& json;

  void operator()(const CreateAct& act) const {
    json.Key("ledger").Text(act.ledger_id);
    if (!act.deployment.empty()) json.Key("deployment").Text(act.deployment);
  }
  void operator()(const DeclareAct& act) const {
    ledger::Write(act.declarations, json.Key("declarations"));
  }
  void operator()(const BudgetAct& act) const {
    json.Key("analyst").Text(act.analyst);
    ledger::Write(act.before, json.Key("before"));
    ledger::Write(act.after, json.Key("after"));
    ledger::Write(act.capacity, json.Key("capacity"));
  }
  void operator()(const ChargeAct& act) const {
    json.Key("analyst").Text(act.analyst);
    json.Key("request_id").Text(act.request_id);
    json.Key("query").Text(act.query_fingerprint);
    json.Key("policy").Text(act.policy_version);
    json.Key("data_version").Number(act.data_version);
    json.Key("accounting").Text(ToString(act.accounting));
    ledger::Write(act.dataset_cost, json.Key("dataset_cost"));
    ledger::Write(act.analyst_cost, json.Key("analyst_cost"));
    json.Key("releases").Open('[');
    for (const PaidRelease& release : act.releases) Write(release, json);
    json.Close(']');
    Write(act.seal, json.Key("seal"));
  }
  void operator()(const RestoreAct& act) const { WriteReason(act.reason, act.head_before); }
  void operator()(const ImportAct& act) const { WriteReason(act.reason, act.head_before); }
  void WriteReason(const std::string& reason, const std::string& head_before) const {
    json.Key("reason").Text(reason);
    json.Key("head_before").Text(head_before);
  }
  void operator()(const BindAct& act) const { WriteOwner(act.deployment, act.seal); }
  void operator()(const RekeyAct& act) const { WriteOwner(act.deployment, act.seal); }
  void operator()(const DataAct& act) const {
    json.Key("data_version").Number(act.change.data_version);
    json.Key("what").Text(act.change.what);
  }
  void WriteOwner(const std::string& deployment, const Seal& seal) const {
    json.Key("deployment").Text(deployment);
    Write(seal, json.Key("seal"));
  }
};

ChargeAct ReadCharge(const Json& json) {
  ChargeAct act{.analyst = json.at("analyst").get<std::string>(),
                .request_id = json.at("request_id").get<std::string>(),
                .query_fingerprint = json.at("query").get<std::string>(),
                .policy_version = json.at("policy").get<std::string>(),
                .data_version = ReadWhole(json.at("data_version"), INT64_MIN),
                .accounting = ReadAccounting(json.at("accounting").get<std::string>()),
                .dataset_cost = ReadCost(json.at("dataset_cost")),
                .analyst_cost = ReadCost(json.at("analyst_cost")),
                .releases = {},
                .seal = ReadSealOf(json)};
  for (const Json& release : json.at("releases")) act.releases.push_back(ReadRelease(release));
  return act;
}

Record ReadParsed(const Json& json) {
  Record record;
  record.sequence = ReadWhole(json.at("seq"), 0);
  record.time = json.at("time").get<std::string>();
  record.state = json.at("state").get<std::string>();
  const std::string kind = json.at("kind").get<std::string>();
  if (kind == "create") {
    record.act = CreateAct{.ledger_id = json.at("ledger").get<std::string>(),
                           .deployment = json.value("deployment", "")};
  } else if (kind == "declare") {
    record.act = DeclareAct{ReadDeclarations(json.at("declarations"))};
  } else if (kind == "budget") {
    record.act = BudgetAct{.analyst = json.at("analyst").get<std::string>(),
                           .before = ReadBudget(json.at("before")),
                           .after = ReadBudget(json.at("after")),
                           .capacity = ReadCapacity(json.at("capacity"))};
  } else if (kind == "charge") {
    record.act = ReadCharge(json);
  } else if (kind == "restore") {
    record.act = RestoreAct{.reason = json.at("reason").get<std::string>(),
                            .head_before = json.at("head_before").get<std::string>()};
  } else if (kind == "import") {
    record.act = ImportAct{.reason = json.at("reason").get<std::string>(),
                           .head_before = json.at("head_before").get<std::string>()};
  } else if (kind == "bind") {
    record.act =
        BindAct{.deployment = json.at("deployment").get<std::string>(), .seal = ReadSealOf(json)};
  } else if (kind == "rekey") {
    record.act =
        RekeyAct{.deployment = json.at("deployment").get<std::string>(), .seal = ReadSealOf(json)};
  } else if (kind == "data") {
    record.act = DataAct{{.data_version = ReadWhole(json.at("data_version"), INT64_MIN),
                          .what = json.at("what").get<std::string>()}};
  } else {
    throw std::invalid_argument("unknown kind");
  }
  return record;
}

Error NotARecord(std::string detail) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "a record of the ledger is not in the documented form",
               .hint = "run: tacit ledger verify",
               .position = std::nullopt,
               .private_detail = std::move(detail)};
}

}  // namespace

std::string KindOf(const Record& record) {
  static constexpr std::array kNames = {"create", "declare", "budget", "charge", "restore",
                                        "bind",   "data",    "rekey",  "import"};
  return kNames[record.act.index()];
}

std::string TimeText(const std::function<int64_t()>& clock) {
  const std::time_t now = clock ? clock() : std::time(nullptr);
  std::tm parts{};
  if (gmtime_r(&now, &parts) == nullptr) return "";
  char text[64];
  const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return std::string(text, length);
}

std::string WriteRecord(const Record& record) {
  JsonText json;
  json.Open('{').Key("seq").Number(record.sequence).Key("kind").Text(KindOf(record));
  json.Key("time").Text(record.time);
  std::visit(ActWriter{json}, record.act);
  return json.Key("state").Text(record.state).Close('}').text();
}

Result<Record> ReadRecord(std::string_view body) {
  if (body.size() > kBodyBytesMax) return NotARecord("too long");
  const MustHaveMemory must;  // a JSON tree allocates in its destructor
  try {
    Record record = ReadParsed(Json::parse(body));
    if (WriteRecord(record) != body) return NotARecord("not canonical");
    return record;
  } catch (const std::bad_alloc&) {
    throw;  // no word about the record
  } catch (const std::exception& error) {
    return NotARecord(error.what());
  }
}

std::string ChainHash(std::string_view previous_hash, std::string_view body) {
  std::string bytes;
  bytes.reserve(previous_hash.size() + body.size() + 2);
  bytes.append(previous_hash).append("\n").append(body).append("\n");
  return Sha256Hex(bytes);
}

std::string ReleaseHash(std::string_view record_hash, size_t ordinal, std::string_view bytes) {
  std::string text(record_hash);
  text.append("\n").append(std::to_string(ordinal)).append("\n").append(bytes);
  return Sha256Hex(text);
}

std::string ToString(const ReleaseId& id) {
  return std::to_string(id.sequence) + "." + std::to_string(id.ordinal);
}

std::string ToString(Accounting accounting) {
  return accounting == Accounting::kPure ? "pure" : "zcdp";
}

}  // namespace tacit::ledger
