"""In: what mistakes cost, in any form, and the classes; out: `CostMatrix`, `Costs`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tanoak._cost_cells import check_cells, check_row_stakes, sentences
from tanoak._cost_forms import (
    class_factor,
    read_form,
    read_names,
    read_row_costs,
)
from tanoak._cost_input import (
    FloatArray,
    Level,
    match_names,
    read_classes,
    read_codes,
    read_one_number,
    read_weights,
    show,
    show_some,
)
from tanoak.exceptions import CostError

__all__ = ["CostMatrix", "Costs", "resolve_costs"]

_MOST_SHOWN = 6


@dataclass(frozen=True, init=False, eq=False, repr=False)
class CostMatrix:
    """What every answer costs on a row of every class.

    Rows are true classes, columns predicted ones: ``values[i, j]`` is the cost of
    calling a row of ``classes[i]`` ``classes[j]``. Printing the object spells
    every cell out, so that swapped rows and columns are seen at once.

    Parameters
    ----------
    values : array-like of shape (n_classes, n_classes), dict or data frame
        Costs, 0 or more. On the diagonal stands the cost of the right answer,
        usually 0; it may not be larger than any other cost of its row. By name:
        ``{true: {predicted: cost}}``, ``{true: cost of any mistake}``, or a frame.
    classes : sequence of str, bool, int or float, optional
        Labels in the order of the rows and columns; two or more. Without it those
        that `values` names, sorted; an array names none.

    Attributes
    ----------
    values : ndarray of shape (n_classes, n_classes)
        The costs as float64, read-only.
    classes : tuple
        The labels as plain Python values.

    Examples
    --------
    >>> from tanoak.costs import CostMatrix
    >>> print(CostMatrix([[0, 5], [1, 0]], classes=["bad", "good"]))
    calling a 'bad' row 'good' costs 5
    calling a 'good' row 'bad' costs 1
    >>> CostMatrix({"good": {"bad": 1}, "bad": {"good": 5}})
    CostMatrix([[0.0, 5.0], [1.0, 0.0]], classes=('bad', 'good'))
    """

    values: FloatArray
    classes: tuple[Level, ...]

    def __init__(self, values: object, classes: Iterable[Level] | None = None) -> None:
        if isinstance(values, CostMatrix):
            names = read_classes(values.classes if classes is None else classes)
            order = match_names(values.classes, names, "cost")
            values = values.values[np.ix_(order, order)]
        else:
            names = read_names(values, classes)
        if len(names) <= 1:
            found = f"1 ({show_some(names)})" if names else "0"
            msg = f"costs need two or more classes, got {found}: name all classes"
            raise CostError(msg)
        # + 0.0 makes a copy and turns -0.0 into 0.0, so equal costs hash alike.
        table = read_form(values, names) + 0.0
        check_cells(table, names)
        table.setflags(write=False)
        object.__setattr__(self, "values", table)
        object.__setattr__(self, "classes", names)

    @classmethod
    def from_any(
        cls, cost: object, classes: Iterable[Level], class_counts: object = None
    ) -> CostMatrix:
        """Read costs in any form.

        Parameters
        ----------
        cost : None, "balanced", array-like, dict, data frame or CostMatrix
            None is 1 for every mistake; ``"balanced"`` makes a mistake on a row
            of class k cost ``n / (n_classes * n_k)``; an array of shape
            (n_classes, n_classes) has the order of `classes`; the other forms are
            read by name: ``{true: {predicted: cost}}``, ``{class: cost of
            mistaking a row of that class}``, a data frame whose index (or first
            column) holds the true and whose columns hold the predicted classes.
        classes : sequence of str, bool, int or float
            The classes, in the order the result shall have.
        class_counts : array-like of shape (n_classes,), optional
            Rows (or their weight) of every class, for ``"balanced"``.

        Returns
        -------
        CostMatrix
            The costs in the order of `classes`.

        Examples
        --------
        >>> from tanoak.costs import CostMatrix
        >>> cost = {"good": {"bad": 1}, "bad": {"good": 5}}
        >>> CostMatrix.from_any(cost, ["bad", "good"])
        CostMatrix([[0.0, 5.0], [1.0, 0.0]], classes=('bad', 'good'))
        """
        names = read_classes(classes)
        if cost is None or isinstance(cost, str):
            cost = read_form(cost, names, class_counts)
        return cls(cost, names)

    @classmethod
    def binary(
        cls,
        *,
        false_positive: float,
        false_negative: float,
        classes: Iterable[Level],
        positive: Level,
    ) -> CostMatrix:
        """Costs of the two mistakes that two classes allow.

        Parameters
        ----------
        false_positive : float
            Cost of calling a row of the other class `positive` (a false alarm).
        false_negative : float
            Cost of calling a `positive` row the other class (a miss).
        classes : sequence of two labels
            Both classes, in any order; the result keeps it.
        positive : str, bool, int or float
            The class that is to be found.

        Returns
        -------
        CostMatrix
            The costs, 0 for right answers.

        Examples
        --------
        >>> from tanoak.costs import CostMatrix
        >>> print(CostMatrix.binary(false_positive=1, false_negative=20,
        ...                         classes=["fraud", "fair"], positive="fraud"))
        calling a 'fraud' row 'fair' costs 20
        calling a 'fair' row 'fraud' costs 1
        """
        names = read_classes(classes)
        if positive not in names:
            msg = f"positive is {show(positive)}: give one of {show_some(names)}"
            raise CostError(msg)
        others = [name for name in names if name != positive]
        if len(others) != 1:
            msg = (
                f"binary costs need two classes, got {len(names)} ({show_some(names)})"
                ": for more of them write {true: {predicted: cost}}"
            )
            raise CostError(msg)
        found = names.index(positive)
        table = np.zeros((2, 2))
        table[found, 1 - found] = read_one_number(false_negative, "false_negative")
        table[1 - found, found] = read_one_number(false_positive, "false_positive")
        return cls(table, names)

    def answer_costs(self, masses: ArrayLike) -> FloatArray:
        """Cost of every answer at nodes or on rows of known class masses.

        Parameters
        ----------
        masses : array-like of shape (n, n_classes)
            Weight of the rows of every class, or their probability.

        Returns
        -------
        ndarray of shape (n, n_classes)
            ``masses @ values``, summed class by class so that the bits do not
            depend on the machine or on `n`.

        Examples
        --------
        >>> from tanoak.costs import CostMatrix
        >>> CostMatrix([[0, 5], [1, 0]], ["bad", "good"]).answer_costs([[2, 6]])
        array([[ 6., 10.]])
        """
        masses = self._check_masses(masses)
        total = np.zeros(masses.shape)
        # Blocks of rows stay in the cache; BLAS would sum in an order of its own.
        block = max(1, 65_536 // len(self.classes))
        for start in range(0, len(masses), block):
            part = masses[start : start + block]
            for true, costs in enumerate(self.values):
                total[start : start + block] += part[:, true, None] * costs
        return total

    def labels(self, masses: ArrayLike) -> NDArray[np.int64]:
        """Index of the cheapest answer, the lowest one among equals.

        Parameters
        ----------
        masses : array-like of shape (n, n_classes)
            Weight of the rows of every class, or their probability.

        Returns
        -------
        ndarray of shape (n,)
            Positions in `classes`.

        Examples
        --------
        >>> from tanoak.costs import CostMatrix
        >>> cost = CostMatrix([[0, 5], [1, 0]], classes=["bad", "good"])
        >>> cost.labels([[2, 6], [1, 5], [0, 3]])
        array([0, 0, 1])
        """
        stakes = self._stakes()
        if stakes is None:
            cheapest = np.argmin(self.answer_costs(masses), axis=1)
        else:
            cheapest = np.argmax(self._check_masses(masses) * stakes, axis=1)
        return np.asarray(cheapest, dtype=np.int64)

    def _stakes(self) -> FloatArray | None:
        """Say what being right saves, where all mistakes on a class cost the same.

        The cheapest answer then is the largest mass x stake: K products instead of
        K x K, and no rounding of sums between equals.
        """
        right = self.values.diagonal()
        wrong = np.roll(self.values, -1, axis=1).diagonal()
        same = self.values == wrong[:, None]
        np.fill_diagonal(same, val=True)
        return wrong - right if same.all() else None

    def _check_masses(self, masses: ArrayLike) -> FloatArray:
        """Masses as float64 of shape (n, K)."""
        array = np.asarray(masses, dtype=np.float64)
        if array.shape[1:] != (len(self.classes),):
            msg = (
                f"masses has shape {array.shape}: give one row of {len(self.classes)} "
                f"numbers for each node, in the order {show_some(self.classes)}"
            )
            raise CostError(msg)
        return array

    def __str__(self) -> str:
        """One sentence for each mistake; of more than twelve, the dearest."""
        return "\n".join(sentences(self.values, self.classes))

    def __repr__(self) -> str:
        """Python that makes the object again, for up to six classes."""
        if len(self.classes) <= _MOST_SHOWN:
            return f"CostMatrix({self.values.tolist()}, classes={self.classes})"
        n_classes = len(self.classes)
        return f"<CostMatrix {n_classes} x {n_classes} for {show_some(self.classes)}>"

    def __eq__(self, other: object) -> bool:
        """Compare classes, their order and the costs."""
        if not isinstance(other, CostMatrix):
            return NotImplemented
        return self.classes == other.classes and np.array_equal(
            self.values, other.values
        )

    def __hash__(self) -> int:
        """Equal objects have equal hashes."""
        return hash((self.classes, self.values.tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy."""
        # Through the constructor: a pickle cannot bring costs that were refused.
        return CostMatrix, (self.values.tolist(), self.classes)


