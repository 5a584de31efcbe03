#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "ledger/chain/owner_key.h"
#include "ledger/inspect.h"
#include "ledger/of_policy.h"
#include "ledger/questions/questions.h"
#include "ledger/record/record.h"
#include "owner/keys/deployment_key.h"
#include "owner/open_ledger.h"
#include "policy/load.h"
#include "tacit/commands.h"
#include "tacit/terminal/text_table.h"

namespace tacit::app {
namespace {

using ledger::StoredRecord;
using nlohmann::ordered_json;

Result<ledger::Place> PlaceOf(const std::string& folder) {
  TACIT_TRY(const policy::Policy policy, policy::Load(folder));
  return ledger::PlaceOf(policy);
}

Result<owner::OpenedLedger> OpenLedgerOf(const std::string& folder) {
  TACIT_TRY(const policy::Policy policy, policy::Load(folder));
  return owner::OpenLedger(policy);
}

// One record as a line for people. The chain itself is what `export` prints.
std::vector<std::string> RowOf(const StoredRecord& stored, const ordered_json& body) {
  const std::string kind = body.value("kind", "");
  std::string who = body.value("analyst", "");
  std::string what;
  std::string epsilon;
  std::string delta;
  std::string rho;
  if (kind == "charge") {
    if (who.empty()) who = "(owner)";
    what = "query " + body.value("query", "").substr(0, 16);
    const bool replayed = body["dataset_cost"]["epsilon"] == "0" &&
                          body["dataset_cost"]["rho"] == "0" &&
                          body["dataset_cost"]["delta"] == "0";
    if (replayed) what += ", stored answer";
    const ordered_json& cost = body[replayed ? "analyst_cost" : "dataset_cost"];
    epsilon = cost.value("epsilon", "");
    delta = cost.value("delta", "");
    rho = cost.value("rho", "");
  } else if (kind == "budget") {
    const auto text = [](const ordered_json& budget) {
      if (budget.is_null()) return std::string("none");
      return "(" + budget.value("epsilon", "") + ", " + budget.value("delta", "") + ")";
    };
    if (who.empty()) who = "(dataset)";
    what = "budget " + text(body["before"]) + " -> " + text(body["after"]);
  } else if (kind == "declare") {
    what = body["declarations"].value("terms", "");
    for (const auto& [table, unit] : body["declarations"]["units"].items()) {
      what += "; " + table + ": " + unit.get<std::string>();
    }
  } else if (kind == "data") {
    what = "data_version " + std::to_string(body.value("data_version", int64_t{0})) + ": " +
           body.value("what", "");
  } else if (kind == "restore" || kind == "import") {
    what = body.value("reason", "");
  } else if (kind == "create" || kind == "bind" || kind == "rekey") {
    const std::string deployment = body.value("deployment", "");
    if (!deployment.empty()) what = "deployment " + deployment;
  }
  return {
      std::to_string(stored.sequence), body.value("time", ""), kind, who, epsilon, delta, rho, what,
      stored.hash.substr(0, 16)};
}

// What an analyst was given for this charge, so that the owner can find it.
std::string ReceiptOf(const StoredRecord& stored, const ordered_json& body,
                      const ledger::OwnerKey& key) {
  const std::string analyst = body.value("analyst", "");
  if (body.value("kind", "") != "charge" || analyst.empty() || key.empty()) return "";
  return key.ReceiptName(analyst, stored.sequence, stored.hash);
}

Result<ledger::OwnerKey> KeyOf(const std::string& folder) {
  TACIT_TRY(const policy::Policy policy, policy::Load(folder));
  TACIT_TRY(const SecretBytes key, owner::ReadDeploymentKey(policy));
  return ledger::OwnerKey(key);
}

// By the hash of the record that charged them; each asker's are read when the first is needed.
class KeptQuestions {
 public:
  explicit KeptQuestions(std::string path) : path_(std::move(path)) {}
  std::string Of(const StoredRecord& stored, const ordered_json& body) {
    if (body.value("kind", "") != "charge") return "";
    const std::string analyst = body.value("analyst", "");
    const auto [known, is_new] = of_.try_emplace(analyst);
    if (is_new) known->second = ledger::ReadQuestions(path_, analyst);
    const auto found = known->second.find(stored.hash);
    return found == known->second.end() ? "" : found->second;
  }

