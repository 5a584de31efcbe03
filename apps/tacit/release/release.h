#pragma once

#include "release/domain/domain.h"
#include "release/publish/price.h"
#include "tacit/commands.h"

// The parts that commands which publish a table have in common.
namespace tacit::app {

// The flags' numbers, where they are given.
Result<std::optional<Epsilon>> ReadEpsilon(const std::string& text);
Result<std::optional<Delta>> ReadDelta(const std::string& text);

// Whether a file can be written there: asked before anything is charged. Leaves none behind.
Result<Done> CheckWritable(const std::string& path);
// A name beside the file itself, so that PutInPlace can put it there.
std::string DraftOf(const std::string& path);
Result<Done> PutInPlace(const std::string& draft, const std::string& path);
Result<std::string> ReadWhole(const std::string& path);
// All of it or nothing: what was there before stays until everything is on the disk.
Result<Done> WriteWhole(const std::string& path, const std::string& content);

// How many values of open columns were shown.
void PrintShown(const std::vector<release::Attribute>& planned,
                const std::vector<release::Attribute>& shown);

// "charged: epsilon 1, delta 1e-9; receipt 17:..." or that it was free.
void PrintReceipt(const release::ReleasePrice& price, bool zcdp, bool charged,
                  const std::string& receipt);

}  // namespace tacit::app