@dataclass(frozen=True, eq=False)
class Costs:
    """What answers cost on the rows of one training set.

    Attributes
    ----------
    matrix : CostMatrix
        Costs by class, in the order of the classes of the training set.
    row_costs : ndarray of shape (n_rows, n_classes) or None
        Cost of answering each class on each row; where given, it takes the place
        of `matrix`. The columns have the order of ``matrix.classes``.
    class_factor : ndarray of shape (n_classes,) or None
        What priors make a row of a class count: its prior over its share of the
        training rows. None means 1 for all of them.

    Examples
    --------
    >>> from tanoak.costs import resolve_costs
    >>> costs = resolve_costs({"bad": 5, "good": 1}, [0, 1, 1, 1], ["bad", "good"],
    ...                       priors={"bad": 0.05, "good": 0.95})
    >>> costs.class_factor.round(3)
    array([0.2  , 1.267])
    """

    matrix: CostMatrix
    row_costs: FloatArray | None
    class_factor: FloatArray | None

    @property
    def growth_factor(self) -> FloatArray:
        """What a row of each class weighs while growing (altered priors), (K,).

        What its mistakes cost beyond the right answer, summed, times its
        `class_factor`; not scaled.
        """
        right = self.matrix.values.diagonal()
        weight: FloatArray = (self.matrix.values - right[:, None]).sum(axis=1)
        return weight if self.class_factor is None else weight * self.class_factor

    @property
    def row_weight(self) -> FloatArray | None:
        """What is at stake on each row, (n_rows,); None without costs per row.

        The dearest answer minus the cheapest; `class_factor` is not in it.
        """
        if self.row_costs is None:
            return None
        stake: FloatArray = self.row_costs.max(axis=1) - self.row_costs.min(axis=1)
        return stake


