// Takes the compiler some seconds: many instances of nested templates.
#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <string>
#include <variant>
#include <vector>

template <int N> struct Deep {
  std::map<std::array<int, N % 40 + 1>, std::vector<std::variant<int, std::string, std::array<char, N % 9 + 1>>>> table;
  Deep<N - 1> next;
  int sum() {
    int total = 0;
    for (auto &[key, values] : table) {
      std::sort(values.begin(), values.end());
      total += key[0] + static_cast<int>(values.size());
    }
    return total + next.sum();
  }
};

template <> struct Deep<0> {
  int sum() { return 0; }
};

int main() { return Deep<80>().sum() + std::regex_match("x", std::regex("(a|b)*x")); }
