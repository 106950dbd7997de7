# In: a folder with data.csv and test.csv (a column of 0 and 1 for each split), the cost of
# calling class 0 "1" and the reverse; out: mean cost, leaves and seconds for each split.
# Through priors: rpart's table of cross-validated costs reads a loss matrix transposed.
library(rpart)
given <- commandArgs(trailingOnly = TRUE)
data <- read.csv(file.path(given[1], "data.csv"), stringsAsFactors = TRUE)
tested <- read.csv(file.path(given[1], "test.csv"), header = FALSE)
costs <- as.numeric(given[2:3])
data$y <- factor(data$y)
for (split in seq_along(tested)) {
  out <- tested[[split]] == 1
  train <- data[!out, ]
  start <- proc.time()[["user.self"]]
  prior <- as.numeric(table(train$y)) * costs
  prior <- prior / sum(prior)
  prior[2] <- 1 - prior[1]
  set.seed(split)
  fit <- rpart(y ~ ., train, method = "class", parms = list(prior = prior),
               control = rpart.control(minsplit = 2, minbucket = 1, cp = 0, xval = 10,
                                       maxcompete = 0, usesurrogate = 0))
  table <- fit$cptable
  fit <- prune(fit, cp = table[which.min(table[, "xerror"]), "CP"])
  answer <- predict(fit, data[out, ], type = "class")
  seconds <- proc.time()[["user.self"]] - start
  wrong <- answer != data$y[out]
  paid <- sum(costs[as.integer(data$y[out])[wrong]]) / sum(out)
  cat(paid, sum(fit$frame$var == "<leaf>"), seconds, "\n")
}
