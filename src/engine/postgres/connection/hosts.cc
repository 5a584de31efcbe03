#include "engine/postgres/connection/hosts.h"

#include <algorithm>
#include <map>

#include "engine/postgres/connection/libpq.h"

namespace tacit::engine::postgres {
namespace {

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (;;) {
    const size_t comma = text.find(',', begin);
    parts.push_back(text.substr(begin, comma - begin));
    if (comma == std::string::npos) return parts;
    begin = comma + 1;
  }
}

Result<std::map<std::string, std::string>> ReadDsn(const std::string& dsn) {
  char* problem = nullptr;
  PQconninfoOption* const options = PQconninfoParse(dsn.c_str(), &problem);
  if (options == nullptr) {
    PQfreemem(problem);
    // libpq's words would repeat the text, and with it what somebody wrote there by mistake.
    return InvalidArgument("engine: dsn is not one that libpq reads",
                           "write  dsn: \"host=db port=5432 user=tacit dbname=clinic\"");
  }
  std::map<std::string, std::string> words;
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    if (option->val != nullptr) words[option->keyword] = option->val;
  }
  PQconninfoFree(options);
  return words;
}

}  // namespace

Result<std::vector<HostWords>> HostsOf(const policy::PostgresSettings& settings) {
  using Words = std::map<std::string, std::string>;
  TACIT_TRY(const Words said, ReadDsn(settings.dsn));
  if (said.contains("password")) {
    return InvalidArgument("engine: dsn holds a password",
                           "take it out, and write  password: env:NAME  or  password: file:PATH");
  }
  Words common = said;
  for (const char* word : {"host", "hostaddr", "port"}) common.erase(word);
  if (!settings.password.empty()) common["password"] = settings.password;
  common["client_encoding"] = "UTF8";
  common.try_emplace("application_name", "tacit");
  common.try_emplace("keepalives_idle", "30");
  const auto list = [&](const char* word) {
    const auto found = said.find(word);
    return found == said.end() ? std::vector<std::string>() : SplitAtCommas(found->second);
  };
  const std::vector<std::string> hosts = list("host"), addresses = list("hostaddr"),
                                 ports = list("port");
  const size_t count = std::max<size_t>({1, hosts.size(), addresses.size()});
  std::vector<HostWords> all;
  for (size_t i = 0; i < count; ++i) {
    Words words = common;
    if (i < hosts.size()) words["host"] = hosts[i];
    if (i < addresses.size()) words["hostaddr"] = addresses[i];
    if (!ports.empty()) words["port"] = ports[std::min(i, ports.size() - 1)];
    const std::string name = i < hosts.size()       ? hosts[i]
                             : i < addresses.size() ? addresses[i]
                                                    : "the local server";
    all.push_back({.name = name, .words = {words.begin(), words.end()}});
  }
  return all;
}

}  // namespace tacit::engine::postgres
