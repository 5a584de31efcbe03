// A ledger's bytes from anywhere: opening, verifying and reading it never crashes.
//
// The first byte chooses. 0: the rest is the whole file. 1: the rest is one record's body. Else the
// rest patches a good ledger: three bytes of place, one byte of value, again and again.

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "ledger/inspect.h"
#include "ledger/record/record.h"
#include "ledger/testing/sample.h"

namespace {

using namespace tacit::ledger;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Template {
  std::string bytes;
  std::string head;
};

// A ledger with some charges and answers, in one file.
const Template& Good() {
  static const Template made = [] {
    const testing::Folder folder;
    {
      Ledger ledger = testing::MakeLedger(folder);
      for (int i = 0; i < 5; ++i) {
        const Receipt receipt = ledger.Charge(testing::SampleBy("ana", std::to_string(i))).value();
        TACIT_ASSERT(ledger.Store(receipt, 0, "answer").ok());
      }
    }
    sqlite3* handle = nullptr;
    TACIT_ASSERT(sqlite3_open(folder.ledger().c_str(), &handle) == SQLITE_OK);
    TACIT_ASSERT(sqlite3_exec(handle, "PRAGMA wal_checkpoint(TRUNCATE)", nullptr, nullptr,
                              nullptr) == SQLITE_OK);
    sqlite3_close(handle);
    return Template{.bytes = ReadFile(folder.ledger()),
                    .head = ReadFile(folder.ledger() + "-head")};
  }();
  return made;
}

void Write(const std::string& path, const std::string& bytes) {
  const int descriptor = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  TACIT_ASSERT(descriptor >= 0);
  TACIT_ASSERT(write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  close(descriptor);
}

void OpenAndUse(const std::string& bytes) {
  static const testing::Folder folder;
  for (const char* end : {"-wal", "-shm"}) unlink((folder.ledger() + end).c_str());
  Write(folder.ledger(), bytes);
  Write(folder.ledger() + "-head", Good().head);
  (void)Verify(folder.ledger()).ok();
  (void)ReadAccounts(folder.ledger()).ok();
  tacit::Result<Ledger> opened = Ledger::Open(folder.ledger());
  if (!opened.ok()) return;
  Ledger ledger = std::move(opened).value();
  // 0.5 of 3 is spent: damage may refuse everything, but never grant more than was left.
  const tacit::Result<Receipt> too_much = ledger.Charge(testing::Sample("new", "2.6"));
  TACIT_ASSERT(!too_much.ok());
  const tacit::Result<Receipt> replay = ledger.Charge(testing::SampleBy("ana", "0"));
  if (replay.ok() && replay->releases[0].bytes) TACIT_ASSERT(replay->releases[0].bytes == "answer");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string rest(reinterpret_cast<const char*>(data + 1), size - 1);
  if (data[0] == 1) {
    const tacit::Result<Record> record = ReadRecord(rest);
    if (record.ok()) TACIT_ASSERT(WriteRecord(*record) == rest);
    return 0;
  }
  if (data[0] == 0) {
    OpenAndUse(rest);
    return 0;
  }
  std::string bytes = Good().bytes;
  for (size_t i = 0; i + 3 < rest.size(); i += 4) {
    const auto byte = [&](size_t at) {
      return static_cast<size_t>(static_cast<uint8_t>(rest[at]));
    };
    const size_t place = (byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2)) % bytes.size();
    bytes[place] = rest[i + 3];
  }
  OpenAndUse(bytes);
  return 0;
}
