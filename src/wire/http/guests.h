#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <string>

namespace tacit::wire::http {

// Who is connected: how many in all, of one address, and without having shown a password. A
// stranger for whom there is no room shows the oldest one out who is waited for, first of the same
// address: a flood displaces itself, and who knows a password has said it before their turn to go.
// Who is known and comes too often shows the own oldest out, likewise.
// For one thread.
class Guests {
 public:
  struct Limits {
    // Why 1024: a connection holds some 60 KiB, and a descriptor of the 4096 that are common.
    size_t all_max = 1024;
    // Why half: those who have shown a password find room whatever strangers do.
    size_t strangers_max = 512;
    // Why 256: a pool of an office's programs behind one address, twice over.
    size_t of_address_max = 256;
    // Why 100: a browser opens six; so many people behind one address come at once.
    size_t strangers_of_address_max = 100;
    // Of one who has shown a password, from wherever. Why 300: a third of all; who has more does
    // not use them.
    size_t of_known_max = 300;
  };
  enum class Verdict { kWelcome, kFull, kTooManyOfAddress };

  explicit Guests(const Limits& limits) : limits_(limits) {}

  // A connection's place, for as long as it lives. Not longer than the guests. `show_out` closes
  // the connection; it is called at most once, while it waits for a request.
  class Place {
   public:
    Place(Guests& guests, std::string address, std::function<void()> show_out);
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place();
    // The client has shown the password of this account.
    void BecomeKnown(const std::string& account);
    // Its request is being answered, or no longer.
    void SetBusy(bool busy) { busy_ = busy; }

   private:
    friend class Guests;
    Guests& guests_;
    const std::string address_;
    const std::function<void()> show_out_;
    // No longer counted among those who could be shown out.
    void Leave() noexcept;
    bool busy_ = false;
    bool stranger_ = true;
    std::string account_;  // where it is known, and counted as such
  };

  // Whether there is room for one more from this address; makes some. `shared`: many come from
  // there, as from a proxy, and only all together are counted.
  Verdict Judge(const std::string& address, bool shared);

  size_t all() const { return all_; }

 private:
  struct OfAddress {
    size_t all = 0;
    std::list<Place*> strangers;  // oldest first
  };

  // The oldest of these; false when all of them are being answered.
  static bool ShowOneOut(const std::list<Place*>& from);
  OfAddress* WithMostStrangers();

  const Limits limits_;
  size_t all_ = 0;
  size_t strangers_ = 0;
  std::map<std::string, OfAddress> of_address_;
  std::map<std::string, std::list<Place*>> known_;  // by account; oldest first
};

}  // namespace tacit::wire::http
