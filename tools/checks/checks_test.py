#!/usr/bin/env python3
"""The checks must be able to fail: each is given a small tree with one thing wrong."""

import json
import pathlib
import tempfile
import unittest

import check_alone
import check_architecture
import check_declared
import check_layers
import check_links
import check_proofs
import check_words
import check_wrapped
from cpp_outline import outline

LAYERS = "base\nnoise sql\nengine\nattack without engine\n"


def tree(files):
    folder = tempfile.TemporaryDirectory()
    for name, text in {"tools/layers.txt": LAYERS, "src/base/x.h": "", **files}.items():
        path = pathlib.Path(folder.name) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


class Checks(unittest.TestCase):
    check = None

    def passes(self, files):
        with tree(files) as root:
            self.assertEqual([], self.check.check(root))

    def fails(self, files, place):
        with tree(files) as root:
            found = self.check.check(root)
            self.assertEqual(1, len(found), found)
            self.assertIn(place, found[0])


class Layers(Checks):
    check = check_layers

    def test_downward_and_own_includes_pass(self):
        self.passes({
            "src/noise/a.h": '#include <vector>\n#include "base/x.h"\n#include "noise/deep/b.h"\n',
            "src/noise/deep/b.h": "",
        })

    def test_upward_include_fails(self):
        self.fails({"src/base/a.cc": '\n#include "noise/b.h"\n', "src/noise/b.h": ""}, "src/base/a.cc:2")

    def test_sideways_include_fails(self):
        self.fails({"src/sql/a.h": '#include "noise/b.h"\n', "src/noise/b.h": ""}, "src/sql/a.h:1")

    def test_without_takes_a_folder_away(self):
        self.fails({"src/attack/a.h": '#include "engine/b.h"\n', "src/engine/b.h": ""}, "src/attack/a.h:1")

    def test_spaces_do_not_hide_an_include(self):
        self.fails({"src/base/a.cc": '  #  include "noise/b.h"\n', "src/noise/b.h": ""}, "src/base/a.cc:1")

    def test_include_beside_the_file_fails(self):
        self.fails({"src/base/a.cc": '#include "x.h"\n'}, "folder/file.h")

    def test_way_around_through_dots_fails(self):
        self.fails({"src/base/a.cc": '#include "../noise/b.h"\n', "src/noise/b.h": ""}, "src/base/a.cc:1")

    def test_unknown_folder_fails(self):
        self.fails({"src/helpers/a.h": ""}, "src/helpers")

    def test_file_without_folder_fails(self):
        self.fails({"src/a.h": ""}, "src/a.h")

    def test_testing_folder_is_for_tests(self):
        tape = {"src/base/testing/tape.h": ""}
        line = '#include "base/testing/tape.h"\n'
        self.passes({**tape, "src/noise/a_test.cc": line})
        self.fails({**tape, "src/noise/a.cc": line}, "src/noise/a.cc:1")
        self.fails({**tape, "apps/tacit/main.cc": line}, "apps/tacit/main.cc:1")

    def test_a_room_may_be_shut_to_another_of_its_folder(self):
        rooms = {"tools/layers.txt": LAYERS + "sql/tree without sql/print\n",
                 "src/sql/tree/a.h": "", "src/sql/print/b.h": '#include "sql/tree/a.h"\n'}
        self.passes(rooms)
        line = '#include "sql/print/b.h"\n'
        self.passes({**rooms, "src/sql/tree/a_test.cc": line})
        self.fails({**rooms, "src/sql/tree/a.cc": line}, "src/sql/tree/a.cc:1")

    def test_a_room_that_is_not_there_is_an_error(self):
        with tree({"tools/layers.txt": LAYERS + "sql/tree without sql/print\n"}) as root:
            with self.assertRaises(ValueError):
                check_layers.check(root)

    def test_folder_named_twice_is_an_error(self):
        with self.assertRaises(ValueError):
            check_layers.read_layers("base\nbase\n")

    def test_without_must_name_a_folder_above(self):
        with self.assertRaises(ValueError):
            check_layers.read_layers("base\nnoise without engine\nengine\n")


