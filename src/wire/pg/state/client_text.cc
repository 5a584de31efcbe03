#include "wire/pg/state/client_text.h"

namespace tacit::wire::pg {

ClientForm FormOf(const Settings& settings) {
  return {.style = settings.Style(), .encoding = settings.ClientEncoding()};
}

Result<std::string> FromClient(const Settings& settings, std::string text) {
  const Encoding* encoding = settings.ClientEncoding();
  if (encoding == nullptr) return text;
  return encoding->ToUtf8(text);
}

Report ForClient(const Settings& settings, Report report) {
  for (std::string* text : {&report.message, &report.detail, &report.hint}) {
    *text = ForClient(settings, std::move(*text));
  }
  return report;
}

std::string ForClient(const Settings& settings, std::string name) {
  const Encoding* encoding = settings.ClientEncoding();
  return encoding == nullptr ? name : encoding->FromUtf8OrAsk(name);
}

}  // namespace tacit::wire::pg
