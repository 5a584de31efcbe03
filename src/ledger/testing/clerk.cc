// A program for tests of the command line: makes a ledger and charges it.
//   ledger_clerk create PATH
//   ledger_clerk charge PATH FIRST COUNT [ANALYST]     questions FIRST, FIRST+1, ... at 0.01 each
//   ledger_clerk hold PATH                             opens it, says so, and waits for its input
//   to end
// The ledger belongs to the key tacit.key beside it, if there is one.

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/secrets/digest.h"
#include "ledger/testing/sample.h"

namespace {

int Fail(const tacit::Error& error) {
  std::fprintf(stderr, "%s %s\n", error.public_message.c_str(), error.private_detail.c_str());
  return 1;
}

tacit::ledger::OpenOptions WithKeyBeside(const std::string& path) {
  const std::filesystem::path key = std::filesystem::path(path).parent_path() / "tacit.key";
  std::ifstream file(key, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  tacit::ledger::OpenOptions options;
  options.key = tacit::HexOf(bytes);
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tacit::ledger;
  if (argc == 3 && std::strcmp(argv[1], "create") == 0) {
    const tacit::Result<tacit::Done> made = Ledger::Create(argv[2], WithKeyBeside(argv[2]));
    return made.ok() ? 0 : Fail(made.error());
  }
  const bool holds = argc == 3 && std::strcmp(argv[1], "hold") == 0;
  if (!holds && (argc < 5 || std::strcmp(argv[1], "charge") != 0)) return 2;
  tacit::Result<Ledger> opened = Ledger::Open(argv[2], WithKeyBeside(argv[2]));
  if (!opened.ok()) return Fail(opened.error());
  Ledger ledger = std::move(opened).value();
  if (holds) {
    std::puts("open");
    std::fflush(stdout);
    while (std::getchar() != EOF) {
    }
    return 0;
  }
  const int first = std::atoi(argv[3]);
  for (int i = first; i < first + std::atoi(argv[4]); ++i) {
    ChargeRequest request = testing::Sample("question " + std::to_string(i), "0.01");
    if (argc > 5) request = testing::SampleBy(argv[5], "question " + std::to_string(i), "0.01");
    const tacit::Result<Receipt> receipt = ledger.Charge(request);
    if (!receipt.ok()) return Fail(receipt.error());
    if (receipt->releases[0].bytes) continue;
    const tacit::Result<tacit::Done> stored = ledger.Store(*receipt, 0, "answer");
    if (!stored.ok()) return Fail(stored.error());
  }
  return 0;
}
