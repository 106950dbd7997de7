// Growth by any criterion from any kind of table.
#include "check.hpp"
#include "grow_any.hpp"

using namespace tanoak;

TEST(a_criterion_grows_the_same_tree_from_all_tables) {
  const double dense[] = {0, 0, 1, 2, 2, 3};
  const float narrow[] = {0, 0, 1, 2, 2, 3};
  const double stored[] = {1, 2, 2, 3};
  const int32_t rows[] = {2, 3, 4, 5}, starts[] = {0, 4};
  const TableView tables[] = {DenseView<double>{dense, 6, 1, 1, 6},
                              DenseView<float>{narrow, 6, 1, 1, 6},
                              SparseView<double, int32_t>{stored, rows, starts, 6, 1}};
  const double numbers[] = {1, 1, 1, 5, 5, 9};
  for (const auto criterion :
       {NumberCriterion::squared_error, NumberCriterion::absolute_error}) {
    const auto ready = prepare(NumberInput{numbers, nullptr, criterion}, 6);
    const std::vector<uint32_t> ids = {0, 1, 2, 3, 4, 5};
    const std::vector<int32_t> n_levels = {0};
    for (const TableView& table : tables)
      for (const int64_t memory : {1, 1 << 20}) {
        GrowOptions options;
        options.settings.max_sort_bytes = memory;
        Workers workers(1);
        const StopFlag stop;
        Progress progress{0};
        const NumberJob job{table,   n_levels, ready, ids,
                            options, workers,  stop,  progress};
        const TreeArrays tree = criterion == NumberCriterion::squared_error
                                    ? grow_by(job,
                                              [](const NumberTarget& target) {
                                                return SquaredError(target);
                                              })
                                    : grow_by(job, [](const NumberTarget& target) {
                                        return AbsoluteError(target);
                                      });
        CHECK(tree.left == (std::vector<int32_t>{1, -1, 3, -1, -1}));
        CHECK_EQUAL(tree.threshold[0], 1.5);
        CHECK_EQUAL(tree.threshold[2], 2.5);
      }
  }
}
