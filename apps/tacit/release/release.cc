#include "tacit/release/release.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/new_file.h"
#include "base/whole_file.h"

namespace tacit::app {
namespace {

Error CannotWrite(const std::string& path, const char* why) {
  return InvalidArgument("cannot write " + path + ": " + why);
}

// Why a megabyte: a workload is written by hand, or nearly.
constexpr size_t kReadMax = 1 << 20;
constexpr unsigned kModeByUmask = 0666;

}  // namespace

std::string DraftOf(const std::string& path) {
  return path + ".tacit-" + std::to_string(::getpid());
}

Result<Done> PutInPlace(const std::string& draft, const std::string& path) {
  if (std::rename(draft.c_str(), path.c_str()) == 0) return Done{};
  const int why = errno;
  (void)std::remove(draft.c_str());
  return CannotWrite(path, std::strerror(why));
}

Result<std::string> ReadWhole(const std::string& path) {
  std::optional<std::string> text = WholeFile(path, kReadMax);
  if (!text) {
    return InvalidArgument("cannot read " + path + ": " + std::strerror(errno),
                           "all-2way, all-3way, or a file with a query a line");
  }
  if (text->size() > kReadMax) return InvalidArgument(path + " is larger than a megabyte");
  return std::move(*text);
}

Result<std::optional<Epsilon>> ReadEpsilon(const std::string& text) {
  if (text.empty()) return std::optional<Epsilon>();
  TACIT_TRY(const Rational number, ReadNumber("--epsilon", text));
  TACIT_TRY(const Epsilon epsilon, CheckedEpsilon(number, "--epsilon"));
  return std::optional<Epsilon>(epsilon);
}

Result<std::optional<Delta>> ReadDelta(const std::string& text) {
  if (text.empty()) return std::optional<Delta>();
  TACIT_TRY(const Rational number, ReadNumber("--delta", text));
  TACIT_TRY(const Delta delta, CheckedDelta(number, "--delta"));
  return std::optional<Delta>(delta);
}

Result<Done> CheckWritable(const std::string& path) {
  const std::string draft = DraftOf(path);
  std::FILE* const file = std::fopen(draft.c_str(), "wb");
  if (file == nullptr) return CannotWrite(path, std::strerror(errno));
  (void)std::fclose(file);
  (void)std::remove(draft.c_str());
  return Done{};
}

Result<Done> WriteWhole(const std::string& path, const std::string& content) {
  TACIT_TRY(NewFile file, NewFile::Create(path, kModeByUmask));
  TACIT_CHECK(file.Write(content));
  return file.Finish();
}

void PrintShown(const std::vector<release::Attribute>& planned,
                const std::vector<release::Attribute>& shown) {
  for (size_t i = 0; i < planned.size() && i < shown.size(); ++i) {
    if (!planned[i].IsOpen()) continue;
    // All others have a cell of their own.
    std::printf("%s: %zu values are shown, all others are %s\n", planned[i].name.c_str(),
                shown[i].Values() - 1, release::kOtherText);
  }
}

void PrintReceipt(const release::ReleasePrice& price, bool zcdp, bool charged,
                  const std::string& receipt) {
  if (!charged) {
    std::printf("free: the same release was paid for before, and is what was stored then\n");
    return;
  }
  const std::string cost =
      zcdp ? "rho " + ToString(price.rho.value)
           : "epsilon " + ToString(price.epsilon.value) + ", delta " + ToString(price.delta.value);
  std::printf("charged: %s; receipt %s\n", cost.c_str(), receipt.c_str());
}

}  // namespace tacit::app
