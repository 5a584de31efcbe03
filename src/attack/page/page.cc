#include "attack/page/page.h"

#include <algorithm>

#include "attack/page/style.h"

namespace tacit::attack {
namespace {

std::string TableHtml(const Table& table) {
  const auto is_number = [&](size_t column) {
    return std::any_of(table.rows.begin(), table.rows.end(), [&](const std::vector<Cell>& row) {
      return row[column].number.has_value();
    });
  };
  // Up to five columns fit beside a chart.
  constexpr size_t kNarrow = 5;
  std::string out = std::string("<div class=\"sheet") +
                    (table.header.size() > kNarrow ? " wide" : "") + "\"><table>\n<caption>" +
                    Escaped(table.title) + "</caption>\n<thead><tr>";
  for (size_t i = 0; i < table.header.size(); ++i) {
    out += std::string("<th scope=\"col\"") + (is_number(i) ? " class=\"number\">" : ">") +
           Escaped(table.header[i]) + "</th>";
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const std::vector<Cell>& row : table.rows) {
    out += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) {
      out += std::string("<td") + (is_number(i) ? " class=\"number\">" : ">") +
             Escaped(row[i].text) + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string AskedWith(const Report& report) {
  std::string line;
  for (const Parameter& parameter : report.parameters) {
    line += (line.empty() ? "" : "; ") + parameter.name + ": " + parameter.value;
  }
  if (report.seed) line += (line.empty() ? "" : "; ") + ("seed: " + std::to_string(*report.seed));
  return line.empty() ? "" : "<p class=\"asked\">Asked with " + Escaped(line) + ".</p>\n";
}

// What the attacks left out, and the words of the page.
std::string WordsHtml(const Page& page) {
  std::string out;
  if (!page.words.empty()) {
    out += "<h2>Words on this page</h2>\n<dl>\n";
    for (const auto& [word, meaning] : page.words) {
      out += "<div><dt>" + Escaped(word) + "</dt><dd>" + Escaped(meaning) + "</dd></div>\n";
    }
    out += "</dl>\n";
  }
  if (!page.skipped.empty()) {
    out += "<h2>What was left out, and why</h2>\n<ul class=\"skipped\">\n";
    for (const std::string& one : page.skipped) out += "<li>" + Escaped(one) + "</li>\n";
    out += "</ul>\n";
  }
  return out;
}

std::string SectionHtml(const Report& report) {
  std::string out = "<section id=\"" + Escaped(report.name) + "\">\n<h2>" + Escaped(report.title) +
                    "</h2>\n<p class=\"shows\">" + Escaped(report.shows) + "</p>\n";
  out += "<div class=\"beside\">\n<div>\n<h3>What it found</h3>\n<ul class=\"found\">\n";
  for (const std::string& sentence : report.summary) out += "<li>" + Escaped(sentence) + "</li>\n";
  out += "</ul>\n</div>\n<aside><h3>What helps: " + Escaped(report.defence.title) + "</h3>\n<p>" +
         Escaped(report.defence.text) + "</p></aside>\n</div>\n<div class=\"charts\">\n";
  for (const Chart& chart : report.charts) out += RenderChart(chart);
  for (const Table& table : report.tables) out += TableHtml(table);
  out += "</div>\n";
  if (!report.cautions.empty()) {
    out += "<ul class=\"cautions\">\n";
    for (const std::string& caution : report.cautions) out += "<li>" + Escaped(caution) + "</li>\n";
    out += "</ul>\n";
  }
  return out + AskedWith(report) + "</section>\n";
}

}  // namespace

std::string Escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    }
  }
  return out;
}

std::string RenderPage(const Page& page) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"robots\" content=\"noindex\">\n"
      // The page is about people: nothing in it may load or send anything.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<title>" +
      Escaped(page.title) + "</title>\n<style>" + kPageStyle + "</style>\n</head>\n<body>\n";
  out += "<header>\n<h1>" + Escaped(page.title) + "</h1>\n";
  if (!page.verdict.empty()) {
    out += "<section class=\"verdict\" aria-label=\"Verdict\">\n<ul>\n";
    for (const std::string& sentence : page.verdict) out += "<li>" + Escaped(sentence) + "</li>\n";
    out += "</ul>\n</section>\n";
  }
  for (const std::string& note : page.notes) out += "<p>" + Escaped(note) + "</p>\n";
  out += WordsHtml(page) + "<nav aria-label=\"Attacks\"><h2>The attacks</h2>\n<ol>\n";
  for (const Report& report : page.reports) {
    out += "<li><a href=\"#" + Escaped(report.name) + "\">" + Escaped(report.title) + "</a></li>\n";
  }
  out += "</ol></nav>\n</header>\n<main>\n";
  for (const Report& report : page.reports) out += SectionHtml(report);
  return out + "</main>\n<footer><p>" + Escaped(page.made) + "</p></footer>\n</body>\n</html>\n";
}

}  // namespace tacit::attack
