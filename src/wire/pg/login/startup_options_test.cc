#include "wire/pg/login/startup_options.h"

#include <gtest/gtest.h>

namespace tacit::wire::pg {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(StartupOptions, AreReadAsPgoptionsHoldsThem) {
  StartupWanted startup;
  startup.parameters["options"] = "-c a=1 -cb=2  --c=3=4 -d -c x\\ y=z -c nothing -c";
  EXPECT_EQ(SettingsOf(startup), (Pairs{{"a", "1"}, {"b", "2"}, {"c", "3=4"}, {"x y", "z"}}));
}

// A client may come with an encoding of its own, which is known later only.
TEST(StartupOptions, WhatIsNotUtf8IsMadeSo) {
  StartupWanted startup;
  startup.parameters = {{"application_name", "caf\xe9"}, {"options", "-c a.b=\xff"}};
  EXPECT_EQ(SettingsOf(startup), (Pairs{{"a.b", "?"}, {"application_name", "caf?"}}));
}

TEST(StartupOptions, WhatNamesTheSessionIsNoSetting) {
  StartupWanted startup;
  startup.parameters = {{"user", "ana"},
                        {"database", "clinic"},
                        {"replication", "off"},
                        {"_pq_.x", "1"},
                        {"application_name", "psql"}};
  EXPECT_EQ(SettingsOf(startup), (Pairs{{"application_name", "psql"}}));
}

}  // namespace
}  // namespace tacit::wire::pg
