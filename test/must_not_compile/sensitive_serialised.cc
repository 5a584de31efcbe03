// WRONG: conversion from .*Sensitive|no viable conversion
#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/sensitive.h"

nlohmann::json Serialise(const tacit::Sensitive<int64_t>& exact, int64_t known) {
  static_cast<void>(exact);
#ifdef WRONG
  nlohmann::json json = exact;
#else
  nlohmann::json json = known;
#endif
  return json;
}
