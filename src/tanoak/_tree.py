"""In: the arrays of a fitted tree; out: a frozen `Tree` that predicts and is stored."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from tanoak import _core
from tanoak._answers import label_array, shares
from tanoak._arrays import LAYOUT, FloatArray, Level, TreeArrays, plain, same_bits
from tanoak._checks import check_classes, check_columns, check_tree
from tanoak._collapse import collapse, merge
from tanoak._decisions import cheapest, expected_costs
from tanoak._files import read_bounded, write_whole
from tanoak._messages import shown
from tanoak._nodes import Node, read_nodes
from tanoak._outline import outline
from tanoak._paths import passed_nodes
from tanoak._prune import pruned_nodes
from tanoak._routing import ROUTED
from tanoak._stored import read_parts, text_of
from tanoak._table import Columns, for_core, read_like
from tanoak.costs import CostMatrix
from tanoak.exceptions import ParameterError, TreeFormatError

__all__ = ["Tree"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Tree(TreeArrays):
    """A fitted decision tree: frozen arrays, and everything that follows from them.

    Nodes are in preorder: the root is node 0, a left child follows its parent. The
    split of node i is a sparse row, terms ``term_start[i]:term_start[i + 1]``. Arrays
    that are writable are copied and all are closed for writing.

    Parameters
    ----------
    columns : Columns
        What the d columns are called and mean.
    classes : tuple or None, default None
        The K classes; None makes it a regression tree.
    left, right : array of int32, shape (n_nodes,)
        Children, -1 at leaves.
    threshold : array of float64, shape (n_nodes,)
        Rows go left whose value or sum is at most this; 0.0 at leaves and subsets.
    missing_left : array of bool, shape (n_nodes,)
        Whether a missing value goes left; False at leaves.
    term_start : array of int64, shape (n_nodes + 1,)
        Where each node's terms start.
    term_column, term_level, term_weight : arrays of shape (n_terms,)
        Column, level whose indicator is meant (-1: the number itself), and weight;
        sorted by column and level within a node. A split on one number has weight 1.0.
    subset_start : array of int64, shape (n_nodes + 1,)
        Where each node's subset of levels starts.
    subset_words : array of uint64
        Bit c % 64 of a node's word c // 64 is set if code c goes left.
    fill : array of float64, shape (d,)
        Stands for a missing value in splits of several terms; a code (or -1, no
        level) in categorical columns.
    counts : array of int64, shape (n_nodes, K)
        Training rows of each class, not weighted; K is 1 for regression.
    masses : array of float64, shape (n_nodes, K)
        The same with sample weights; no costs or priors in it.
    cost : CostMatrix or None, default None
        What mistakes cost; None is 1 each.
    class_factor : array of float64, shape (K,), or None, default None
        What priors make a row of each class count.
    answer_costs : array of float64, shape (n_nodes, K), or None, default None
        Total cost of each answer at each node where every row has costs of its own.
    label : array of int32, shape (n_nodes,), or None, default None
        Answer at each node; None takes the cheapest one.
    mean, sse, sae : array of float64, shape (n_nodes,), or None, default None
        Answer of a regression tree, sums of its squared and absolute errors. It is
        the mean target or, where `sae` is given, the median.

    Raises
    ------
    TreeFormatError
        If the arrays contradict each other.

    Examples
    --------
    >>> from tanoak._table import Columns
    >>> tree = Tree(
    ...     columns=Columns(("age",), (None,), named=True),
    ...     classes=("bad", "good"),
    ...     left=[1, -1, -1], right=[2, -1, -1], threshold=[26.5, 0.0, 0.0],
    ...     missing_left=[True, False, False],
    ...     term_start=[0, 1, 1, 1], term_column=[0], term_level=[-1],
    ...     term_weight=[1.0], subset_start=[0, 0, 0, 0], subset_words=[], fill=[0.0],
    ...     counts=[[3, 5], [3, 1], [0, 4]], masses=[[3, 5], [3, 1], [0, 4]],
    ... )
    >>> print(tree)
    Classification tree from 8 training rows: 1 split, 2 leaves, depth 1
    all rows [bad: 3 | good: 5]
    |- age <= 26.5 => bad [bad: 3 | good: 1]
    |- age > 26.5 => good [good: 4]
    (missing values and new levels follow the branch with more rows, the first of \
equals, unless noted)
    >>> tree.predict([[20.0], [40.0]])
    array(['bad', 'good'], dtype='<U4')
    """

    columns: Columns
    classes: tuple[Level, ...] | None = None
    cost: CostMatrix | None = None

    def __post_init__(self) -> None:
        """Close the arrays, fill in the answers and check everything once."""
        super().__post_init__()
        check_columns(self.columns.names, self.columns.levels)
        if self.classes is not None:
            classes = tuple(plain(label) for label in self.classes)
            check_classes(classes)
            object.__setattr__(self, "classes", classes)
        if self.cost is not None and repr(self.cost.classes) != repr(self.classes):
            told, known = shown(self.cost.classes), shown(self.classes)
            msg = f"the costs are about the classes {told}, the tree about {known}"
            raise TreeFormatError(msg)
        wants_label = self.classes is not None and self.label is None
        if wants_label:
            # Any label will do until masses and costs are known to fit.
            nothing = np.zeros(self.n_nodes, dtype=np.int32)
            object.__setattr__(self, "label", nothing)
        check_tree(self, self.columns.levels, self.classes)
        if wants_label:
            object.__setattr__(self, "label", cheapest(self, self.cost))

    @property
    def task(self) -> str:
        """Either "classification" or "regression"."""
        return "regression" if self.classes is None else "classification"

    @cached_property
    def _router(self) -> _core.Router:
        """The one place where the router is made; kept out of copies and pickles."""
        return _core.Router(*(getattr(self, name) for name in ROUTED))

    def apply(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.int64]:
        """Return the leaf that each row ends in.

        Parameters
        ----------
        X : array, data frame, sparse matrix or Table, shape (n_rows, n_columns)
            Rows; columns of a data frame are found by name.
        n_threads : int, default 1
            Threads to use; the result does not depend on it.

        Returns
        -------
        numpy.ndarray of int64, shape (n_rows,)
            Node ids.
        """
        values = for_core(read_like(X, self.columns).values)
        return self._router.apply(values, n_threads).astype(np.int64)

    def predict(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[Any]:
        """Return the answer for each row: a class, or the mean for regression.

        Parameters
        ----------
        X, n_threads
            As for `apply`.

        Returns
        -------
        numpy.ndarray of shape (n_rows,)
            Labels in the dtype of the classes, or float64.
        """
        leaf = self.apply(X, n_threads=n_threads)
        if self.classes is None or self.label is None:
            assert self.mean is not None
            return self.mean[leaf]
        return label_array(self.classes)[self.label[leaf]]

    def predict_counts(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.int64]:
        """Return how many training rows of each class share the leaf of each row.

        Parameters
        ----------
        X, n_threads
            As for `apply`.

        Returns
        -------
        numpy.ndarray of int64, shape (n_rows, K)
            Unweighted counts; K is 1 for regression.
        """
        return self.counts[self.apply(X, n_threads=n_threads)].astype(np.int64)

    def predict_shares(self, X: Any, *, n_threads: int = 1) -> FloatArray:
        """Return the share of each class in the leaf of each row.

        Parameters
        ----------
        X, n_threads
            As for `apply`.

        Returns
        -------
        numpy.ndarray of float64, shape (n_rows, K)
            Masses times `class_factor`, each row scaled to sum to 1.
        """
        if self.classes is None:
            msg = "a regression tree has no classes to have shares of; use predict"
            raise ParameterError(msg)
        return self._shares[self.apply(X, n_threads=n_threads)]

    def decision_path(self, X: Any, *, n_threads: int = 1) -> sparse.csr_array:
        """Return which nodes each row passes, the root and its leaf included.

        Parameters
        ----------
        X, n_threads
            As for `apply`.

        Returns
        -------
        scipy.sparse.csr_array of bool, shape (n_rows, n_nodes)
            True where a row passes a node; column indices are sorted.
        """
        return passed_nodes(self, self.apply(X, n_threads=n_threads))

    def expected_costs(self) -> FloatArray:
        """Return what each answer would cost at each node, on the training rows.

        Returns
        -------
        numpy.ndarray of float64, shape (n_nodes, K)
            Totals over the rows of a node, with sample weights and `class_factor`.
        """
        if self.classes is None:
            msg = "a regression tree has no classes to answer; use sse"
            raise ParameterError(msg)
        return expected_costs(self, self.cost)

    def nodes(self) -> list[Node]:
        """Return all nodes in preorder, as records to read.

        Returns
        -------
        list of Node
            One for each node; ``tree.nodes()[i].id == i``.
        """
        return read_nodes(self)

    def prune(
        self,
        node_ids: Iterable[int] | None = None,
        *,
        alpha: float | None = None,
        n_leaves: int | None = None,
    ) -> Tree:
        """Return the tree with the subtrees at some nodes collapsed to leaves.

        Parameters
        ----------
        node_ids : iterable of int, optional
            Nodes to become leaves. Ids of leaves, and of nodes below others that
            are given, change nothing.
        alpha : float, optional
            Instead of them, a price for each leaf: the subtree that is cheapest with
            it, in mean cost of a training row, and of equal ones the smallest.
        n_leaves : int, optional
            Instead of them, the most leaves: the largest of these cheapest subtrees
            that has no more. It may have fewer: see `pruning_path`.

        Returns
        -------
        Tree
            A new tree, its nodes numbered in preorder again. Counts and answers of
            the nodes that stay are the same.
        """
        if node_ids is None:
            node_ids = pruned_nodes(self, self.cost, alpha=alpha, n_leaves=n_leaves)
        elif not (alpha is None and n_leaves is None):
            msg = "prune takes node_ids, alpha or n_leaves, got node_ids and another"
            raise ParameterError(msg)
        return replace(self, **collapse(self, node_ids))

    def simplify(self) -> Tree:
        """Return the tree with leaves merged that give the same answer.

        Where all leaves below a node answer alike the node becomes a leaf, as often as
        that is possible. `predict` answers every row as before. A merged leaf holds
        the rows of all its leaves: counts, masses and costs are sums, and the share of
        a class is its share in all of them, the mean of the former shares by mass. So
        `predict_shares` no longer tells rows of the merged leaves apart, while its
        sums over the training rows stay. The tree itself keeps the finer shares.

        Returns
        -------
        Tree
            A new tree, its nodes numbered in preorder again.

        See Also
        --------
        Tree.prune : Takes splits away that change answers.
        """
        return replace(self, **merge(self))

    def to_json(self) -> str:
        """Return the tree as canonical JSON: equal trees give equal text.

        Returns
        -------
        str
            ASCII, ending in a newline.
        """
        return text_of(self, self.columns, self.classes, self.cost)

    @classmethod
    def from_json(cls, text: str | bytes) -> Tree:
        """Read a tree; the text may come from anyone.

        Parameters
        ----------
        text : str or bytes
            What `to_json` gave.

        Returns
        -------
        Tree
            Equal to the tree that was written.

        Raises
        ------
        TreeFormatError
            If the text is damaged, hostile, too large, or of a newer tanoak.
        """
        return cls.trusted(**read_parts(text))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tree to a `.tanoak` file, whole or not at all.

        Parameters
        ----------
        path : str or path-like
            Where to; an existing file is replaced.
        """
        write_whole(path, self.to_json())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Tree:
        """Read a tree from a `.tanoak` file; the file may come from anyone.

        Parameters
        ----------
        path : str or path-like
            A file that `save` wrote.

        Returns
        -------
        Tree
            Equal to the tree that was saved.

        Raises
        ------
        TreeFormatError
            If the file is damaged, hostile, too large, or of a newer tanoak.
        """
        return cls.from_json(read_bounded(path))

    def __eq__(self, other: object) -> bool:
        """Compare everything, arrays bit by bit."""
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            self.columns == other.columns
            and repr(self.classes) == repr(other.classes)
            and self.cost == other.cost
            and all(same_bits(getattr(self, x), getattr(other, x)) for x in LAYOUT)
        )

    __hash__ = None  # type: ignore[assignment]  # equal trees are found by `==` alone

    def __repr__(self) -> str:
        """Return one line; ``print`` shows the tree."""
        about = "" if self.classes is None else f", {len(self.classes)} classes"
        return (
            f"<{self.task} Tree: {self.n_nodes} nodes, depth {self.depth}, "
            f"{len(self.columns)} columns{about}>"
        )

    def __str__(self) -> str:
        """Return the tree as at most 20 lines of text, with rounded numbers."""
        return outline(self)

    @cached_property
    def _shares(self) -> FloatArray:
        """Shares of the classes at every node."""
        return shares(self)