 private:
  std::string path_;
  std::map<std::string, std::map<std::string, std::string>> of_;
};

int List(const std::string& folder, const std::string& format, bool with_questions) {
  const Result<ledger::Place> place = PlaceOf(folder);
  if (!place.ok()) return Report(place.error());
  // Without its key a ledger can still be read.
  const Result<ledger::OwnerKey> read_key = KeyOf(folder);
  const ledger::OwnerKey key = read_key.ok() ? *read_key : ledger::OwnerKey();
  std::vector<std::string> header = {"record", "time", "kind", "who", "epsilon",
                                     "delta",  "rho",  "what", "hash"};
  if (with_questions) header.push_back("question");
  TextTable table(header);
  KeptQuestions questions(place->path);
  ordered_json list = ordered_json::array();
  const Result<Done> read =
      ledger::ForEachRecord(*place, [&](const StoredRecord& stored) -> Result<Done> {
        // Checks the form: what cannot be read is not shown as if it could.
        TACIT_CHECK(ledger::ReadRecord(stored.body));
        ordered_json body = ordered_json::parse(stored.body);
        if (format == "json") {
          body["hash"] = stored.hash;
          const std::string receipt = ReceiptOf(stored, body, key);
          if (!receipt.empty()) body["receipt"] = receipt;
          if (with_questions) body["question"] = questions.Of(stored, body);
          list.push_back(std::move(body));
        } else {
          std::vector<std::string> row = RowOf(stored, body);
          if (with_questions) row.push_back(questions.Of(stored, body));
          table.Add(std::move(row));
        }
        return Done{};
      });
  if (!read.ok()) return Report(read.error());
  if (format == "json") {
    std::cout << list.dump(1) << "\n";
  } else {
    std::cout << (format == "csv" ? table.Csv() : table.Text());
  }
  return kExitDone;
}

int Export(const std::string& folder) {
  const Result<ledger::Place> place = PlaceOf(folder);
  if (!place.ok()) return Report(place.error());
  const Result<Done> read =
      ledger::ForEachRecord(*place, [](const StoredRecord& stored) -> Result<Done> {
        // The body stands as it is: its bytes are what was hashed.
        std::cout << R"({"hash":")" << stored.hash << R"(","record":)" << stored.body << "}\n";
        return Done{};
      });
  if (!read.ok()) return Report(read.error());
  std::cout.flush();
  return std::cout.good() ? kExitDone : kExitFailed;
}

Result<ledger::Verification> VerifyOf(const std::string& folder) {
  TACIT_TRY(const policy::Policy policy, policy::Load(folder));
  TACIT_TRY(const SecretBytes key, owner::ReadDeploymentKey(policy));
  return ledger::Verify(ledger::PlaceOf(policy), std::string(key.view()));
}

// A head that was kept elsewhere: the ledger has to have that record, as it was.
int CompareHead(const std::string& folder, const std::string& text) {
  // As `tacit ledger head` prints it, or the hash alone.
  const std::string hash = text.substr(text.find_last_of(" :") + 1);
  const Result<ledger::Place> place = PlaceOf(folder);
  if (!place.ok()) return Report(place.error());
  const Result<std::optional<int64_t>> found = ledger::FindByHash(*place, hash);
  if (!found.ok()) return Report(found.error());
  if (!found->has_value()) {
    std::fprintf(
        stderr,
        "ERROR:  the ledger has no record with the hash %s: it is another one, or an older "
        "copy was put in its place\n"
        "HINT:  find the newest copy of the ledger: budget that was spent after this one "
        "would come back\n",
        hash.c_str());
    return kExitUnavailable;
  }
  std::printf("the head that was kept is record %lld of this ledger\n",
              static_cast<long long>(**found));
  return kExitDone;
}

int VerifyAll(const std::string& folder, const std::string& head) {
  const Result<ledger::Verification> result = VerifyOf(folder);
  if (!result.ok()) return Report(result.error());
  if (!result->fault.empty()) {
    std::fprintf(stderr, "ERROR:  the ledger does not verify: %s\n", result->fault.c_str());
    std::fprintf(stderr,
                 "HINT:  %lld records before it hold. Keep this file, restore a copy that "
                 "verifies, then see: tacit ledger accept --help\n",
                 static_cast<long long>(result->records));
    return kExitUnavailable;
  }
  // Everything inside the file holds; is it also the newest that was acknowledged?
  const Result<owner::OpenedLedger> open = OpenLedgerOf(folder);
  if (!open.ok()) return Report(open.error());
  std::printf(
      "verified: %lld records, %lld charges, %lld stored answers; hashes, totals, budgets "
      "and answers hold\nhead %s\nkey %s\n",
      static_cast<long long>(result->records), static_cast<long long>(result->charges),
      static_cast<long long>(result->releases), result->head.c_str(),
      ledger::OwnerKey(open->key).deployment_id().c_str());
  if (!head.empty()) return CompareHead(folder, head);
  return kExitDone;
}

int ShowHead(const std::string& folder) {
  Result<owner::OpenedLedger> opened = OpenLedgerOf(folder);
  if (!opened.ok()) return Report(opened.error());
  owner::OpenedLedger open = std::move(opened).value();
  const Result<ledger::Head> head = open.ledger.ReadHead();
  if (!head.ok()) return Report(head.error());
  std::printf("%lld %s\n", static_cast<long long>(head->records), head->hash.c_str());
  return kExitDone;
}

Result<ledger::Head> AcceptOf(const std::string& folder, const std::string& reason, bool new_key) {
  TACIT_TRY(const policy::Policy policy, policy::Load(folder));
  TACIT_TRY(const SecretBytes key, owner::ReadDeploymentKey(policy));
  return ledger::AcceptRestored(ledger::PlaceOf(policy), reason, std::string(key.view()), "",
                                new_key);
}

Result<ledger::Head> ImportOf(const std::string& folder, const std::string& file,
                              const std::string& reason) {
  TACIT_TRY(const policy::Policy policy, policy::Load(folder));
  TACIT_TRY(const SecretBytes key, owner::ReadDeploymentKey(policy));
  std::ifstream exported(file);
  if (!exported) return InvalidArgument("cannot read " + file, "give what export wrote");
  return ledger::ImportRecords(ledger::PlaceOf(policy), exported, reason, std::string(key.view()));
}

Result<ledger::Head> CreateOf(const std::string& folder) {
  TACIT_TRY(const policy::Policy policy, policy::Load(folder));
  TACIT_TRY(const SecretBytes key, owner::ReadDeploymentKey(policy));
  const ledger::Place place = ledger::PlaceOf(policy);
  if (!place.server) {
    return InvalidArgument("tacit init makes the ledger of a deployment whose ledger is a file",
                           "a file that is lost is made again of its export: tacit ledger import");
  }
  ledger::OpenOptions options;
  options.key = key.view();
  TACIT_CHECK(ledger::Ledger::Create(place, options));
  TACIT_TRY(owner::OpenedLedger opened, owner::OpenLedger(policy));
  return opened.ledger.ReadHead();
}

// "17 <hash>", as tacit ledger head prints it.
Result<ledger::Head> JoinOf(const std::string& folder, const std::string& text) {
  char hash[65] = "";
  long long records = 0;
  if (std::sscanf(text.c_str(), "%lld %64[0-9a-f]", &records, hash) != 2 || hash[63] == '\0') {
    return InvalidArgument("--head is not what tacit ledger head prints",
                           "on a gateway that is in use: tacit ledger head DIR");
  }
  TACIT_TRY(const policy::Policy policy, policy::Load(folder));
  TACIT_TRY(const SecretBytes key, owner::ReadDeploymentKey(policy));
  return ledger::Join(ledger::PlaceOf(policy), {.records = records, .hash = hash},
                      std::string(key.view()));
}

int PrintSql(const std::string& folder, const std::string& role) {
  const Result<ledger::Place> place = PlaceOf(folder);
  if (!place.ok()) return Report(place.error());
  if (!place->server) {
    return Report(InvalidArgument("the policy's ledger is a file, which needs no SQL"));
  }
  std::fputs(ledger::SqlToCreate(*place, role).c_str(), stdout);
  return kExitDone;
}

int SayHead(const Result<ledger::Head>& head, const char* done) {
  if (!head.ok()) return Report(head.error());
  std::printf("%s and recorded: %lld %s\n", done, static_cast<long long>(head->records),
              head->hash.c_str());
  return kExitDone;
}

Command AddPart(Command parent, std::string_view name, std::string_view what, std::string& folder) {
  Command part = parent.Subcommand(name, what);
  part.Value("DIR", folder, "the folder with tacit.yaml, or the policy file").Required();
  return part;
}

struct LedgerFlags {
  std::string folder;
  std::string role = "tacit_gateway";
  bool sql = false;
  std::string format = "table";
  std::string reason;
  std::string head;
  std::string file;
  bool questions = false;
  bool new_key = false;
};
using SharedLedgerFlags = std::shared_ptr<LedgerFlags>;

// What only reads.
void AddReadingParts(Command ledger, const SharedLedgerFlags& flags) {
  Command list = AddPart(ledger, "list", "print the records", flags->folder);
  list.Value("--format", flags->format, "table, csv or json").OneOf({"table", "csv", "json"});
  list.Switch("--questions", flags->questions,
              "with the texts of charged questions, while they are kept");
  list.Action([flags] { return List(flags->folder, flags->format, flags->questions); });
  Command verify =
      AddPart(ledger, "verify", "recompute every hash, total and stored answer", flags->folder);
  verify
      .Value("--head", flags->head, "what tacit ledger head printed: must be a record of this one")
      .NotEmpty();
  verify.Action([flags] { return VerifyAll(flags->folder, flags->head); });
  AddPart(ledger, "export", "write every record as a line of JSON, with its hash", flags->folder)
      .Action([flags] { return Export(flags->folder); });
  AddPart(ledger, "head", "print the number of records and the last hash", flags->folder)
      .Action([flags] { return ShowHead(flags->folder); });
}

void AddAccept(Command ledger, const SharedLedgerFlags& flags) {
  Command accept =
      AddPart(ledger, "accept", "go on with a restored copy; this is recorded", flags->folder);
  accept.Value("--reason", flags->reason, "why, for the record").Required();
  accept.Switch("--new-key", flags->new_key,
                "tacit.key is lost, and another one stands in its place from now on");
  accept.Footer(
      "A ledger that lost its last records, or its head file, is refused: an old copy would give\n"
      "budget back. This command verifies what is there and goes on with it. It is the owner's\n"
      "act and stays in the record, with the head that was expected. Stop the server first: the\n"
      "ledger must be open nowhere else. A ledger of another deployment is never accepted\n"
      "but with --new-key: rows above caps are then chosen anew, and stored answers not replayed.\n"
      "example:\n"
      "  tacit ledger accept clinic --reason 'disk failure, copy of Monday restored'");
  accept.Action([flags] {
    return SayHead(AcceptOf(flags->folder, flags->reason, flags->new_key), "accepted");
  });
}

void AddImport(Command ledger, const SharedLedgerFlags& flags) {
  Command part = AddPart(
      ledger, "import", "make a lost ledger of what export wrote; this is recorded", flags->folder);
  part.Value("FILE", flags->file, "the exported records").Required();
  part.Value("--reason", flags->reason, "why, for the record").Required();
  part.Footer(
      "Only where there is no ledger any more. Every record is checked as verify does. What was\n"
      "charged after the export is not in it: that budget comes back, on record. Stored answers "
      "are\n"
      "not exported: the same question is paid again.\n"
      "example:\n"
      "  tacit ledger import clinic charges.jsonl --reason 'disk failure, export of Monday'");
  part.Action(
      [flags] { return SayHead(ImportOf(flags->folder, flags->file, flags->reason), "imported"); });
}

// Of a ledger in PostgreSQL.
void AddShared(Command ledger, const SharedLedgerFlags& flags) {
  Command create =
      AddPart(ledger, "create", "make the policy's ledger in PostgreSQL, once", flags->folder);
  create.Switch("--sql", flags->sql,
                "print the SQL that makes its tables, for the database's owner, and do nothing");
  create.Value("--role", flags->role, "with --sql: the role that the gateways use").NotEmpty();
  create.Footer(
      "Makes schema and tables where the role of the policy's dsn may; where it may not, the\n"
      "database's owner runs what --sql prints, and then this. A ledger that is there is never\n"
      "replaced. A deployment that has a ledger in a file takes it along: tacit ledger export, "
      "the\n"
      "policy's ledger: {kind: postgres, dsn: ...}, then tacit ledger import.\n"
      "examples:\n"
      "  tacit ledger create clinic --sql --role tacit_gateway | psql ledger\n"
      "  tacit ledger create clinic");
  create.Action([flags] {
    if (flags->sql) return PrintSql(flags->folder, flags->role);
    return SayHead(CreateOf(flags->folder), "created");
  });
  Command join =
      AddPart(ledger, "join", "let this gateway use a ledger that others use", flags->folder);
  join.Value("--head", flags->head, "what tacit ledger head prints on a gateway in use").Required();
  join.Footer(
      "A gateway remembers the last charge that it acknowledged in a head file of its own. This\n"
      "makes it, once the whole ledger was verified and found to have the record that the other\n"
      "gateway names. The gateways of one ledger have the same policy and the same tacit.key.\n"
      "example:\n"
      "  tacit ledger join clinic --head \"$(ssh first-gateway tacit ledger head clinic)\"");
  join.Action([flags] { return SayHead(JoinOf(flags->folder, flags->head), "joined"); });
}

}  // namespace

void AddLedgerCommand(Command app) {
  Command command = app.Subcommand("ledger", "the record of every charge");
  command.NeedsSubcommand();
  command.Footer(
      "examples:\n"
      "  tacit ledger list clinic\n"
      "  tacit ledger list clinic --questions\n"
      "  tacit ledger verify clinic          exit 0: everything holds; 5: something does not\n"
      "  tacit ledger head clinic            keep this line elsewhere: it tells old copies\n"
      "  tacit ledger verify clinic --head \"$(cat kept_elsewhere)\"\n"
      "  tacit ledger export clinic > charges.jsonl");
  const auto flags = std::make_shared<LedgerFlags>();
  AddReadingParts(command, flags);
  AddAccept(command, flags);
  AddImport(command, flags);
  AddShared(command, flags);
}

}  // namespace tacit::app
