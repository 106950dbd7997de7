# In: rpart with its data, the credit data that ship, R's iris; out: what rpart grows, and
# what its trees cost, as JSON for tests/test_rpart.py.
#
#     Rscript scripts/make_rpart_reference.R > tests/reference/rpart.json
#
# `reported` is the cross-validated cost in rpart's own table, one row left out at a time.
# `true` is the same by its definition: rpart's tree of the other rows, pruned at the
# geometric middle of the prices, pays for its answer to the row. Both are mean costs of
# a row, the smallest tree first. For these, small changes of numbers and weights make
# equal cuts rare, and values at a threshold: there each library has a rule of its own.
# Of the data nothing is stored.
library(rpart)

json <- function(x) {
  if (is.list(x)) {
    items <- paste0('"', names(x), '": ', vapply(x, json, ""))
    return(paste0("{\n", paste(items, collapse = ",\n"), "\n}"))
  }
  text <- if (is.character(x)) paste0('"', x, '"') else format(x, digits = 12, trim = TRUE)
  lines <- strwrap(paste(text, collapse = ", "), width = 90)
  paste0("[", paste(lines, collapse = "\n"), "]")
}

grow <- function(case, rows, cp, xval = 0) {
  control <- rpart.control(minsplit = case$rows[1], minbucket = case$rows[2],
                           cp = cp, xval = xval, maxcompete = 0, usesurrogate = 0)
  do.call(rpart, list(case$fit$formula, case$fit$data[rows, ], case$weight[rows],
                      method = "class", parms = case$parms, control = control))
}

# Mean cost of a row at the root: the unit of rpart's prices.
root_cost <- function(fit) fit$frame$dev[1] / sum(fit$frame$wt[1])

true_costs <- function(case, table, unit) {
  cp <- table[, "CP"]
  prices <- c(Inf, sqrt(cp[-1] * cp[-length(cp)])) * unit
  data <- case$fit$data
  target <- data[[all.vars(case$fit$formula)[1]]]
  total <- rep(0, length(prices))
  for (row in seq_len(nrow(data))) {
    fold <- grow(case, -row, 0)
    for (step in seq_along(prices)) {
      pruned <- prune(fold, cp = prices[step] / root_cost(fold))
      answer <- predict(pruned, data[row, ], type = "class")
      paid <- case$weight[row] * case$parms$loss[target[row], answer]
      total[step] <- total[step] + paid
    }
  }
  total / sum(case$weight)
}

# Numbers between 0 and 1 that differ from row to row.
between <- function(n_rows, shift) (seq_len(n_rows) * 0.6180339887 + shift * 0.123) %% 1

describe <- function(case) {
  n_rows <- nrow(case$fit$data)
  case$weight <- rep(1, n_rows)
  if (case$costs) {
    case$weight <- 1 + between(n_rows, 0) / 10
    numeric <- vapply(case$fit$data, is.numeric, TRUE)
    for (at in which(numeric)) {
      case$fit$data[[at]] <- case$fit$data[[at]] + between(n_rows, at) / 100
    }
  }
  whole <- grow(case, seq_len(n_rows), -1)
  result <- list(variables = as.character(whole$frame$var), n = whole$frame$n,
                 leaf_of_row = unname(whole$where))
  if (!case$costs) return(result)
  fit <- grow(case, seq_len(n_rows), 0, xval = n_rows)
  table <- fit$cptable
  unit <- root_cost(fit)
  c(result, list(n_leaves = unname(table[, "nsplit"]) + 1,
                 training_cost = unname(table[, "rel error"]) * unit,
                 reported = unname(table[, "xerror"]) * unit,
                 true = true_costs(case, table, unit)))
}

losses <- function(...) matrix(c(...), sqrt(length(c(...))), byrow = TRUE)

of <- function(formula, data, split, leaf, costs = FALSE, ...) {
  list(fit = list(formula = formula, data = data), rows = c(split, leaf), costs = costs,
       parms = list(...))
}
credit <- read.csv("src/tanoak/datasets/german_credit.csv", stringsAsFactors = TRUE)
iris$Petal.Length <- iris$Petal.Width <- NULL  # the harder half
k_losses <- losses(0, 1, 10, 0)
c_losses <- losses(0, 5, 1, 0)
i_losses <- losses(0, 1, 4, 2, 0, 3, 7, 1, 0)
cases <- list(
  kyphosis = of(Kyphosis ~ ., kyphosis, 5, 2, costs = TRUE, loss = k_losses),
  kyphosis_losses = of(Kyphosis ~ ., kyphosis, 5, 2, loss = k_losses),
  kyphosis_priors = of(Kyphosis ~ ., kyphosis, 5, 2, prior = c(0.4, 0.6)),
  credit = of(credit_risk ~ ., credit[1:300, ], 30, 1, costs = TRUE, loss = c_losses),
  credit_losses = of(credit_risk ~ ., credit, 62, 1, loss = c_losses),
  credit_priors = of(credit_risk ~ ., credit, 40, 1, prior = c(0.6, 0.4)),
  iris = of(Species ~ ., iris, 10, 1, costs = TRUE, loss = i_losses)
)
cat(json(lapply(cases, describe)), "\n", sep = "")
