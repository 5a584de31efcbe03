#include "owner/init/clinic.h"

#include <clinic_policy.h>  // generated from examples/clinic/tacit.yaml

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "owner/init/clinic_parquet.h"

namespace tacit::owner {
namespace {

namespace fs = std::filesystem;

// SplitMix64: sample data only.
class SampleStream {
 public:
  explicit SampleStream(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}

  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // In (0, 1).
  double Fraction() { return (static_cast<double>(Next() >> 11) + 0.5) * 0x1p-53; }
  double Normal() {
    const double radius = std::sqrt(-2 * std::log(Fraction()));
    return radius * std::cos(6.283185307179586 * Fraction());
  }
  double LogNormal(double mu, double sigma) { return std::exp(mu + sigma * Normal()); }
  bool Chance(double probability) { return Fraction() < probability; }
  // An index with the given weights.
  template <size_t N>
  size_t Pick(const std::array<double, N>& weights) {
    double total = 0;
    for (const double weight : weights) total += weight;
    double at = Fraction() * total;
    for (size_t i = 0; i + 1 < N; ++i) {
      if ((at -= weights[i]) < 0) return i;
    }
    return N - 1;
  }

 private:
  uint64_t state_;
};

struct Disease {
  const char* name;
  double weight;      // how many patients have it
  double age_center;  // around which age
};
constexpr Disease kDiseases[] = {
    {"Cold", 24, 30},    {"Flu", 17, 35},       {"Back pain", 14, 50},  {"Hypertension", 12, 65},
    {"Diabetes", 8, 60}, {"Asthma", 7, 25},     {"Migraine", 6, 38},    {"Fracture", 5, 45},
    {"Ulcer", 3, 52},    {"Burn", 2, 30},       {"Pneumonia", 1.6, 70}, {"Gout", 0.8, 58},
    {"Lupus", 0.3, 40},  {"Tetanus", 0.05, 50}, {"Leprosy", 0.002, 45},
};

struct Department {
  const char* name;
  int floor;
  int beds;
  double weight;     // share of visits
  double days;       // typical length of stay
  double day_price;  // typical cost of a day
};
constexpr Department kDepartments[] = {
    {"Emergency", 0, 40, 30, 0.6, 420}, {"Internal medicine", 2, 120, 20, 4.5, 310},
    {"Surgery", 3, 90, 13, 5.5, 780},   {"Pediatrics", 1, 60, 10, 2.5, 280},
    {"Cardiology", 4, 50, 9, 4.0, 650}, {"Orthopedics", 3, 45, 8, 6.0, 540},
    {"Neurology", 5, 35, 6, 5.0, 600},  {"Dermatology", 1, 10, 4, 0.8, 190},
};

std::string Fixed(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

std::string DateText(int days) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  char text[16];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

int DrawAge(SampleStream& draw) {
  // Children, working people and the old, as a clinic sees them.
  const size_t kind = draw.Pick(std::array{0.18, 0.47, 0.35});
  constexpr double kCenter[] = {8, 40, 70}, kSpread[] = {5, 13, 10};
  const double age = kCenter[kind] + kSpread[kind] * draw.Normal();
  return static_cast<int>(std::min(104.0, std::max(0.0, age)));
}

const char* DrawDisease(SampleStream& draw, int age) {
  std::array<double, std::size(kDiseases)> weights{};
  for (size_t i = 0; i < weights.size(); ++i) {
    const double distance = (age - kDiseases[i].age_center) / 25;
    weights[i] = kDiseases[i].weight * std::exp(-distance * distance / 2);
  }
  return kDiseases[draw.Pick(weights)].name;
}

void AppendPatient(SampleStream& draw, int64_t ssn, std::string& out) {
  const int age = DrawAge(draw);
  // A few quarters hold most people: the smaller of two draws.
  const auto zip = 75001 + std::min(draw.Next() % 20, draw.Next() % 20);
  out += std::to_string(ssn) + ',' + std::to_string(zip) + ',' + DrawDisease(draw, age) + ',';
  if (!draw.Chance(0.01)) out += std::to_string(age);
  out += draw.Chance(0.01) ? ",X," : draw.Chance(0.52) ? ",F," : ",M,";
  const double income = age < 18 ? 0 : draw.LogNormal(10.2, 0.65);
  if (!draw.Chance(0.06)) out += std::to_string(std::llround(income / 100) * 100);
  out += '\n';
}

void AppendVisit(SampleStream& draw, int64_t visit, int64_t ssn, std::string& out) {
  constexpr int kFirstDay = 17897;  // 2019-01-01
  constexpr int kDays = 2192;       // to 2024-12-31
  std::array<double, std::size(kDepartments)> weights{};
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = kDepartments[i].weight;
  const Department& department = kDepartments[draw.Pick(weights)];
  // Winters are busier, and every year a little more than the one before.
  int day = 0;
  double busy = 0;
  do {
    day = static_cast<int>(draw.Next() % kDays);
    busy = 0.65 + 0.15 * day / kDays + 0.2 * std::cos(6.283185307179586 * day / 365.25);
  } while (!draw.Chance(busy));
  const double stay = -std::log(draw.Fraction()) * department.days;
  const double days = std::floor(std::min(stay, 180.0));
  const double cost = (80 + (days + 0.3) * department.day_price) * draw.LogNormal(0, 0.35);
  out += std::to_string(visit) + ',' + std::to_string(ssn) + ',' + department.name + ',' +
         DateText(kFirstDay + day) + ',';
  if (!draw.Chance(0.02)) out += std::to_string(static_cast<int>(days));
  out += ',';
  if (!draw.Chance(0.03)) out += Fixed(cost);
  out += '\n';
}

Error CannotWrite(const fs::path& path) {
  return InvalidArgument("cannot write " + path.string() + ": " + std::strerror(errno),
                         "choose a folder on a disk with space that you may write to");
}

Result<Done> WriteText(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!(file << text).flush()) return CannotWrite(path);
  return Done{};
}

}  // namespace

Result<ClinicFiles> WriteClinic(const ClinicRequest& request) {
  if (request.patients < 1 || request.patients > 100'000'000) {
    return InvalidArgument("--patients must be from 1 to 100000000");
  }
  const fs::path folder = request.folder;
  std::error_code failure;
  fs::create_directories(folder, failure);
  std::ofstream patients(folder / "patients.csv", std::ios::binary | std::ios::trunc);
  std::ofstream visits(folder / "visits.csv", std::ios::binary | std::ios::trunc);
  patients << "ssn,zipcode,disease,age,sex,income\n";
  visits << "visit_id,patient_ssn,department,admitted,days,cost\n";
  ClinicFiles written;
  std::string patient_lines, visit_lines;
  for (int64_t i = 0; i < request.patients; ++i) {
    // A stream of their own for every patient: a larger clinic has the same first patients.
    SampleStream draw(request.seed * 1'000'000'007u + static_cast<uint64_t>(i));
    const int64_t ssn = 100 + i;
    AppendPatient(draw, ssn, patient_lines);
    const auto count = static_cast<int64_t>(std::min(400.0, draw.LogNormal(1.25, 0.95)));
    for (int64_t k = 0; k < count; ++k) AppendVisit(draw, ++written.visits, ssn, visit_lines);
    if (i % 4096 == 4095 || i + 1 == request.patients) {
      patients << std::exchange(patient_lines, "");
      visits << std::exchange(visit_lines, "");
    }
  }
  written.patients = request.patients;
  if (!patients.flush() || !visits.flush()) return CannotWrite(folder);
  std::string departments = "department,floor,beds\n";
  for (const Department& each : kDepartments) {
    departments += std::string(each.name) + ',' + std::to_string(each.floor) + ',' +
                   std::to_string(each.beds) + '\n';
  }
  TACIT_CHECK(WriteText(folder / "departments.csv", departments));
  if (request.parquet) {
    TACIT_CHECK(StoreClinicAsParquet(request.folder));
  } else {
    TACIT_CHECK(WriteText(folder / "tacit.yaml", kClinicPolicy));
  }
  return written;
}

std::string ClinicPolicy() { return kClinicPolicy; }

}  // namespace tacit::owner