class Words(Checks):
    check = check_words

    def test_plain_code_passes(self):
        self.passes({"src/noise/a.cc": "// no double here\nint operand(int x);\n"})

    def test_generator_fails_outside_tests(self):
        for word in ("std::mt19937 g;", "int x = rand();", "std::random_device d;", "srand(1);"):
            self.fails({"src/sql/a.cc": word + "\n"}, "src/sql/a.cc:1")
            self.passes({"src/sql/a_test.cc": word + "\n"})

    def test_floating_point_in_a_sampler_fails(self):
        self.fails({"src/noise/laplace/a.h": "\ndouble scale;\n"}, "src/noise/laplace/a.h:2")
        self.passes({"src/noise/laplace/error_estimate.h": "double scale;\n"})
        self.passes({"src/accounting/a.h": "double epsilon_up;\n"})

    def test_long_file_fails(self):
        self.passes({"src/sql/a.cc": "\n" * 500})
        self.fails({"src/sql/a.cc": "\n" * 501}, "src/sql/a.cc")

    def test_unfinished_place_fails(self):
        self.fails({"src/sql/a.cc": "// " + "TO" + "DO: later\n"}, "src/sql/a.cc:1")

    def test_claim_nobody_can_keep_fails(self):
        self.fails({"docs/a.md": "the data is anony" + "mous\n"}, "docs/a.md:1")
        self.passes({"docs/a.md": "a k-anony" + "mous table\n"})


class Links(Checks):
    check = check_links

    def test_link_to_a_file_passes(self):
        self.passes({"README.md": "[a](docs/a.md#top) [web](https://example.org) [here](#x)\n",
                     "docs/a.md": "[up](../README.md)\n"})

    def test_link_to_nothing_fails(self):
        self.fails({"docs/a.md": "\n[gone](gone.md)\n"}, "docs/a.md:2")

    def test_a_file_that_is_named_where_it_is_passes(self):
        self.passes({"src/sql/print/a.cc": "int x;  // see print/b.h, ../print/b.h and folder/any.md\n",
                     "src/sql/print/b.h": "// https://example.org/gone/away.md\nconst char* kText = \"x/y.h\";\n",
                     "docs/a.md": "src/sql/print/b.h says so\n"})

    def test_a_file_that_is_named_where_it_is_not_fails(self):
        self.fails({"src/sql/a.cc": "\n// see print/c.h\n", "src/sql/c.h": ""}, "src/sql/a.cc:2")
        self.fails({"docs/a.md": "in src/sql/c.h\n"}, "docs/a.md:1")


class Outline(unittest.TestCase):
    def names(self, text, kind="function"):
        return [(e.full, e.is_definition) for e in outline(text)[0] if e.kind == kind]

    def test_finds_functions_in_namespaces_and_classes(self):
        self.assertEqual([("Free", False), ("Box::Open", True), ("Box::Close", False)], self.names(
            "namespace a::b {\nint Free(const std::vector<int>& v = {});\n"
            "class Box final : public Base<int> {\n public:\n  Box() : n_{1}, m_(2) {}\n"
            "  template <class T> T Open(T t) const { return t(); }\n"
            "  virtual void Close() = 0;\n  std::function<int(int)> f;\n  int n_ = 0;\n};\n}\n"))

    def test_finds_definitions_outside_of_their_class(self):
        self.assertEqual([("Box::Open", True), ("Last", True)], self.names(
            "Result<Box::Key> Box::Open(int n) && {\n  if (n < 2 && n > 0) { Call(); }\n}\n"
            "Box::Box(int n) : n_(n) {}\nBox::~Box() {}\n"
            "bool operator==(Box a, Box b) { return true; }\nauto Last() -> int { return 0; }\n"))

    def test_finds_types_and_constants_and_no_strings(self):
        text = ('constexpr char kText[] = R"(struct No { int x(); )";\n'
                "constexpr int kMany = 1'000'000; // struct Never;\n"
                "enum class Kind { kOne };\nusing Short = std::vector<int>;\nstruct S;\n")
        self.assertEqual([("kText", True), ("kMany", True)], self.names(text, "constant"))
        self.assertEqual([("Kind", True), ("Short", True), ("S", False)], self.names(text, "type"))


