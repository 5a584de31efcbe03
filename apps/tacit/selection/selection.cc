#include "tacit/selection/selection.h"

#include <cerrno>
#include <cstring>

#include "answer/format/numbers.h"
#include "base/whole_file.h"
#include "gateway/moment.h"
#include "tacit/terminal/progress_bar.h"

namespace tacit::app {
namespace {

// Why four megabytes: a thousand questions of four kilobytes.
constexpr size_t kFileMax = 4 << 20;
constexpr size_t kShownMax = 76;

}  // namespace

void AddSelectionFlags(Command command, SelectionFlags& flags) {
  command.Value("DIR", flags.folder, "the folder with tacit.yaml, or the policy file").Required();
  command.Value("FILE", flags.file, "SELECTs that count or sum, with ; between them").Required();
  command
      .Value("--epsilon", flags.epsilon,
             "the price of all of it together; the policy's unless given")
      .NotEmpty();
  command
      .Value("--analyst", flags.analyst,
             "who asks, and pays too; without it the owner, and the dataset alone pays")
      .NotEmpty();
  command.Switch("--explain", flags.explain, "says what it would cost, and asks nothing");
  command.Value("--format", flags.format, "table or json").OneOf({"table", "json"});
}

Result<gateway::Request> AskerOf(const SelectionFlags& flags, const policy::Policy& policy) {
  gateway::Request asker{.text = "", .analyst = flags.analyst, .request_id = "", .wish = {}};
  if (!flags.epsilon.empty()) {
    TACIT_TRY(const Rational epsilon, ReadNumber("--epsilon", flags.epsilon));
    TACIT_TRY(asker.wish.epsilon, CheckedEpsilon(epsilon, "--epsilon"));
  }
  asker.now = gateway::RoundedNow(policy);
  return asker;
}

Result<std::string> ReadQuestionsOf(const SelectionFlags& flags) {
  std::optional<std::string> text = WholeFile(flags.file, kFileMax);
  if (!text) {
    return InvalidArgument("cannot read " + flags.file + ": " + std::strerror(errno),
                           "name a file with SELECTs, with ; between them");
  }
  if (text->size() > kFileMax) {
    return InvalidArgument(flags.file + " is larger than four megabytes",
                           "ask for fewer questions at a time");
  }
  return std::move(*text);
}

std::string ChargeSentence(const selection::Scores& scores, const gateway::Request& asker,
                           const gateway::Services& services, const ledger::Receipt& receipt,
                           bool is_quote) {
  const bool free = is_quote ? receipt.releases[0].bytes.has_value() : !receipt.charged();
  if (free) return "free: the same was paid for before";
  const bool zcdp = services.policy.privacy.accounting == policy::Accounting::kZcdp;
  const plan::Share share = scores.price.ShareOf(1);
  std::string price =
      zcdp ? "rho " + ToString(share.rho.value) : "epsilon " + ToString(share.epsilon.value);
  price += asker.analyst.empty() ? "" : " to " + asker.analyst;
  return is_quote ? "it would cost " + price : "charged: " + price + "; receipt " + receipt.name;
}

std::string InShort(const std::string& question) {
  std::string line;
  for (const char c : question) {
    const bool space = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (space && (line.empty() || line.back() == ' ')) continue;
    line += space ? ' ' : c;
  }
  if (line.size() <= kShownMax) return line;
  size_t end = kShownMax - 3;
  // A character is not cut in its middle.
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
  return line.substr(0, end) + "...";
}

std::string InUnits(const Integer& steps, const selection::Scores& scores) {
  return answer::ErrorNumber(Rational(Rational(steps) * scores.step));
}

std::function<void(double)> ProgressOf(const char* doing) {
  return [doing](double percent) { DrawProgress(doing, percent < 99 ? percent : 99.0); };
}

}  // namespace tacit::app
