#include "wire/metrics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tacit::wire {
namespace {

constexpr const char* kNames[] = {"answered", "replayed",  "refused",
                                  "invalid",  "exhausted", "unavailable"};

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

Metrics::Outcome Metrics::OutcomeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kRefused:
      return Outcome::kRefused;
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kUnsupported:
    case ErrorCode::kInvalidQuery:
      return Outcome::kInvalid;
    case ErrorCode::kBudgetExhausted:
      return Outcome::kExhausted;
    case ErrorCode::kUnavailable:
    case ErrorCode::kInternal:
      break;
  }
  return Outcome::kUnavailable;
}

void Metrics::Observe(Outcome outcome, double seconds) {
  outcomes_[static_cast<size_t>(outcome)].fetch_add(1, std::memory_order_relaxed);
  const auto bucket = static_cast<size_t>(
      std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin());
  buckets_[bucket].fetch_add(1, std::memory_order_relaxed);
  const double microseconds = std::clamp(seconds * 1e6, 0.0, 1e15);
  microseconds_.fetch_add(static_cast<uint64_t>(std::llround(microseconds)),
                          std::memory_order_relaxed);
}

std::string Metrics::Text() const {
  std::string text =
      "# HELP tacit_queries_total Questions, by how they ended.\n"
      "# TYPE tacit_queries_total counter\n";
  for (size_t i = 0; i < kOutcomes; ++i) {
    text += std::string("tacit_queries_total{outcome=\"") + kNames[i] + "\"} " +
            std::to_string(outcomes_[i].load(std::memory_order_relaxed)) + "\n";
  }
  text +=
      "# HELP tacit_query_duration_seconds From the question to its answer, before the time grid.\n"
      "# TYPE tacit_query_duration_seconds histogram\n";
  uint64_t sum = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    sum += buckets_[i].load(std::memory_order_relaxed);
    text += "tacit_query_duration_seconds_bucket{le=\"" +
            (i < kBounds.size() ? Number(kBounds[i]) : "+Inf") + "\"} " + std::to_string(sum) +
            "\n";
  }
  text += "tacit_query_duration_seconds_sum " +
          Number(static_cast<double>(microseconds_.load(std::memory_order_relaxed)) / 1e6) +
          "\ntacit_query_duration_seconds_count " + std::to_string(sum) + "\n";
  return text;
}

}  // namespace tacit::wire