class Declared(Checks):
    check = check_declared

    def test_what_is_defined_and_used_passes(self):
        self.passes({"src/sql/a.h": "struct A { int n; };\nA Make(int n);\nvoid Twice();\n",
                     "src/sql/a.cc": "A Make(int n) { return {n}; }\nvoid Twice() { Make(2); }\n",
                     "test/a.cc": "int main() { Twice(); }\n"})

    def test_a_function_without_a_definition_fails(self):
        self.fails({"src/sql/a.h": "\nint Gone(int n);\n", "src/sql/a.cc": "int x = Gone(1);\n"},
                   "src/sql/a.h:2")

    def test_a_function_that_nothing_calls_fails(self):
        self.fails({"src/sql/a.h": "int Alone(int n);\n",
                    "src/sql/a.cc": "// Alone is great\nint Alone(int n) { return n; }\n"}, "Alone")

    def test_a_method_a_type_and_a_constant_that_nothing_uses_fail(self):
        self.fails({"src/sql/a.h": "class A {\n public:\n  int Alone() const { return 1; }\n};\nA a;\n"},
                   "A::Alone")
        self.fails({"src/sql/a.h": "class A {\n public:\n  A();\n  ~A();\n};\n",
                    "src/sql/a.cc": "A::A() {}\n"}, "nothing uses A")
        self.fails({"apps/a.h": "inline constexpr int kAlone = 1;\n"}, "apps/a.h:1")

    def test_an_interface_has_no_body_and_must_be_called(self):
        files = {"src/sql/a.h": "class A {\n public:\n  virtual int Ask() = 0;\n};\n"}
        self.passes({**files, "src/sql/a.cc": "int Call(A& a) { return a.Ask(); }\n"})
        self.fails({**files, "src/sql/a.cc": "int Call(A& a) { return 0; }\n"}, "A::Ask")

    def test_a_macro_uses_what_it_names(self):
        self.passes({"src/base/a.h": "void Stop();\n#define CHECK(x) \\\n  if (!(x)) Stop()\n",
                     "src/base/a.cc": "void Stop() {}\n"})


class Proofs(Checks):
    check = check_proofs
    page = {"src/noise/a.md": "# The claim, of all\n\n**Code.** `Draw` and\n`Box::Add`.\n"}
    code = ("// Why.\n// proof: noise/a.md#the-claim-of-all\ntemplate <class T>\nint Draw(T t) {}\n"
            "// proof: noise/a.md#the-claim-of-all\nvoid Box::Add() {}\n")

    def test_code_and_proof_that_name_each_other_pass(self):
        self.passes({**self.page, "src/noise/a.cc": self.code})

    def test_a_page_that_is_not_there_fails(self):
        self.fails({**self.page, "src/noise/a.cc": self.code,
                    "src/noise/b.cc": "\n// proof: noise/b.md#x\nint F() {}\n"}, "src/noise/b.cc:2")

    def test_a_section_that_is_not_there_fails(self):
        self.fails({**self.page, "src/noise/a.cc": self.code,
                    "src/noise/b.cc": "// proof: noise/a.md#lemma\nint Draw() {}\n"}, "lemma")

    def test_code_that_the_page_does_not_name_fails(self):
        self.fails({**self.page, "src/noise/a.cc": self.code,
                    "src/noise/b.cc": "// proof: noise/a.md#the-claim-of-all\nint F() {}\n"}, "F")

    def test_a_link_above_nothing_fails(self):
        self.fails({**self.page, "src/noise/a.cc": self.code,
                    "src/noise/b.cc": "// proof: noise/a.md#the-claim-of-all\n"}, "no function")

    def test_a_name_without_code_fails(self):
        self.fails({"src/noise/a.md": self.page["src/noise/a.md"] + "\n**Code.** `Gone`.\n",
                    "src/noise/a.cc": self.code}, "Gone")

    def test_a_page_that_names_no_code_fails(self):
        self.fails({**self.page, "src/noise/a.cc": self.code, "src/noise/b.md": "# B\n"}, "b.md")


