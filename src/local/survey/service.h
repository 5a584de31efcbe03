#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "local/estimate/tally.h"
#include "local/survey/rate_limit.h"
#include "local/survey/store.h"
#include "wire/http/message.h"

namespace tacit::local {

// A file of the page, held in the program.
struct PageFile {
  std::string_view path;
  std::string_view content_type;
  std::string_view body;
};

// A survey on the web: the page, and
//   GET  /api/survey    questions and designs
//   POST /api/reports   a submission; 201 stored, 200 stored before
//   GET  /api/results   estimates with their error, or, where the owner keeps them,
//   /api/results/KEY
class SurveyService {
 public:
  // Counts all stored reports again; refuses a store with one that the survey cannot have.
  static Result<std::unique_ptr<SurveyService>> Open(Survey survey, const std::string& store_path,
                                                     std::span<const PageFile> pages);

  wire::http::Response Handle(const wire::http::Request& request);

  // Where the page with the results is: /results, or an address that nobody can guess and that is
  // another one at each start.
  const std::string& results_path() const { return results_path_; }

 private:
  SurveyService(Survey survey, std::unique_ptr<ReportStore> store, std::span<const PageFile> pages);

  wire::http::Response Route(const wire::http::Request& request);
  wire::http::Response Post(const wire::http::Request& request);
  wire::http::Response Results() const;

  Survey survey_;
  std::string fingerprint_;
  std::string survey_json_;
  std::vector<uint32_t> seeds_;
  std::vector<Tally> tallies_;
  std::unique_ptr<ReportStore> store_;
  std::span<const PageFile> pages_;
  RateLimit rate_limit_;
  std::string results_path_;
};

}  // namespace tacit::local
