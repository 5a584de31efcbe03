#include "gateway/kept/parsed_texts.h"

namespace tacit::gateway {
namespace {

// Why these: what a program prepares, in a few megabytes for an analyst.
constexpr size_t kTextsMax = 32, kTextBytesMax = 2048;

}  // namespace

std::shared_ptr<const sql::Statement> ParsedTexts::Find(const std::string& analyst,
                                                        const std::string& text) {
  const std::lock_guard lock(mutex_);
  const auto own = of_.find(analyst);
  if (own == of_.end()) return nullptr;
  const auto found = own->second.find(text);
  return found == own->second.end() ? nullptr : found->second;
}

void ParsedTexts::Keep(const std::string& analyst, const std::string& text,
                       std::shared_ptr<const sql::Statement> statement) {
  if (text.size() > kTextBytesMax) return;
  const std::lock_guard lock(mutex_);
  Own& own = of_[analyst];
  if (own.contains(text)) return;
  if (own.size() >= kTextsMax) own.clear();
  own.emplace(text, std::move(statement));
}

}  // namespace tacit::gateway
