// A test program in one header: TEST bodies in, one line per failed check out.
//
//   TEST(halves_add_up) {
//       CHECK(0.5 + 0.5 == 1.0);
//       CHECK_EQUAL(1 + 1, 2);
//       CHECK_THROWS(parse("?"), std::invalid_argument, "unknown sign");
//   }
//
// It defines main, so each test_*.cpp includes it once. Arguments of the program are
// the names of the tests to run; without any, all run.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace check {

struct Case {
  const char* name;
  void (*body)();
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

inline int& failures() {
  static int count = 0;
  return count;
}

struct Register {
  Register(const char* name, void (*body)()) { cases().push_back({name, body}); }
};

inline void fail(const char* file, int line, const std::string& what) {
  ++failures();
  std::cerr << file << ":" << line << ": " << what << "\n";
}

template <class T>
std::string show(const T& value) {
  std::ostringstream text;
  text.precision(17);
  if constexpr (std::is_enum_v<T>) {
    text << static_cast<std::int64_t>(value);
  } else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, signed char> ||
                       std::is_same_v<T, unsigned char>) {
    text << static_cast<int>(value);
  } else {
    text << value;
  }
  return text.str();
}

template <class T>
std::string show(const std::vector<T>& values) {
  std::string text = "{";
  for (const T& value : values) {
    text += (text.size() > 1 ? ", " : "") + show(value);
  }
  return text + "}";
}

template <class A, class B>
void equal(const A& found, const B& expected, const char* file, int line,
           const char* text) {
  bool same = false;
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
    // By value, whatever the widths and signs.
    same = (found < A{0}) == (expected < B{0}) &&
           static_cast<std::uint64_t>(found) == static_cast<std::uint64_t>(expected);
  } else {
    same = found == expected;
  }
  if (!same) {
    fail(file, line,
         std::string(text) + " is " + show(found) + ", not " + show(expected));
  }
}

inline void near(double found, double expected, double tolerance, const char* file,
                 int line, const char* text) {
  // Written so that NaN fails.
  if (!(std::fabs(found - expected) <= tolerance)) {
    fail(file, line,
         std::string(text) + " is " + show(found) + ", not " + show(expected) +
             " within " + show(tolerance));
  }
}

template <class T>
void same_bits(const T& found, const T& expected, const char* file, int line,
               const char* text) {
  static_assert(std::is_arithmetic_v<T>);
  if (std::memcmp(&found, &expected, sizeof(T)) != 0) {
    fail(file, line,
         std::string(text) + " is " + show(found) + ", not the bits of " +
             show(expected));
  }
}

template <class Error, class Call>
void throws(Call&& call, const std::string& part, const char* file, int line,
            const char* text) {
  try {
    std::forward<Call>(call)();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find(part) == std::string::npos) {
      fail(file, line,
           std::string(text) + " says '" + message + "' without '" + part + "'");
    }
    return;
  } catch (const std::exception& error) {
    fail(file, line, std::string(text) + " throws another error: " + error.what());
    return;
  }
  fail(file, line, std::string(text) + " throws nothing");
}

inline void run(const Case& test) {
  const int before = failures();
  try {
    test.body();
  } catch (const std::exception& error) {
    fail(test.name, 0, std::string("stopped by: ") + error.what());
  }
  std::cout << (failures() == before ? "passed " : "FAILED ") << test.name << "\n";
}

inline int run_all(const std::vector<std::string>& names) {
  std::size_t n_run = 0;
  for (const Case& test : cases()) {
    bool wanted = names.empty();
    for (const std::string& name : names) {
      wanted = wanted || name == test.name;
    }
    if (wanted) {
      run(test);
      ++n_run;
    }
  }
  std::cout << n_run << " tests, " << failures() << " failed checks\n";
  // A program that ran nothing has shown nothing.
  return n_run > 0 && failures() == 0 ? 0 : 1;
}

}  // namespace check

#define TEST(name)                                           \
  static void name();                                        \
  static const check::Register register_##name(#name, name); \
  static void name()

#define CHECK(condition) \
  ((condition) ? void() : check::fail(__FILE__, __LINE__, #condition " is false"))

#define CHECK_EQUAL(found, expected) \
  check::equal((found), (expected), __FILE__, __LINE__, #found)

#define CHECK_NEAR(found, expected, tolerance) \
  check::near((found), (expected), (tolerance), __FILE__, __LINE__, #found)

#define CHECK_SAME_BITS(found, expected) \
  check::same_bits((found), (expected), __FILE__, __LINE__, #found)

// `part` must occur in the message of the error.
#define CHECK_THROWS(expression, error, part)                                    \
  check::throws<error>([&] { static_cast<void>(expression); }, (part), __FILE__, \
                       __LINE__, #expression)

int main(int argc, char** argv) {
  return check::run_all(std::vector<std::string>(argv + 1, argv + argc));
}
