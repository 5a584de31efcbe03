#include "wire/pg/prepared/statements.h"

#include "wire/pg/state/report.h"

namespace tacit::wire::pg {
namespace {

// A tree of the grammar takes up to this many bytes for each of its text.
constexpr size_t kTreeBytesPerTextByte = 160;
// Why 512: what drivers ask the catalog by themselves; as a tree no more than the longest text
// takes as a text.
constexpr size_t kReadTextBytesMax = 512;

// Of the question that a command is or holds; null when there is none.
template <class Command>
auto* ReadingIn(Command& command) {
  using sql::AskCommand, sql::CopyCommand, sql::DeclareCommand, sql::PrepareCommand;
  decltype(&std::get<AskCommand>(command.kind).reading) reading = nullptr;
  if (auto* ask = std::get_if<AskCommand>(&command.kind)) reading = &ask->reading;
  if (auto* copy = std::get_if<CopyCommand>(&command.kind)) reading = &copy->question.reading;
  if (auto* cursor = std::get_if<DeclareCommand>(&command.kind)) {
    reading = &cursor->question.reading;
  }
  if (auto* named = std::get_if<PrepareCommand>(&command.kind)) reading = &named->question.reading;
  return reading;
}

}  // namespace

size_t Prepared::Bytes() const {
  // The command holds the text again, and a question inside it once more.
  size_t bytes = sizeof *this + 3 * text.size() + 4 * declared_types.size();
  bytes += 4 * shape.parameters.size();
  for (const OidColumn& column : shape.columns) bytes += sizeof column + column.name.size();
  const sql::SharedReading* reading = command ? ReadingIn(*command) : nullptr;
  if (reading != nullptr && *reading != nullptr) bytes += kTreeBytesPerTextByte * text.size();
  return bytes;
}

CountedReadings::CountedReadings(Statements& statements, std::vector<sql::Command>& commands,
                                 size_t text_bytes)
    : statements_(statements) {
  const size_t bytes = kTreeBytesPerTextByte * text_bytes;
  if (statements_.HasRoomFor(bytes)) {
    statements_.bytes() += bytes;
    bytes_ = bytes;
    return;
  }
  for (sql::Command& command : commands) {
    if (sql::SharedReading* reading = ReadingIn(command)) reading->reset();
  }
}

CountedReadings::~CountedReadings() {
  if (bytes_ > 0) statements_.bytes() -= bytes_;
}

PreparedStatement Statements::Find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

Result<Done> Statements::CheckRoomFor(const std::string& name, size_t bytes) const {
  const PreparedStatement before = Find(name);
  if (!name.empty() && before != nullptr) {
    return Condition("prepared statement \"" + name + "\" already exists",
                     "duplicate_prepared_statement");
  }
  const size_t freed = before == nullptr ? 0 : before->Bytes();
  if ((before == nullptr && by_name_.size() >= limits_.count_max) ||
      !bytes_.HasRoomFor(bytes, limits_.bytes, freed)) {
    return Condition("too many prepared statements", "out_of_memory",
                     "close those that are not used any more (DEALLOCATE), or prepare fewer");
  }
  return Done{};
}

// What the grammar read is kept for the nameless one only, which is executed soon: of many it
// would take far more memory than their texts.
Result<Done> Statements::Keep(const std::string& name, Prepared statement) {
  sql::SharedReading* reading = statement.command ? ReadingIn(*statement.command) : nullptr;
  const bool keeps_reading = name.empty() && statement.text.size() <= kReadTextBytesMax;
  if (reading != nullptr && (!keeps_reading || !CheckRoomFor(name, statement.Bytes()).ok())) {
    reading->reset();
  }
  const size_t bytes = statement.Bytes();
  TACIT_CHECK(CheckRoomFor(name, bytes));
  auto kept = std::make_shared<const Prepared>(std::move(statement));
  (void)Forget(name);
  by_name_.emplace(name, std::move(kept));
  bytes_ += bytes;
  return Done{};
}

bool Statements::Forget(const std::string& name) {
  const auto place = by_name_.find(name);
  if (place == by_name_.end()) return false;
  bytes_ -= place->second->Bytes();
  by_name_.erase(place);
  return true;
}

void Statements::Clear() {
  by_name_.clear();
  bytes_.Clear();
}

}  // namespace tacit::wire::pg
