#include "local/estimate/estimate.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/terminal_text.h"
#include "local/reports/report_file.h"
#include "tacit/commands.h"
#include "tacit/local/local.h"

namespace tacit::app {
namespace {

struct EstimateFlags {
  std::vector<std::string> files;
  std::string format = "table";
};

constexpr size_t kPieceBytes = size_t{1} << 20;

Result<local::ReportReader::Collected> ReadFile(const std::string& name) {
  std::ifstream file;
  if (name != "-") {
    file.open(name, std::ios::binary);
    if (!file) {
      return InvalidArgument("cannot read " + name, "give a file of reports, or - for the input");
    }
  }
  std::istream& input = name == "-" ? std::cin : file;
  local::ReportReader reader(name == "-" ? "input" : name);
  std::vector<char> piece(kPieceBytes);
  while (input) {
    input.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    TACIT_CHECK(reader.Feed({piece.data(), static_cast<size_t>(input.gcount())}));
  }
  return std::move(reader).Finish();
}

void PrintTable(const local::Header& header, const local::Tally& tally) {
  std::printf("%llu reports of %s, epsilon %s\n\n", static_cast<unsigned long long>(tally.people()),
              std::string(local::NameOf(header.design.mechanism)).c_str(),
              ToString(local::EpsilonUp(header.design).value).c_str());
  size_t widest = 5;
  for (const std::string& name : header.values) widest = std::max(widest, ColumnsOf(name));
  std::printf("%s %9s %9s   %s\n", Padded("value", widest).c_str(), "share", "unbiased",
              "95 % of those who answered");
  const std::vector<local::Frequency> frequencies = local::EstimateFrequencies(tally);
  for (size_t v = 0; v < frequencies.size(); ++v) {
    const local::Frequency& f = frequencies[v];
    std::printf("%s %7.2f %% %7.2f %%   %.2f to %.2f %%\n",
                Padded(header.values[v], widest).c_str(), 100 * f.projected, 100 * f.estimate,
                100 * f.answered.low, 100 * f.answered.high);
  }
  std::printf(
      "\nThe unbiased figure may lie outside 0 to 100 %%: that is noise; the share is the nearest "
      "possible one.\n");
}

void PrintJson(const local::Header& header, const local::Tally& tally) {
  nlohmann::ordered_json json;
  json["mechanism"] = local::NameOf(header.design.mechanism);
  json["epsilon"] = ToString(local::EpsilonUp(header.design).value);
  json["people"] = tally.people();
  json["values"] = nlohmann::ordered_json::array();
  const std::vector<local::Frequency> frequencies = local::EstimateFrequencies(tally);
  for (size_t v = 0; v < frequencies.size(); ++v) {
    const local::Frequency& f = frequencies[v];
    json["values"].push_back({{"value", header.values[v]},
                              {"estimate", f.estimate},
                              {"projected", f.projected},
                              {"sd", f.error},
                              {"low95", f.answered.low},
                              {"high95", f.answered.high},
                              {"population_low95", f.population.low},
                              {"population_high95", f.population.high}});
  }
  std::printf("%s\n", json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

Result<Done> RunEstimate(const EstimateFlags& flags) {
  TACIT_TRY(local::ReportReader::Collected all, ReadFile(flags.files.front()));
  for (size_t i = 1; i < flags.files.size(); ++i) {
    TACIT_TRY(const local::ReportReader::Collected more, ReadFile(flags.files[i]));
    if (more.header != all.header) {
      return InvalidArgument(
          flags.files[i] + " has other parameters than " + flags.files.front(),
          "reports of different mechanisms, values or epsilons cannot be counted together");
    }
    all.tally.Merge(more.tally);
  }
  flags.format == "json" ? PrintJson(all.header, all.tally) : PrintTable(all.header, all.tally);
  return Done{};
}

}  // namespace

void AddLocalEstimate(Command local) {
  auto flags = std::make_shared<EstimateFlags>();
  Command command =
      local.Subcommand("estimate", "What the people hold, from their reports, with intervals");
  command.Value("reports", flags->files, "Files of reports; - is standard input").Required();
  command.Value("--format", flags->format, "table or json").OneOf({"table", "json"});
  command.Footer("Example:\n  tacit local estimate reports.csv --format json");
  command.Action([flags] {
    const Result<Done> done = RunEstimate(*flags);
    return done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
