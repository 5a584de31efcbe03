#include "wire/transport/strangers.h"

#include <algorithm>

namespace tacit::wire {

struct Stranger {
  std::string address;
  std::function<void()> show_out;
};

void Strangers::Stay::End() noexcept {
  if (entry_ == nullptr) return;
  strangers_->Leave(*entry_);
  entry_.reset();
}

void Strangers::Stay::ComesFrom(const std::string& address) {
  if (entry_ != nullptr) strangers_->Move(*entry_, address);
}

Strangers::Stay Strangers::Enter(const std::string& address, std::function<void()> show_out) {
  All entry;  // made first: when there is no memory for it, nobody goes for nothing
  entry.push_back(
      std::make_shared<Stranger>(Stranger{.address = address, .show_out = std::move(show_out)}));
  if (CountOf(address) >= limits_.of_address_max) {
    ShowOut(OldestOf(address));
  } else if (here_.size() >= limits_.all_max) {
    ShowOut(NextToGo());
  }
  Stay stay;
  stay.strangers_ = this;
  stay.entry_ = entry.front();
  here_.splice(here_.end(), entry);
  return stay;
}

size_t Strangers::CountOf(const std::string& address) const {
  return static_cast<size_t>(std::count_if(here_.begin(), here_.end(), [&](const auto& stranger) {
    return stranger->address == address;
  }));
}

Strangers::All::iterator Strangers::NextToGo() {
  return std::max_element(here_.begin(), here_.end(), [&](const auto& a, const auto& b) {
    return CountOf(a->address) < CountOf(b->address);  // the first of equals: the oldest
  });
}

Strangers::All::iterator Strangers::OldestOf(const std::string& address) {
  return std::find_if(here_.begin(), here_.end(),
                      [&](const auto& stranger) { return stranger->address == address; });
}

void Strangers::ShowOut(All::iterator leaving) {
  if (leaving == here_.end()) return;
  const std::shared_ptr<Stranger> stranger = *leaving;
  here_.erase(leaving);
  stranger->show_out();
}

void Strangers::Move(Stranger& entry, const std::string& address) {
  const bool here = std::any_of(here_.begin(), here_.end(),
                                [&](const auto& stranger) { return stranger.get() == &entry; });
  if (!here || entry.address == address) return;
  if (CountOf(address) >= limits_.of_address_max) ShowOut(OldestOf(address));
  entry.address = address;
}

void Strangers::Leave(const Stranger& entry) noexcept {
  std::erase_if(here_, [&](const auto& stranger) { return stranger.get() == &entry; });
}

}  // namespace tacit::wire
