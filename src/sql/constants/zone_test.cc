#include "sql/constants/zone.h"

#include <gtest/gtest.h>

#include "sql/constants/fold.h"
#include "sql/parse.h"
#include "sql/parse/literal.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::sql {
namespace {

std::shared_ptr<const TimeZone> Berlin() { return TimeZone::Find("Europe/Berlin").value(); }

// What a query's constant is in the zone, folded.
std::string Folded(const std::string& constant, const std::shared_ptr<const TimeZone>& zone) {
  const Result<Statement> parsed = Parse("SELECT " + constant + " AS k");
  if (!parsed.ok()) return parsed.error().public_message;
  return PrintCanonical(FoldConstants(InZone(parsed->query, zone)));
}

TEST(Zone, ATimestampWithoutAnOffsetIsOneOfItsClocks) {
  const auto zone = Berlin();
  const auto read = [&](const char* text) {
    return CanonicalTimestampTz(text, zone.get()).value();
  };
  EXPECT_EQ(read("2024-01-15"), "2024-01-14 23:00:00");
  EXPECT_EQ(read("2024-07-15 12:00:00.5"), "2024-07-15 10:00:00.5");
  EXPECT_EQ(read("2024-07-15 12:00+00"), "2024-07-15 12:00:00");
  EXPECT_EQ(read("2024-07-15T12:00Z"), "2024-07-15 12:00:00");
  // Skipped, and shown twice.
  EXPECT_EQ(read("2024-03-31 02:30"), "2024-03-31 01:30:00");
  EXPECT_EQ(read("2024-10-27 02:30"), "2024-10-27 01:30:00");
  EXPECT_EQ(CanonicalTimestampTz("2024-01-15").value(), "2024-01-15 00:00:00");
}

TEST(Zone, ConstantsOfOneInstantAreOneHoweverTheyAreSpelled) {
  const std::string midnight = Folded("TIMESTAMPTZ '2024-01-14 23:00:00+00'", Berlin());
  for (const char* spelled :
       {"TIMESTAMPTZ '2024-01-15'", "'2024-01-15'::timestamptz", "DATE '2024-01-15'::timestamptz",
        "CAST(TIMESTAMP '2024-01-15 00:00' AS timestamp with time zone)",
        "date_trunc('day', TIMESTAMPTZ '2024-01-15 17:00')",
        "TIMESTAMPTZ '2024-01-14' + INTERVAL '1 day'", "('2024-01-' || '15')::timestamptz"}) {
    EXPECT_EQ(Folded(spelled, Berlin()), midnight) << spelled;
  }
  EXPECT_NE(Folded("TIMESTAMPTZ '2024-01-15'", TimeZone::Utc()), midnight);
}

TEST(Zone, ADayIsTheOneOfItsClocks) {
  const std::string instant = "TIMESTAMPTZ '2024-01-14 23:30:00+00'";
  EXPECT_EQ(Folded(instant + "::date", Berlin()), Folded("DATE '2024-01-15'", Berlin()));
  EXPECT_EQ(Folded(instant + "::timestamp", Berlin()),
            Folded("TIMESTAMP '2024-01-15 00:30:00'", Berlin()));
  EXPECT_EQ(Folded(instant + "::date", nullptr), Folded("DATE '2024-01-14'", nullptr));
}

}  // namespace
}  // namespace tacit::sql
