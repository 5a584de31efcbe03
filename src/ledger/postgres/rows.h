#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ledger/postgres/session.h"
#include "ledger/storage.h"

// Rows of the ledger's tables, as its statements (statements.h) return them.

namespace tacit::ledger {

inline StoredRecord RecordAt(const PgRows& rows, int row) {
  return {.sequence = rows.Int(row, 0), .body = rows.Text(row, 1), .hash = rows.Text(row, 2)};
}

inline ReleaseId ReleaseAt(const PgRows& rows, int row, int column) {
  return {.sequence = rows.Int(row, column),
          .ordinal = static_cast<size_t>(rows.Int(row, column + 1))};
}

inline std::vector<NamedText> NamedTextsOf(const PgRows& rows) {
  std::vector<NamedText> texts;
  for (int row = 0; row < rows.count(); ++row) {
    texts.emplace_back(rows.Text(row, 0), rows.Text(row, 1));
  }
  return texts;
}

inline std::vector<AnswerHash> AnswerHashesOf(const PgRows& rows) {
  std::vector<AnswerHash> answers;
  for (int row = 0; row < rows.count(); ++row) {
    answers.push_back({.id = ReleaseAt(rows, row, 0), .hash = rows.Text(row, 2)});
  }
  return answers;
}

inline std::optional<int64_t> FirstIntOf(const PgRows& rows) {
  return rows.count() == 0 ? std::nullopt : std::optional(rows.Int(0, 0));
}

// Each record with the one before it, which its hash is chained to.
inline std::string WithThoseBefore(const std::vector<int64_t>& sequences) {
  PgArray array;
  for (const int64_t sequence : sequences) array.Add(sequence - 1).Add(sequence);
  return array.Take();
}

}  // namespace tacit::ledger
