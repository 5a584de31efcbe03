#pragma once

#include <string>
#include <utility>
#include <vector>

#include "attack/report.h"

// The owner's page: one HTML file that needs no other file, no script and no network; light, dark
// and in print.

namespace tacit::attack {

struct Page {
  std::string title = {};
  std::vector<std::string> verdict = {};  // first of all: what it comes to
  std::vector<std::string> notes = {};    // above everything: whose page it is, and what it cost
  std::string made = {};                  // when, by which program
  std::vector<std::string> skipped = {};  // what was not attacked, and why
  // Words that a reader need not know, each with its meaning.
  std::vector<std::pair<std::string, std::string>> words = {};
  std::vector<Report> reports = {};
};

std::string RenderPage(const Page& page);

// One chart as an <svg> element with its legend; colours and dashes come from the page's style.
std::string RenderChart(const Chart& chart);

// & < > " ' become entities; control bytes become '?'.
std::string Escaped(const std::string& text);

}  // namespace tacit::attack
