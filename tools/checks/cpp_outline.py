"""What a C++ file of this tree declares and defines: enough of the language for the checks.

It reads what stands in namespaces and classes, and skips the bodies of functions. It knows the way
this tree is written (clang-format, no function-like macros in front of declarations) and no other.
"""

import dataclasses
import re

WORD = re.compile(r"[A-Za-z_]\w*$")
NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<raw>[^()\s]*)\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<!\w)'(?:\\.|[^'\\\n])+'", re.S)
TOKEN = re.compile(r"[A-Za-z_]\w*|\d(?:[\w.]|'\w)*|::|->|\[\[|\]\]|[^\s\w]")
MACRO_LINE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
TYPES = ("class", "struct", "union", "enum")
CLOSING = {"(": ")", "{": "}", "[": "]", "[[": "]]"}
# Words before a parenthesis that name no function.
NO_FUNCTION = {"alignas", "decltype", "noexcept", "requires", "sizeof", "static_assert", "explicit",
               "operator", "if", "while", "for", "switch", "return", "defined"}


@dataclasses.dataclass(frozen=True)
class Entry:
    """One declaration. `name` is as it is written, Class::Method outside of its class."""
    kind: str  # function, type, constant or constructor (a destructor too)
    name: str
    scope: tuple  # names of the classes around it
    line: int
    token: int  # the place of its last word among the file's words
    is_definition: bool
    is_friend: bool = False
    has_body_elsewhere: bool = True  # false for = default, = delete and = 0
    body: tuple = ()  # of a function that is defined here: where its words begin and end

    @property
    def last(self):
        return self.name.split("::")[-1]

    @property
    def full(self):
        return "::".join((*self.scope, self.name))


def without_noise(text):
    """The text without comments, strings and characters; lines stay where they are."""
    def blank(match):
        found = match.group(0)
        return ("" if found.startswith("/") else " 0 ") + "\n" * found.count("\n")
    return NOISE.sub(blank, text)


def tokens_of(text):
    """[(word, line)], macros included."""
    line, at, found = 1, 0, []
    for match in TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        found.append((match.group(0), line))
    return found


