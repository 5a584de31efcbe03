#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tacit {

// Runs a program shut in: a process of its own, without network, other processes, or any file but
// the system's programs and libraries and those that are named, all read-only, and an empty /tmp
// that ends with it. It has nothing of who starts it: no environment, no open file, no rights. One
// at a time, so that it cannot slow another one down. Linux namespaces do it; where they cannot be
// had, nothing is run.
class Sandbox {
 public:
  struct Limits {
    std::chrono::milliseconds time{1000};
    size_t output_bytes_max = 65'536;
    size_t memory_bytes_max = size_t{2} << 30;
  };

  // `command` is a program, by its path or as PATH has it, and its arguments; `visible` are further
  // files and folders that it may read. kInvalidArgument where there is no such program or file.
  static Result<Sandbox> Of(const std::vector<std::string>& command,
                            const std::vector<std::string>& visible, const Limits& limits);

  // Whether the program can be started here: kUnavailable, with why not. Starts nothing of it.
  Result<Done> Check() const;

  // What it printed, given that on its standard input; nothing where it failed, printed too much,
  // or was not done in time. Comes back when it has ended, and so has all that it started.
  std::optional<std::string> Run(std::string_view input) const;

  // Its program and the files among its arguments, as they are read.
  const std::vector<std::string>& files() const { return files_; }

 private:
  struct Mount {
    std::string from;
    std::string to;         // below the new root
    std::string link = {};  // a link to that, instead
    bool is_file = false;
    bool is_device = false;
  };

  Sandbox() = default;
  // In the process that is shut in: never comes back.
  [[noreturn]] void Enter(int input, int output, bool only_check) const;
  bool ShutIn() const;
  int Start(int input, int output, bool only_check) const;

  Limits limits_;
  std::vector<std::string> files_;
  std::vector<Mount> mounts_;
  std::vector<std::string> command_;
  std::vector<std::string> folders_;  // made in the new root, parents first
  std::string user_map_;
  std::string group_map_;
  bool is_root_ = false;
};

}  // namespace tacit
