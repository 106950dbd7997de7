// Workers of one call: created when it starts, joined when it ends, never shared
// between calls, so a forked child or another library finds no threads of ours.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tanoak {

class Workers {
 public:
  // The calling thread is worker 0. Where the system refuses a thread we go on with
  // those we have: results do not depend on their number.
  explicit Workers(int n_threads) {
    for (int worker = 1; worker < n_threads; ++worker) {
      try {
        threads_.emplace_back([this, worker] { serve(worker); });
      } catch (const std::system_error&) {
        break;
      }
    }
  }

  ~Workers() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      closing_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int count() const { return static_cast<int>(threads_.size()) + 1; }

  // Calls work(task, worker) once for each task; tasks are handed out in order. The
  // first exception stops the handing out and is thrown here.
  void run(int64_t n_tasks, const std::function<void(int64_t, int)>& work) {
    if (threads_.empty() || n_tasks < 2) {
      for (int64_t task = 0; task < n_tasks; ++task) work(task, 0);
      return;
    }
    {
      std::lock_guard<std::mutex> lock(mutex_);
      work_ = &work;
      n_tasks_ = n_tasks;
      next_.store(0);
      busy_ = static_cast<int>(threads_.size());
      error_ = nullptr;
      ++round_;
    }
    wake_.notify_all();
    drain(0);
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void serve(int worker) {
    uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return closing_ || round_ != seen; });
      if (closing_) return;
      seen = round_;
      lock.unlock();
      drain(worker);
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  void drain(int worker) noexcept {
    try {
      for (int64_t task = next_++; task < n_tasks_; task = next_++)
        (*work_)(task, worker);
    } catch (...) {
      next_.store(n_tasks_);
      std::lock_guard<std::mutex> lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(int64_t, int)>* work_ = nullptr;
  int64_t n_tasks_ = 0;
  std::atomic<int64_t> next_{0};
  int busy_ = 0;
  uint64_t round_ = 0;
  bool closing_ = false;
  std::exception_ptr error_;
};

}  // namespace tanoak
