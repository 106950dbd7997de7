// Workers: every task once, in order, and the first exception back to the caller.
#include <atomic>
#include <stdexcept>
#include <string>

#include "base.hpp"
#include "check.hpp"
#include "parallel.hpp"

using namespace tanoak;

TEST(the_caller_is_one_of_the_workers) {
  CHECK_EQUAL(Workers(-1).count(), 1);
  CHECK_EQUAL(Workers(0).count(), 1);
  CHECK_EQUAL(Workers(1).count(), 1);
  CHECK_EQUAL(Workers(4).count(), 4);
}

TEST(every_task_is_run_once) {
  for (const int n_workers : {1, 2, 3, 4}) {
    Workers workers(n_workers);
    for (const int64_t n_tasks : {0, 1, 2, 3, 7, 1000}) {
      std::vector<int> times(static_cast<size_t>(n_tasks), 0);
      workers.run(n_tasks, [&](int64_t task, int) { ++times[size_t(task)]; });
      CHECK_EQUAL(times, std::vector<int>(size_t(n_tasks), 1));
    }
  }
}

TEST(rounds_follow_each_other_without_a_gap) {
  Workers workers(3);
  int64_t sum = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<int64_t> part(3, 0);  // no atomics: a worker has its own place
    workers.run(5, [&](int64_t task, int worker) { part[size_t(worker)] += task + 1; });
    sum += part[0] + part[1] + part[2];
  }
  CHECK_EQUAL(sum, 2000 * 15);
}

TEST(tasks_are_handed_out_in_order) {
  Workers workers(4);
  std::vector<std::vector<int64_t>> seen(4);
  workers.run(5000,
              [&](int64_t task, int worker) { seen[size_t(worker)].push_back(task); });
  for (const auto& tasks : seen)
    for (size_t i = 1; i < tasks.size(); ++i) CHECK(tasks[i - 1] < tasks[i]);
}

TEST(workers_work_at_the_same_time) {
  Workers workers(3);
  std::atomic<int> arrived{0};
  // Nobody leaves before all have come: this hangs where one worker did two tasks.
  workers.run(3, [&](int64_t, int) {
    ++arrived;
    while (arrived < 3) std::this_thread::yield();
  });
  CHECK_EQUAL(arrived.load(), 3);
}

TEST(one_worker_alone_throws_straight_through) {
  Workers workers(1);
  int n_run = 0;
  auto fail_at_three = [&](int64_t task, int) {
    ++n_run;
    if (task == 3) throw std::runtime_error("task 3");
  };
  CHECK_THROWS(workers.run(10, fail_at_three), std::runtime_error, "task 3");
  CHECK_EQUAL(n_run, 4);
}

// The caller waits in its task until another worker has thrown in its own.
TEST(an_exception_of_another_thread_arrives_with_its_type) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    Workers workers(2);
    std::atomic<bool> thrown{false};
    auto work = [&](int64_t, int worker) {
      if (worker == 0) {
        while (!thrown) std::this_thread::yield();
        return;
      }
      thrown = true;
      throw std::out_of_range("from a worker");
    };
    CHECK_THROWS(workers.run(2, work), std::out_of_range, "from a worker");
  }
}

TEST(the_first_exception_ends_the_handing_out) {
  Workers workers(2);
  std::atomic<int> n_run{0};
  auto work = [&](int64_t, int) {
    ++n_run;
    throw std::runtime_error("no");
  };
  CHECK_THROWS(workers.run(1000000, work), std::runtime_error, "no");
  CHECK(n_run <= 2);
}

TEST(workers_go_on_after_an_exception) {
  Workers workers(3);
  for (int repeat = 0; repeat < 20; ++repeat) {
    StopFlag stop;
    stop.request();
    CHECK_THROWS(workers.run(9, [&](int64_t, int) { stop.check(); }), Interrupted, "");
    std::atomic<int> n_run{0};
    workers.run(9, [&](int64_t, int) { ++n_run; });
    CHECK_EQUAL(n_run.load(), 9);
  }
}
