// What every binding needs: tables without copies, arrays out, and long calls that
// listen to Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "grow_table.hpp"

namespace nb = nanobind;

namespace tanoak {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

template <class T>
const T* optional_data(const std::optional<Vector<T>>& array) {
  return array ? array->data() : nullptr;
}

// A table as Python hands it over: a dense array with any strides, or the parts of a
// compressed one. Holds on to the arrays while the view is used.
struct Handed {
  TableView view;
  std::vector<nb::object> owners;
};

template <class T>
bool take_dense(nb::handle table, Handed& handed) {
  Matrix<T> array;
  if (!nb::try_cast(table, array, false)) return false;
  handed.view = DenseView<T>{array.data(), static_cast<int64_t>(array.shape(0)),
                             static_cast<int64_t>(array.shape(1)), array.stride(0),
                             array.stride(1)};
  return true;
}

template <class T, class Index>
bool take_sparse(const nb::tuple& parts, Handed& handed) {
  Vector<T> values;
  Vector<Index> indices, starts;
  if (!nb::try_cast(parts[0], values, false) ||
      !nb::try_cast(parts[1], indices, false) || !nb::try_cast(parts[2], starts, false))
    return false;
  handed.view =
      SparseView<T, Index>{values.data(), indices.data(), starts.data(),
                           nb::cast<int64_t>(parts[3]), nb::cast<int64_t>(parts[4])};
  return true;
}

// Sparse: (values, indices, starts, n_rows, n_columns).
inline Handed take_table(nb::handle table) {
  Handed handed;
  handed.owners.push_back(nb::borrow(table));
  if (nb::isinstance<nb::tuple>(table)) {
    const auto parts = nb::cast<nb::tuple>(table);
    if (parts.size() == 5 && (take_sparse<float, int32_t>(parts, handed) ||
                              take_sparse<double, int32_t>(parts, handed) ||
                              take_sparse<float, int64_t>(parts, handed) ||
                              take_sparse<double, int64_t>(parts, handed)))
      return handed;
  } else if (take_dense<float>(table, handed) || take_dense<double>(table, handed)) {
    return handed;
  }
  throw nb::type_error(
      "table must be a two-dimensional float32 or float64 array, or the tuple "
      "(values, indices, starts, n_rows, n_columns) of a compressed one");
}

template <class T>
nb::object to_array(std::vector<T>&& numbers, std::initializer_list<size_t> shape) {
  auto* owned = new std::vector<T>(std::move(numbers));
  nb::capsule owner(owned,
                    [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(
      nb::ndarray<nb::numpy, T>(owned->data(), shape.size(), shape.begin(), owner));
}

// Runs `work` without the GIL. Long work gets a thread of its own, and this one looks
// for signals and calls `tick` meanwhile; short work is not worth a thread.
inline void run(bool is_long, const std::function<void(const StopFlag&)>& work,
                const std::function<void()>& tick = nullptr) {
  StopFlag stop;
  if (!is_long) {
    nb::gil_scoped_release released;
    work(stop);
    return;
  }
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr error;
  auto job = [&] {
    try {
      work(stop);
    } catch (...) {
      error = std::current_exception();
    }
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
    ended.notify_one();
  };
  std::thread worker;
  try {
    worker = std::thread(job);
  } catch (const std::system_error&) {  // no thread to be had: do it here
    nb::gil_scoped_release released;
    job();
  }
  constexpr auto pause = std::chrono::milliseconds(20);
  bool raised = false;
  nb::gil_scoped_release released;
  std::unique_lock<std::mutex> lock(mutex);
  while (!ended.wait_for(lock, pause, [&] { return done; })) {
    lock.unlock();
    if (!raised) {
      nb::gil_scoped_acquire held;
      raised = PyErr_CheckSignals() != 0;
      if (!raised && tick) {
        try {
          tick();
        } catch (nb::python_error& failure) {
          failure.restore();
          raised = true;
        }
      }
      if (raised) stop.request();
    }
    lock.lock();
  }
  lock.unlock();
  if (worker.joinable()) worker.join();
  nb::gil_scoped_acquire held;
  if (raised) throw nb::python_error();
  if (error) std::rethrow_exception(error);
}

}  // namespace tanoak
