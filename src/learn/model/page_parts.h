#pragma once

#include <string>

#include "learn/model/model.h"

// What the pages of all models share. They need nothing beside themselves: no script, no link.
namespace tacit::learn {

std::string Safe(const std::string& text);  // for HTML
std::string Number(double number);
std::string Fact(const std::string& value, const std::string& what);
std::string Line(double x1, double x2, double y, const char* colour, double width);
std::string TextAt(double x, double y, const char* anchor, const std::string& text);

// From the first byte to what the model is; `what` is its kind, `rows` the SELECT.
std::string PageBegin(const std::string& target, const std::string& what, const std::string& rows);
// What it cost, and the last byte.
std::string PageEnd(const ModelPrivacy& privacy);

}  // namespace tacit::learn
