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
  BecomeKnown();
  --guests_.all_;
  const auto found = guests_.of_address_.find(address_);
  if (--found->second.all == 0) guests_.of_address_.erase(found);
}

void Guests::Place::BecomeKnown() {
  if (!std::exchange(stranger_, false)) return;
  --guests_.strangers_;
  guests_.of_address_.find(address_)->second.strangers.remove(this);
}

Guests::Verdict Guests::Judge(const std::string& address, bool shared) {
  const auto found = of_address_.find(address);
  if (!shared && found != of_address_.end()) {
    const bool too_many = found->second.all >= limits_.of_address_max ||
                          found->second.strangers.size() >= limits_.strangers_of_address_max;
    if (too_many && !ShowOneOut(found->second)) return Verdict::kTooManyOfAddress;
  }
  if (all_ >= limits_.all_max || strangers_ >= limits_.strangers_max) {
    OfAddress* const most = WithMostStrangers();
    if (most == nullptr || !ShowOneOut(*most)) return Verdict::kFull;
  }
  return Verdict::kWelcome;
}

bool Guests::ShowOneOut(OfAddress& from) {
  const auto waiting = std::find_if(from.strangers.begin(), from.strangers.end(),
                                    [](const Place* place) { return !place->busy_; });
  if (waiting == from.strangers.end()) return false;
  Place& leaving = **waiting;
  leaving.BecomeKnown();  // counted as one who goes: its place is free, its end comes by itself
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
