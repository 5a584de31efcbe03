#include "wire/pg/state/settings/settings.h"

#include <gtest/gtest.h>

namespace tacit::wire::pg {
namespace {

std::string RuleOf(const Result<Done>& result) { return result.ok() ? "" : result.error().rule; }

TEST(Settings, WhatIsSetIsShownAsPostgresShowsIt) {
  Settings settings("ana");
  const auto shown = [&](const std::string& name, const std::string& value) {
    EXPECT_TRUE(settings.Set(name, value, false).ok()) << name << " " << value;
    return settings.Show(name).value();
  };
  EXPECT_EQ(shown("TimeZone", "europe/berlin"), "Europe/Berlin");
  EXPECT_EQ(shown("DateStyle", "german"), "German, DMY");
  EXPECT_EQ(shown("DateStyle", "iso"), "ISO, DMY");
  EXPECT_EQ(shown("IntervalStyle", "ISO_8601"), "iso_8601");
  EXPECT_EQ(shown("client_encoding", "iso-8859-1"), "LATIN1");
  EXPECT_EQ(shown("client_encoding", "'utf-8'"), "UTF8");
  EXPECT_EQ(shown("extra_float_digits", "3"), "3");
  EXPECT_EQ(shown("jit", "off"), "off");
  EXPECT_EQ(shown("work_mem", "64MB"), "64MB");
}

TEST(Settings, WhatWouldMeanNothingIsRefused) {
  Settings settings("ana");
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"TimeZone", "Nowhere/Land"},
                                          {"DateStyle", "iso, foo"},
                                          {"IntervalStyle", "roman"},
                                          {"client_encoding", "SJIS"},
                                          {"extra_float_digits", "40"},
                                          {"bytea_output", "escape"},
                                          {"standard_conforming_strings", "off"},
                                          {"client_min_messages", "loud"}}) {
    EXPECT_EQ(RuleOf(settings.Set(name, value, false)), "invalid_parameter_value") << name;
  }
  EXPECT_EQ(RuleOf(settings.Set("no_such_thing", "1", false)), "undefined_object");
  EXPECT_EQ(RuleOf(settings.Set("server_version", "1", false)), "cant_change_runtime_param");
}

TEST(Settings, AnUnknownEncodingKeepsNobodyOut) {
  Settings settings("ana");
  EXPECT_TRUE(settings.SetAtStart("client_encoding", "SJIS").ok());
  EXPECT_EQ(settings.Show("client_encoding").value(), "UTF8");
  EXPECT_EQ(settings.ClientEncoding(), nullptr);
  EXPECT_TRUE(settings.SetAtStart("client_encoding", "LATIN1").ok());
  EXPECT_NE(settings.ClientEncoding(), nullptr);
  EXPECT_FALSE(settings.SetAtStart("TimeZone", "Nowhere/Land").ok());
}

TEST(Settings, NamesAndValuesTogetherAreBounded) {
  Settings settings("ana");
  EXPECT_TRUE(settings.Set("claims.of", std::string(4000, 'v'), false).ok());
  const std::string name = "a." + std::string(60'000, 'x');
  EXPECT_EQ(RuleOf(settings.Set(name, "1", false)), "program_limit_exceeded");
  EXPECT_EQ(RuleOf(settings.Set(name, "1", true)), "program_limit_exceeded");
  int taken = 0;
  while (settings.Set("b.n" + std::to_string(taken), std::string(1000, 'v'), false).ok()) ++taken;
  EXPECT_GT(taken, 20);
  EXPECT_LT(taken, 33);
  EXPECT_TRUE(settings.Set("b.n0", std::nullopt, false).ok());
}

TEST(Settings, StylesGoBackWithTheTransaction) {
  Settings settings("ana");
  settings.Begin();
  EXPECT_TRUE(settings.Set("TimeZone", "Asia/Kolkata", false).ok());
  EXPECT_TRUE(settings.Set("IntervalStyle", "postgres_verbose", true).ok());
  EXPECT_EQ(settings.Style().zone->name(), "Asia/Kolkata");
  EXPECT_EQ(settings.Style().interval, IntervalStyle::kVerbose);
  settings.Rollback();
  EXPECT_EQ(settings.Style().zone->name(), "UTC");
  EXPECT_EQ(settings.Style().interval, IntervalStyle::kPostgres);
}

}  // namespace
}  // namespace tacit::wire::pg
