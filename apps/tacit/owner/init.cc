#include "owner/init.h"

#include <cstdio>
#include <memory>

#include "tacit/commands.h"
#include "tacit/terminal/progress_bar.h"

// tacit init: a folder with the data, a policy to finish, a secret key and an empty ledger.

namespace tacit::app {
namespace {

struct InitFlags {
  std::string folder;
  std::vector<std::string> tables;
  std::vector<std::string> units;
};

Result<owner::InitRequest> ReadRequest(const InitFlags& flags) {
  owner::InitRequest request;
  request.folder = flags.folder;
  for (const std::string& text : flags.tables) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      return InvalidArgument("--table '" + text + "' is not NAME=FILE",
                             "like --table patients=patients.csv");
    }
    request.tables.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  for (const std::string& text : flags.units) {
    const size_t dot = text.rfind('.');
    if (dot == std::string::npos || dot == 0 || dot + 1 == text.size()) {
      return InvalidArgument("--unit '" + text + "' is not TABLE.COLUMN",
                             "like --unit patients.ssn");
    }
    request.units.push_back({text.substr(0, dot), text.substr(dot + 1)});
  }
  return request;
}

int RunInit(const InitFlags& flags) {
  Result<owner::InitRequest> request = ReadRequest(flags);
  if (!request.ok()) return Report(request.error());
  owner::InitRequest wanted = std::move(request).value();
  wanted.progress = InterruptibleProgress();
  const Result<std::vector<std::string>> notes = owner::Init(wanted);
  if (!notes.ok()) return Report(notes.error());
  for (const std::string& note : *notes) std::fprintf(stderr, "NOTE:  %s\n", note.c_str());
  std::printf(
      "made %s: now decide in its tacit.yaml what is marked DECIDE, then run\n"
      "  tacit check %s\n"
      "  tacit prepare %s      (queries are right without it, and many times faster with it)\n",
      flags.folder.c_str(), flags.folder.c_str(), flags.folder.c_str());
  return kExitDone;
}

}  // namespace

void AddInitCommand(Command app) {
  auto flags = std::make_shared<InitFlags>();
  Command init = app.Subcommand("init", "Make a folder with data, policy, key and ledger");
  init.Footer(
      "Examples:\n"
      "  tacit init clinic --table patients=patients.csv --unit patients.ssn\n"
      "  tacit init shop --table users=users.parquet --table orders=orders.csv\n\n"
      "Columns get types from the files, bounds and keys never: those are the owner's to declare.");
  init.Value("DIR", flags->folder, "The folder to make").Required();
  init.Value("--table", flags->tables, "NAME=FILE, a CSV (with header) or Parquet file")
      .Required()
      .OneAtATime();
  init.Value("--unit", flags->units, "TABLE.COLUMN whose values are the people").OneAtATime();
  init.Action([flags] { return RunInit(*flags); });
}

}  // namespace tacit::app