class Architecture(Checks):
    check = check_architecture
    folders = "| folder of `src/` | turns |\n| --- | --- |\n| `base` | |\n| `sql` | text |\n\n"
    beside = "| beside `src/` | what |\n| --- | --- |\n| `apps`, `docs`, `tools` | |\n\n"
    rooms = "| folder | rooms |\n| --- | --- |\n| `sql` | `parse` (as `x`), `print` |\n\n"
    walk = ("| step | function | in | called in step |\n| --- | --- | --- | --- |\n"
            "| 1 | `Ask` | [a.cc](../src/sql/a.cc) | - |\n"
            "| 2 | `Box::Open` | [b.cc](../src/sql/print/b.cc) | 1 |\n"
            "| 3 | `Last` | [b.cc](../src/sql/print/b.cc) | 1 |\n")
    code = {"src/sql/a.cc": "int Ask(Box& b) {\n  b.Open(1);\n  return Last();\n}\n",
            "src/sql/print/b.cc": "void Box::Open(int) {}\nint Last() { return 1; }\n",
            "src/sql/parse/c.cc": "", "src/sql/testing/t.h": ""}

    def page(self, **changed):
        parts = {"folders": self.folders, "beside": self.beside, "rooms": self.rooms, "walk": self.walk, **changed}
        return {**self.code, "docs/architecture.md": "".join(parts.values()), "apps/a.cc": ""}

    def test_a_page_that_says_what_is_so_passes(self):
        self.passes(self.page())

    def test_a_folder_that_is_not_named_fails(self):
        self.fails({**self.page(), "src/noise/n.cc": ""}, "src/noise")

    def test_a_folder_that_is_not_there_fails(self):
        self.fails(self.page(folders=self.folders.replace("`sql`", "`sql`, `learn`")), "src/learn")

    def test_what_is_beside_src_is_named_too(self):
        self.fails({**self.page(), "clients/c.py": ""}, "clients is not in the table")
        self.fails({**self.page(beside=self.beside.replace("`apps`", "`apps`, `test`")), "test/e2e/t.py": ""}, "test/e2e is not in the table")
        self.fails(self.page(beside=self.beside.replace("`apps`", "`apps`, `bench`")), "there is no bench")

    def test_a_room_that_is_not_named_fails(self):
        self.fails({**self.page(), "src/sql/read/r.cc": ""}, "sql/read is not named")
        self.fails({**self.page(), "docs/decisions/x.txt": ""}, "rooms of docs")
        beside = self.beside.replace("`apps`", "`apps`, `test`, `test/e2e`")
        self.fails({**self.page(beside=beside), "test/e2e/hostile/t.py": ""}, "rooms of test/e2e")

    def test_a_folder_that_is_named_twice_fails(self):
        self.fails(self.page(folders=self.folders.replace("`sql`", "`sql`, `sql`")), "sql is named twice")
        self.fails(self.page(beside=self.beside.replace("`apps`", "`apps`, `apps`")), "apps is named twice")

    def test_a_room_that_is_not_there_fails(self):
        self.fails(self.page(rooms=self.rooms.replace("`print`", "`print`, `cook`")), "sql/cook")

    def test_a_folder_without_its_line_of_rooms_fails(self):
        self.fails({**self.page(), "src/base/deep/x.h": ""}, "rooms of base")

    def test_a_step_in_another_file_fails(self):
        self.fails(self.page(walk=self.walk.replace("src/sql/print/b.cc) | 1 |\n| 3", "src/sql/a.cc) | 1 |\n| 3")),
                   "Box::Open is not defined there")

    def test_a_step_that_is_not_called_fails(self):
        files = self.page()
        files["src/sql/a.cc"] = "int Ask(Box& b) {\n  // b.Open\n  return Last();\n}\n"
        self.fails(files, "does not call Box::Open")

    def test_a_decision_that_is_not_linked_fails(self):
        page = {"docs/decisions/why.md": "# Why\n"}
        rooms = self.rooms.rstrip("\n") + "\n| `docs` | `decisions` |\n\n"
        self.fails({**self.page(rooms=rooms), **page}, "why.md")
        self.passes({**self.page(rooms=rooms, end="\n[why](decisions/why.md)\n"), **page})

    def test_steps_in_another_order_fail(self):
        files = self.page()
        files["src/sql/a.cc"] = "int Ask(Box& b) {\n  Last();\n  b.Open(1);\n}\n"
        self.fails(files, "earlier")


