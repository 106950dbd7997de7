// Absolute error: how far numbers lie from the median of their side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gain.hpp"

namespace tanoak {

// Besides sums, which rows they are of, by their place in the order of all numbers.
struct MedianSums : NumberSums {
  static constexpr bool holds_rows = true;
  const NumberTarget* target;
  std::vector<uint32_t> places;

  explicit MedianSums(const NumberTarget& of) : NumberSums(of), target(&of) {}

  void add(const NumberTarget& of, Record record) {
    NumberSums::add(of, record);
    places.push_back(of.place[of.row(record)]);
  }
  void add(const MedianSums& other) {
    NumberSums::add(other);
    places.insert(places.end(), other.places.begin(), other.places.end());
  }
  void subtract(MedianSums other) {
    NumberSums::subtract(other);
    std::sort(places.begin(), places.end());
    std::sort(other.places.begin(), other.places.end());
    std::vector<uint32_t> rest;
    std::set_difference(places.begin(), places.end(), other.places.begin(),
                        other.places.end(), std::back_inserter(rest));
    places = std::move(rest);
  }
  // The lowest number up to which half of the mass lies.
  double median() const {
    std::vector<uint32_t> order = places;
    std::sort(order.begin(), order.end());
    int64_t below = 0;
    for (const uint32_t place : order) {
      const uint32_t row = target->row_at[place];
      below += target->row_mass.empty() ? 1 : target->row_mass[row];
      if (2 * below >= mass) return target->numbers[row];
    }
    return 0;
  }
};

// What lies below a place, and the number there.
struct MedianPoint {
  int64_t mass_below = 0, moment_below = 0;
  int64_t mass = 0, moment = 0;  // of the row at the median
};

// Sum of mass * |number - median|, in units of the moments. Around the median the
// masses below and above differ by its own at most, which keeps the product small.
inline int128 absolute_error(const MedianPoint& at, int64_t mass, int64_t moment) {
  const int64_t above = mass - at.mass_below - at.mass;
  const int64_t moment_above = moment - at.moment_below - at.moment;
  const int64_t uneven = above - at.mass_below;
  const int128 shift = at.mass == 1 || uneven == 0
                           ? static_cast<int128>(at.moment) * uneven
                           : static_cast<int128>(at.moment) * uneven / at.mass;
  return static_cast<int128>(moment_above) - at.moment_below - shift;
}

// Masses and moments of both sides by place, in trees of partial sums (Fenwick 1994):
// to move a row and to find a median takes log2(n) steps.
class AbsoluteError : public CriterionDefaults {
 public:
  using Target = NumberTarget;
  using Sums = MedianSums;
  static constexpr size_t most_exhaustive = 5;  // 15 subsets, each a scan of all rows

  explicit AbsoluteError(const Target& target)
      : target_(target), sums_(target.place.size() + 1) {
    while (2 * top_ <= target.place.size()) top_ *= 2;
  }

  bool best_is_prefix() const { return false; }

  void start(const Sums& total) {
    clear();
    touched_ = total.places;
    left_ = {};
    right_ = {total.mass, total.moment};
    for (const uint32_t place : touched_) put(place, {0, 0}, weight_at(place));
    whole_ = error_of_right();
  }
  void move(Record record) { move_place(target_.place[target_.row(record)]); }
  void move(const Sums& group) {
    for (const uint32_t place : group.places) move_place(place);
  }
  int64_t left_mass() const { return left_.mass; }
  int64_t right_mass() const { return right_.mass; }
  double score() const {
    const int128 gained = whole_ - error_of_left() - error_of_right();
    return to_double(std::max<int128>(0, gained));
  }
  double decrease(const Sums& total, const Sums& left, const Sums& right) const {
    return to_double(error_of(total) - error_of(left) - error_of(right));
  }

 private:
  struct Weight {
    int64_t mass = 0, moment = 0;
  };
  struct Cell {
    Weight left, right;
  };

  Weight weight_at(uint32_t place) const {
    const uint32_t row = target_.row_at[place];
    return {target_.row_mass.empty() ? 1 : target_.row_mass[row],
            target_.row_moment[row]};
  }
  static void add(Weight& to, const Weight& what, int64_t sign = 1) {
    to.mass += sign * what.mass;
    to.moment += sign * what.moment;
  }

  void put(uint32_t place, const Weight& left, const Weight& right) {
    for (size_t i = place + 1; i < sums_.size(); i += i & (~i + 1)) {
      add(sums_[i].left, left);
      add(sums_[i].right, right);
    }
  }
  void move_place(uint32_t place) {
    const Weight weight = weight_at(place);
    put(place, weight, {-weight.mass, -weight.moment});
    add(left_, weight);
    add(right_, weight, -1);
  }
  // Small nodes clear what they touched, others all of it.
  void clear() {
    if (touched_.size() * 16 > sums_.size()) {
      std::fill(sums_.begin(), sums_.end(), Cell());
      return;
    }
    for (const uint32_t place : touched_)
      for (size_t i = place + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] = Cell();
  }

  // The lowest place up to which half of the mass lies.
  template <class Side>
  MedianPoint median_of(const Weight& total, const Side& side) const {
    MedianPoint at;
    size_t place = 0;
    for (size_t step = top_; step > 0; step /= 2) {
      if (place + step >= sums_.size()) continue;
      const Weight& block = side(sums_[place + step]);
      if (2 * (at.mass_below + block.mass) >= total.mass) continue;
      place += step;
      at.mass_below += block.mass;
      at.moment_below += block.moment;
    }
    const Weight median = weight_at(static_cast<uint32_t>(place));
    at.mass = median.mass;
    at.moment = median.moment;
    return at;
  }
  int128 error_of_left() const {
    if (left_.mass == 0) return 0;
    const auto at =
        median_of(left_, [](const Cell& c) -> const Weight& { return c.left; });
    return absolute_error(at, left_.mass, left_.moment);
  }
  int128 error_of_right() const {
    if (right_.mass == 0) return 0;
    const auto at =
        median_of(right_, [](const Cell& c) -> const Weight& { return c.right; });
    return absolute_error(at, right_.mass, right_.moment);
  }
  int128 error_of(const Sums& sums) const {
    std::vector<uint32_t> places = sums.places;
    std::sort(places.begin(), places.end());
    MedianPoint at;
    for (const uint32_t place : places) {
      const Weight weight = weight_at(place);
      at.mass = weight.mass;
      at.moment = weight.moment;
      if (2 * (at.mass_below + weight.mass) >= sums.mass) break;
      at.mass_below += weight.mass;
      at.moment_below += weight.moment;
    }
    return absolute_error(at, sums.mass, sums.moment);
  }

  const Target& target_;
  std::vector<Cell> sums_;  // by place, from 1
  size_t top_ = 1;          // the largest power of two among the places
  std::vector<uint32_t> touched_;
  Weight left_, right_;
  int128 whole_ = 0;
};

}  // namespace tanoak
