#pragma once

#include "release/publish/publish_tables.h"

namespace tacit::release {

// A file for each table, and a description of all of them.
struct NamedFile {
  std::string name;
  std::string content;
};
std::vector<NamedFile> FilesOf(const TablesPlan& plan, const std::string& table,
                               const PublishedTables& published);

}  // namespace tacit::release
