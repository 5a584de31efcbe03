// A program with nothing of what the shipped one must have. Each check has to miss it here.
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  char copy[64];
  std::strcpy(copy, argv[argc - 1]);
  return std::puts(copy) < 0;
}
