// The arrays of a finished tree as Python gets them.
#pragma once

#include <utility>

#include "border.hpp"

namespace tanoak {

inline nb::dict to_dict(TreeArrays&& tree, size_t n_outputs) {
  const size_t n = tree.left.size();
  nb::dict arrays;
  arrays["left"] = to_array(std::move(tree.left), {n});
  arrays["right"] = to_array(std::move(tree.right), {n});
  arrays["threshold"] = to_array(std::move(tree.threshold), {n});
  arrays["missing_left"] = to_array(std::move(tree.missing_left), {n});
  const size_t n_terms = tree.term_column.size();
  arrays["term_start"] = to_array(std::move(tree.term_start), {n + 1});
  arrays["term_column"] = to_array(std::move(tree.term_column), {n_terms});
  arrays["term_level"] = to_array(std::move(tree.term_level), {n_terms});
  arrays["term_weight"] = to_array(std::move(tree.term_weight), {n_terms});
  arrays["subset_start"] = to_array(std::move(tree.subset_start), {n + 1});
  const size_t n_words = tree.subset_words.size();
  arrays["subset_words"] = to_array(std::move(tree.subset_words), {n_words});
  const size_t n_columns = tree.fill.size();
  arrays["fill"] = to_array(std::move(tree.fill), {n_columns});
  arrays["counts"] = to_array(std::move(tree.counts), {n, n_outputs});
  if (!tree.masses.empty())
    arrays["masses"] = to_array(std::move(tree.masses), {n, n_outputs});
  if (!tree.mean.empty()) {
    arrays["mean"] = to_array(std::move(tree.mean), {n});
    arrays["sse"] = to_array(std::move(tree.sse), {n});
  }
  return arrays;
}

}  // namespace tanoak
