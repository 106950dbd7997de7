# In: a table without names whose last columns are class and whether to train on the row;
# out: seconds to grow to purity on Gini, leaves, and the error on the other rows.
library(rpart)
data <- read.csv(commandArgs(trailingOnly = TRUE)[1], header = FALSE)
trained <- data[[ncol(data)]] == 1
data[[ncol(data)]] <- NULL
names(data)[ncol(data)] <- "y"
data$y <- factor(data$y)
train <- data[trained, ]
start <- proc.time()[["user.self"]]
fit <- rpart(y ~ ., train, method = "class",
             control = rpart.control(minsplit = 2, minbucket = 1, cp = 0, xval = 0,
                                     maxcompete = 0, usesurrogate = 0, maxdepth = 30))
seconds <- proc.time()[["user.self"]] - start
answer <- predict(fit, data[!trained, ], type = "class")
cat(seconds, sum(fit$frame$var == "<leaf>"), mean(answer != data$y[!trained]), "\n")
