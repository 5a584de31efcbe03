#pragma once

#include <utility>

namespace tacit {

class Entropy;

template <class T>
class Sensitive;
template <class T>
class Released;

namespace noise {
template <class Mechanism, class T>
auto Release(const Mechanism& mechanism, const Sensitive<T>& exact, Entropy& entropy);
template <class Mechanism, class T>
auto Release(const Mechanism& mechanism, Sensitive<T>&& exact, Entropy& entropy);
}  // namespace noise

// An exact value computed from people's rows. It can be made, moved and handed to noise::Release,
// and nothing else: there is no way to read, print, compare or store it. test/must_not_compile
// keeps it so.
template <class T>
class Sensitive {
 public:
  explicit Sensitive(T value) : value_(std::move(value)) {}
  Sensitive(const Sensitive&) = default;
  Sensitive(Sensitive&&) noexcept = default;
  Sensitive& operator=(const Sensitive&) = default;
  Sensitive& operator=(Sensitive&&) noexcept = default;

  // Written out so that the type is not trivially copyable: std::bit_cast must not see through it.
  ~Sensitive() {}  // NOLINT(modernize-use-equals-default)

  bool operator==(const Sensitive&) const = delete;

 private:
  template <class Mechanism, class U>
  friend auto noise::Release(const Mechanism& mechanism, const Sensitive<U>& exact,
                             Entropy& entropy);
  template <class Mechanism, class U>
  friend auto noise::Release(const Mechanism& mechanism, Sensitive<U>&& exact, Entropy& entropy);

  T value_;
};

// A value that a mechanism has paid for with noise: public from here on. Only noise::Release makes
// one.
template <class T>
class Released {
 public:
  const T& value() const& { return value_; }
  T value() && { return std::move(value_); }

 private:
  template <class Mechanism, class U>
  friend auto noise::Release(const Mechanism& mechanism, const Sensitive<U>& exact,
                             Entropy& entropy);
  template <class Mechanism, class U>
  friend auto noise::Release(const Mechanism& mechanism, Sensitive<U>&& exact, Entropy& entropy);

  explicit Released(T value) : value_(std::move(value)) {}

  T value_;
};

}  // namespace tacit