class _Outline:
    def __init__(self, tokens):
        self.tokens = tokens
        self.entries = []

    def word(self, i):
        return self.tokens[i][0]

    def skip(self, i):
        """The place behind the bracket that opens at i."""
        depth, opening = 0, self.word(i)
        closing = CLOSING[opening]
        while i < len(self.tokens):
            depth += self.word(i) == opening
            depth -= self.word(i) == closing
            i += 1
            if depth == 0:
                return i
        return i

    def skip_angles(self, i):
        """The place behind a template's <...> that opens at i."""
        depth = 0
        while i < len(self.tokens):
            word = self.word(i)
            if word in CLOSING:
                i = self.skip(i)
                continue
            depth += (word == "<") - (word == ">")
            i += 1
            if depth == 0:
                return i
        return i

    def read(self, i, scope, end):
        """What stands between i and the bracket that ends the scope."""
        while i < len(self.tokens) and self.word(i) != end:
            i = self.statement(i, scope)
        return i + 1

    def add(self, kind, name, scope, at, is_definition, **more):
        self.entries.append(Entry(kind, name, scope, self.tokens[at][1], at, is_definition, **more))

    def statement(self, i, scope):
        word = self.word(i)
        if word in ("public", "private", "protected") and self.word(i + 1) == ":":
            return i + 2
        is_friend = False
        while word in ("template", "friend", "inline", "static", "constexpr", "virtual", "extern",
                       "[[", "0", "typename", "explicit", "mutable", "requires", "thread_local"):
            is_friend = is_friend or word == "friend"
            if word == "template":
                i = self.skip_angles(i + 1)
            else:
                i = self.skip(i) if word == "[[" else i + 1
            if i >= len(self.tokens):
                return i
            word = self.word(i)
        if word == "namespace":
            while self.word(i) not in ("{", "=", ";"):
                i += 1
            return self.read(i + 1, scope, "}") if self.word(i) == "{" else self.to_semicolon(i)
        if word == "{":  # extern "C"
            return self.read(i + 1, scope, "}")
        if word in TYPES:
            return self.type(i, scope, is_friend)
        if word == "using":
            if self.word(i + 2) == "=":
                self.add("type", self.word(i + 1), scope, i + 1, True)
            return self.to_semicolon(i)
        if word in (";", "static_assert"):
            return self.to_semicolon(i)
        return self.function_or_value(i, scope, is_friend)

    def to_semicolon(self, i):
        while i < len(self.tokens) and self.word(i) != ";":
            i = self.skip(i) if self.word(i) in CLOSING else i + 1
        return i + 1

    def type(self, i, scope, is_friend):
        is_enum = self.word(i) == "enum"
        i += 1
        while self.word(i) in ("class", "struct") or self.word(i) == "[[":
            i = self.skip(i) if self.word(i) == "[[" else i + 1
        first = i
        while self.word(i + 1) == "::":  # struct Catalog::State {
            i += 2
        at, name = i, "".join(self.word(k) for k in range(first, i + 1))
        i += 1
        while self.word(i) not in ("{", ";"):
            if self.word(i) == "(" or (WORD.match(self.word(i)) and self.word(i) != "final" and
                                       self.word(i - 1) == self.word(at)):
                return self.to_semicolon(i)  # `struct X x;`
            i = self.skip_angles(i) if self.word(i) == "<" else i + 1
        self.add("type", name, scope, at, self.word(i) == "{", is_friend=is_friend)
        if self.word(i) == ";":
            return i + 1
        i = self.skip(i) if is_enum else self.read(i + 1, (*scope, name), "}")
        return self.to_semicolon(i)

    def function_or_value(self, i, scope, is_friend):
        head = i
        while i < len(self.tokens):
            word = self.word(i)
            if word == "<" and WORD.match(self.word(i - 1)):
                i = self.skip_angles(i)
            elif word == "operator":
                i += 1
                while self.word(i) != "(" or self.word(i + 1) == ")" and self.word(i + 2) == "(":
                    i += 1
                return self.function(i, None, scope, is_friend)
            elif word == "(":
                before = self.word(i - 1)
                if WORD.match(before) and before not in NO_FUNCTION:
                    return self.function(i, i - 1, scope, is_friend)
                i = self.skip(i)
            elif word in ("=", "{", ";"):
                if i > head and re.match(r"k[A-Z]", self.word(i - 1)):
                    self.add("constant", self.word(i - 1), scope, i - 1, True)
                return self.to_semicolon(i)
            elif word == "[" and i > head and re.match(r"k[A-Z]", self.word(i - 1)):
                self.add("constant", self.word(i - 1), scope, i - 1, True)
                return self.to_semicolon(i)
            else:
                i += 1
        return i

    def function(self, i, at, scope, is_friend):
        """`(` is at i, the name's last word at `at`, or nowhere for an operator."""
        i, lists_members, ends = self.skip(i), False, True
        while i < len(self.tokens):
            word = self.word(i)
            if word == "(" or word == "[[":
                i = self.skip(i)
            elif word == "<" and WORD.match(self.word(i - 1)):
                i = self.skip_angles(i)
            elif word == ":":
                lists_members, i = True, i + 1
            elif word == "{" and lists_members and WORD.match(self.word(i - 1)):
                i = self.skip(i)  # a member's own initialiser
            elif word == "{":
                end = self.skip(i)
                self.name_function(at, scope, is_friend, is_definition=True, body=(i, end))
                return end
            elif word == ";":
                self.name_function(at, scope, is_friend, is_definition=False,
                                   has_body_elsewhere=ends)
                return i + 1
            else:
                ends = ends and word != "="
                i += 1
        return i

    def name_function(self, at, scope, is_friend, **more):
        if at is None:
            return
        first = at
        while self.word(first - 1) == "::" and WORD.match(self.word(first - 2)):
            first -= 2
        name = "".join(self.word(k) for k in range(first, at + 1))
        outer = name.split("::")[-2] if "::" in name else (scope[-1] if scope else "")
        is_own = self.word(first - 1) == "~" or name.split("::")[-1] == outer.split("::")[-1]
        self.add("constructor" if is_own else "function", name, scope, at, is_friend=is_friend,
                 **more)


def outline(text):
    """(entries, words): what a file declares, and all its words, those of macros behind the others."""
    text = without_noise(text)
    macros = MACRO_LINE.findall(text)
    tokens = tokens_of(MACRO_LINE.sub(lambda m: "\n" * m.group(0).count("\n"), text))
    reader = _Outline(tokens)
    reader.read(0, (), None)
    words = [word for word, _ in tokens]
    return reader.entries, words + TOKEN.findall("\n".join(macros))
