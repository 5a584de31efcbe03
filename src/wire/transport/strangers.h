#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>

namespace tacit::wire {

// Connections that have not yet said who they are. Nobody who comes is turned away for want of
// room: whoever has been here longest among those of the address that has the most is shown out
// instead. So a flood from a few addresses displaces itself, and somebody who knows a password has
// said it long before their turn to go comes. For one thread.
class Strangers {
 public:
  struct Limits {
    size_t all_max = 100;
    size_t of_address_max = 40;
  };
  explicit Strangers(const Limits& limits) : limits_(limits) {}
  Strangers(const Strangers&) = delete;
  Strangers& operator=(const Strangers&) = delete;

  // Being among them; ends when it is let go of. Does not outlive the Strangers.
  class Stay {
   public:
    Stay() = default;
    Stay(Stay&& other) noexcept : strangers_(other.strangers_), entry_(std::move(other.entry_)) {}
    Stay& operator=(Stay&&) = delete;
    ~Stay() { End(); }
    void End() noexcept;
    // It was a proxy's connection, and this is whom it passes on: counted there from now on.
    void ComesFrom(const std::string& address);

   private:
    friend class Strangers;
    Strangers* strangers_ = nullptr;
    std::shared_ptr<struct Stranger> entry_;
  };

  // `show_out` closes the connection; it is called at most once, and not after the stay has ended.
  Stay Enter(const std::string& address, std::function<void()> show_out);

  size_t size() const { return here_.size(); }

 private:
  using All = std::list<std::shared_ptr<Stranger>>;

  size_t CountOf(const std::string& address) const;
  // The oldest of the address that has the most.
  All::iterator NextToGo();
  All::iterator OldestOf(const std::string& address);
  void ShowOut(All::iterator leaving);
  void Move(Stranger& entry, const std::string& address);
  void Leave(const Stranger& entry) noexcept;

  const Limits limits_;
  All here_;  // oldest first; so few that they are counted when that matters
};

}  // namespace tacit::wire
