#include "policy/yaml/tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <set>
#include <sstream>

#include "policy/load.h"

namespace tacit::policy::yaml {
namespace {

Place PlaceOf(const YAML::Mark& mark) { return Place{mark.line + 1, mark.column + 1}; }

// Leaves the parser from within its callbacks; caught in ParseTree and nowhere else.
struct Stopped {
  Error error;
};

class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view file) : file_(file) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) {
      Stop(PlaceOf(mark), "a second document begins here", "keep one policy in one file");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    RefuseDecoration(mark, "", anchor);
    Add(Node{.kind = Node::Kind::kNull, .place = PlaceOf(mark)});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { RefuseDecoration(mark, "", 1); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    RefuseDecoration(mark, tag, anchor);
    const bool quoted = tag == "!";
    if (!quoted && (value == "~" || value == "null")) {
      Add(Node{.kind = Node::Kind::kNull, .place = PlaceOf(mark), .text = value});
      return;
    }
    Add(Node{.kind = Node::Kind::kScalar, .place = PlaceOf(mark), .text = value, .quoted = quoted});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    RefuseDecoration(mark, tag, anchor);
    Open(Node{.kind = Node::Kind::kSequence, .place = PlaceOf(mark)});
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    RefuseDecoration(mark, tag, anchor);
    Open(Node{.kind = Node::Kind::kMapping, .place = PlaceOf(mark)});
  }
  void OnMapEnd() override { Close(); }

  Node TakeRoot() { return std::move(root_); }

 private:
  struct OpenNode {
    Node node;
    std::set<std::string> seen{};  // keys of a mapping
    bool awaits_value = false;
  };

  [[noreturn]] void Stop(const Place& place, std::string_view message, std::string hint) {
    throw Stopped{ErrorAt(file_, place, message, std::move(hint))};
  }

  void RefuseDecoration(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != 0) {
      Stop(PlaceOf(mark), "anchors and aliases (& and *) have no place in a policy",
           "write the value out where it is used");
    }
    if (!tag.empty() && tag != "?" && tag != "!") {
      Stop(PlaceOf(mark), "tags (!) have no place in a policy", "leave the tag out");
    }
  }

  void Open(Node node) {
    if (stack_.size() >= static_cast<size_t>(kPolicyDepthMax)) {
      Stop(node.place, "this is nested deeper than any policy", "see docs/policy_reference.md");
    }
    if (!stack_.empty() && stack_.back().node.kind == Node::Kind::kMapping &&
        !stack_.back().awaits_value) {
      Stop(node.place, "a word is expected here, not a list or a mapping", "write `word: value`");
    }
    stack_.push_back(OpenNode{.node = std::move(node)});
  }

  void Close() {
    Node node = std::move(stack_.back().node);
    stack_.pop_back();
    Add(std::move(node));
  }

  void Add(Node node) {
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    OpenNode& parent = stack_.back();
    if (parent.node.kind == Node::Kind::kSequence) {
      parent.node.items.push_back(std::move(node));
    } else if (parent.awaits_value) {
      parent.node.entries.back().second = std::move(node);
      parent.awaits_value = false;
    } else {
      AddKey(parent, std::move(node));
    }
  }

  void AddKey(OpenNode& mapping, Node key) {
    // `null:` and `~:` are words like any other where a word is expected.
    if (key.kind == Node::Kind::kNull) key.kind = Node::Kind::kScalar;
    if (key.text.empty()) Stop(key.place, "a word is missing here", "write `word: value`");
    if (!mapping.seen.insert(key.text).second) {
      Stop(key.place, "'" + key.text.substr(0, 60) + "' is here twice", "keep one of the two");
    }
    mapping.node.entries.emplace_back(std::move(key), Node{});
    mapping.awaits_value = true;
  }

  std::string file_;
  std::vector<OpenNode> stack_;
  Node root_;
  int documents_ = 0;
};

// yaml-cpp replaces what it cannot decode; a policy with such bytes is refused instead.
Result<Done> CheckBytes(std::string_view text, std::string_view file) {
  Place place{1, 1};
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f || byte >= 0xf8) {
      return ErrorAt(file, place, "this byte is not text", "save the policy as plain UTF-8");
    }
    place = c == '\n' ? Place{place.line + 1, 1} : Place{place.line, place.column + 1};
  }
  return Done{};
}

}  // namespace

Error ErrorAt(std::string_view file, const Place& place, std::string_view message,
              std::string hint) {
  std::string text(file);
  text += ':';
  text += std::to_string(place.line);
  text += ':';
  text += std::to_string(place.column);
  text += ": ";
  text += message;
  return InvalidArgument(std::move(text), std::move(hint));
}

Result<Node> ParseTree(std::string_view text, std::string_view file) {
  TACIT_CHECK(CheckBytes(text, file));
  TreeBuilder builder(file);
  try {
    std::istringstream stream{std::string(text)};
    stream.exceptions(std::ios::badbit);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stopped& stopped) {
    return stopped.error;
  } catch (const YAML::Exception& failure) {
    return ErrorAt(file, PlaceOf(failure.mark), "this is not YAML: " + failure.msg,
                   "look for a missing colon, bracket, quote or space");
  }
  return builder.TakeRoot();
}

}  // namespace tacit::policy::yaml