def resolve_costs(
    cost: object,
    y_codes: ArrayLike,
    classes: Iterable[Level],
    *,
    priors: object = None,
    row_costs: object = None,
    sample_weight: object = None,
) -> Costs:
    """Bring all that is said about costs into the order of a training set's classes.

    Parameters
    ----------
    cost : None, "balanced", array-like, dict, data frame or CostMatrix
        Any form that `CostMatrix.from_any` reads.
    y_codes : array-like of int, shape (n_rows,)
        Position in `classes` of the class of every training row.
    classes : sequence of str, bool, int or float
        The classes of the training set, sorted.
    priors : dict {class: share}, Series or array-like of shape (n_classes,), optional
        Shares of the classes where the tree will be used; they sum to 1.
    row_costs : array-like or data frame of shape (n_rows, n_classes), optional
        Cost of answering each class on each row. A data frame's columns are put in
        order by name.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; a row of weight 2 counts as two rows.

    Returns
    -------
    Costs
        Checked and in the order of `classes`.

    Examples
    --------
    >>> from tanoak.costs import resolve_costs
    >>> costs = resolve_costs("balanced", [0, 1, 1, 1], ["bad", "good"])
    >>> print(costs.matrix)
    calling a 'bad' row 'good' costs 2
    calling a 'good' row 'bad' costs 0.666667
    """
    names = read_classes(classes)
    codes = read_codes(y_codes, len(names))
    weights = read_weights(sample_weight, len(codes))
    counts = np.bincount(codes, weights, len(names)).astype(np.float64)
    matrix = CostMatrix.from_any(cost, names, counts)
    by_row = None
    if row_costs is not None:
        by_row = read_row_costs(row_costs, len(codes), names)
        check_row_stakes(by_row)
    return Costs(matrix, by_row, class_factor(priors, counts, names))
