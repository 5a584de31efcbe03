#!/usr/bin/env python3
"""The checks must be able to fail: each is given a small tree with one thing wrong."""

import pathlib
import tempfile
import unittest

import check_layers
import check_links
import check_words

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


del Checks  # a frame for the classes above, with no test of its own

if __name__ == "__main__":
    unittest.main()
