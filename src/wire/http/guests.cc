#include "wire/http/guests.h"

#include <algorithm>
#include <utility>

namespace tacit::wire::http {

Guests::Place::Place(Guests& guests, std::string address, std::function<void()> show_out)
    : guests_(guests), address_(std::move(address)), show_out_(std::move(show_out)) {
  // What may fail comes first.
  OfAddress& mine = guests_.of_address_[address_];
  mine.strangers.push_back(this);
  ++mine.all;
  ++guests_.all_;
  ++guests_.strangers_;
}

Guests::Place::~Place() {
  Leave();
  --guests_.all_;
  const auto found = guests_.of_address_.find(address_);
  if (--found->second.all == 0) guests_.of_address_.erase(found);
}

void Guests::Place::BecomeKnown(const std::string& account) {
  if (!stranger_) return;
  // What may fail comes first.
  std::string name = account;
  std::list<Place*> own(1, this);
  std::list<Place*>& mine = guests_.known_[name];
  Leave();
  mine.splice(mine.end(), own);
  account_ = std::move(name);
  if (mine.size() > guests_.limits_.of_known_max) (void)ShowOneOut(mine);
}

void Guests::Place::Leave() noexcept {
  if (std::exchange(stranger_, false)) {
    --guests_.strangers_;
    guests_.of_address_.find(address_)->second.strangers.remove(this);
  }
  const auto known = account_.empty() ? guests_.known_.end() : guests_.known_.find(account_);
  if (known == guests_.known_.end()) return;
  known->second.remove(this);
  if (known->second.empty()) guests_.known_.erase(known);
  account_.clear();
}

Guests::Verdict Guests::Judge(const std::string& address, bool shared) {
  const auto found = of_address_.find(address);
  if (!shared && found != of_address_.end()) {
    const bool too_many = found->second.all >= limits_.of_address_max ||
                          found->second.strangers.size() >= limits_.strangers_of_address_max;
    if (too_many && !ShowOneOut(found->second.strangers)) return Verdict::kTooManyOfAddress;
  }
  if (all_ >= limits_.all_max || strangers_ >= limits_.strangers_max) {
    OfAddress* const most = WithMostStrangers();
    if (most == nullptr || !ShowOneOut(most->strangers)) return Verdict::kFull;
  }
  return Verdict::kWelcome;
}

bool Guests::ShowOneOut(const std::list<Place*>& from) {
  const auto waiting =
      std::find_if(from.begin(), from.end(), [](const Place* place) { return !place->busy_; });
  if (waiting == from.end()) return false;
  Place& leaving = **waiting;
  leaving.Leave();  // counted as one who goes: its place is free, its end comes by itself
  leaving.show_out_();
  return true;
}

Guests::OfAddress* Guests::WithMostStrangers() {
  const auto most =
      std::max_element(of_address_.begin(), of_address_.end(), [](const auto& a, const auto& b) {
        return a.second.strangers.size() < b.second.strangers.size();
      });
  return most == of_address_.end() ? nullptr : &most->second;
}

}  // namespace tacit::wire::http
