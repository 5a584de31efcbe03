#include "wire/deployment/metrics.h"

#include <iomanip>
#include <sstream>

namespace tacit::wire {

Metrics::Outcome Metrics::OutcomeOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::kBudgetExhausted:
      return Outcome::kExhausted;
    case ErrorCode::kUnavailable:
    case ErrorCode::kInternal:
      return Outcome::kUnavailable;
    default:
      return Outcome::kRefused;
  }
}

void Metrics::Count(Outcome outcome, std::chrono::steady_clock::duration time) {
  ++outcomes_[static_cast<size_t>(outcome)];
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  micros_ += static_cast<uint64_t>(micros);
  size_t bucket = 0;
  while (bucket < kSeconds.size() && static_cast<double>(micros) > kSeconds[bucket] * 1e6) {
    ++bucket;
  }
  ++durations_[bucket];
}

std::string Metrics::Text(const Gauges& gauges) const {
  static constexpr const char* kNames[] = {"answered", "refused", "exhausted", "unavailable"};
  std::ostringstream out;
  out.exceptions(std::ios::badbit);  // else it leaves out what it has no memory for
  out << "# HELP tacit_queries_total Questions by how they ended.\n"
         "# TYPE tacit_queries_total counter\n";
  for (size_t i = 0; i < outcomes_.size(); ++i) {
    out << "tacit_queries_total{outcome=\"" << kNames[i] << "\"} " << outcomes_[i] << "\n";
  }
  out << "# HELP tacit_query_duration_seconds From the question's arrival to its answer, before "
         "the time grid.\n"
         "# TYPE tacit_query_duration_seconds histogram\n";
  uint64_t below = 0;
  for (size_t i = 0; i < kSeconds.size(); ++i) {
    below += durations_[i];
    out << "tacit_query_duration_seconds_bucket{le=\"" << kSeconds[i] << "\"} " << below << "\n";
  }
  below += durations_.back();
  const uint64_t micros = micros_;
  // Exact: a stream writes a double with six digits, and a sum of hours would not move any more.
  out << "tacit_query_duration_seconds_bucket{le=\"+Inf\"} " << below << "\n"
      << "tacit_query_duration_seconds_sum " << micros / 1'000'000 << "." << std::setfill('0')
      << std::setw(6) << micros % 1'000'000 << "\n"
      << "tacit_query_duration_seconds_count " << below << "\n";
  const auto gauge = [&out](const char* name, const char* help, double value) {
    out << "# HELP " << name << " " << help << "\n# TYPE " << name << " gauge\n"
        << name << " " << value << "\n";
  };
  gauge("tacit_questions_waiting", "Questions that wait for a worker.",
        static_cast<double>(gauges.waiting));
  gauge("tacit_tables_unprepared", "Tables with a cap that are not read from a prepared copy.",
        static_cast<double>(gauges.unprepared));
  gauge("tacit_backend_up", "Whether the engine can be reached.", gauges.backend_up ? 1 : 0);
  if (gauges.budget_left) {
    gauge("tacit_budget_epsilon_remaining_ratio", "What is left of the dataset's budget.",
          *gauges.budget_left);
  }
  out << "# HELP tacit_build_info The program.\n# TYPE tacit_build_info gauge\n"
      << "tacit_build_info{version=\"" << gauges.version << "\"} 1\n";
  return out.str();
}

}  // namespace tacit::wire