class Streams(Checks):
    check = check_words

    def test_a_stream_that_ends_silently_fails(self):
        self.fails({"src/sql/a.cc": "std::ostringstream out;\n"}, "src/sql/a.cc:1")
        self.fails({"src/sql/a.cc": "while (std::getline(in, line)) {}\n"}, "src/sql/a.cc:1")

    def test_a_stream_that_throws_or_is_looked_at_passes(self):
        self.passes({"src/sql/a.cc": "std::ostringstream out;\nout.exceptions(std::ios::badbit);\n"})
        self.passes({"src/sql/a.cc": "while (std::getline(in, line)) {}\nif (in.bad()) return;\n"})
        self.passes({"src/sql/a_test.cc": "std::ostringstream out;\n"})


class Wrapped(Checks):
    check = check_wrapped
    LONG = "word " * 30

    def test_a_long_line_of_prose_fails(self):
        self.fails({"docs/a.md": f"# A\n\n{self.LONG}end\n"}, "docs/a.md:3")
        self.fails({"docs/a.md": f"1. one\n2. {self.LONG}end\n"}, "docs/a.md:2")

    def test_tables_headings_and_code_pass(self):
        self.passes({"docs/a.md": f"# {self.LONG}\n\n| {self.LONG} |\n\n```\n{self.LONG}\n```\n\n    {self.LONG}x\n"})

    def test_what_is_wrapped_passes_and_says_the_same(self):
        text = f"- {self.LONG}`a b c` - {self.LONG}\n  {self.LONG}end\n- next\n"
        better = check_wrapped.mended(text)
        self.passes({"docs/a.md": better})
        self.assertEqual(text.split(), better.split())
        self.assertEqual(2, sum(line.startswith("- ") for line in better.split("\n")))
        self.assertNotIn("\n  - ", better)
        self.assertIn("`a b c`", better)


class Alone(unittest.TestCase):
    def found(self, second):
        unit = '#include "{0}/a.cc"\n#include "{0}/b.cc"\n'
        with tree({"a.cc": "#include <string>\nstd::string a;\n", "b.cc": second}) as root:
            file = pathlib.Path(root) / "Unity" / "unity_0_cxx.cxx"
            file.parent.mkdir()
            file.write_text(unit.format(root), encoding="utf-8")
            line = {"directory": root, "file": str(file), "command": f"ccache c++ -o x.o -c {file}"}
            (pathlib.Path(root) / "compile_commands.json").write_text(json.dumps([line]), encoding="utf-8")
            return check_alone.check(root)

    def test_a_source_with_its_own_includes_passes(self):
        self.assertEqual([], self.found("#include <string>\nstd::string b;\n"))

    def test_a_source_that_leans_on_its_neighbour_fails(self):
        found = self.found("std::string b;\n")
        self.assertEqual(1, len(found), found)
        self.assertIn("b.cc does not compile by itself", found[0])


del Checks  # a frame for the classes above, with no test of its own

if __name__ == "__main__":
    unittest.main()
