"""The native core of tanoak: arrays in, arrays out."""

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def scan_columns(table: object, n_threads: int = 1) -> tuple:
    """
    First infinite row (-1: none) and number of missing values of each column of a dense table.
    """

class Router:
    """Routes rows to the leaves of one tree."""

    def __init__(self, left: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], right: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], missing_left: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], term_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], term_column: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], term_level: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], term_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], subset_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], subset_words: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], fill: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def apply(self, table: object, n_threads: int = 1) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Leaf of each row of a dense table, or of a compressed one by rows."""

def grow_classes(table: object, n_levels: Sequence[int], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, criterion: str, class_mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], row_mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, class_costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, added_mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, options: dict, n_threads: int = 1, on_progress: Callable[[int], None] | None = None) -> dict:
    """Grow a tree that separates classes; a dictionary of its arrays."""

def grow_numbers(table: object, n_levels: Sequence[int], targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], criterion: str, row_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, options: dict, n_threads: int = 1, on_progress: Callable[[int], None] | None = None) -> dict:
    """Grow a tree of least error; a dictionary of its arrays."""

class TreeOptimizer:
    """A tree that gets better pass by pass."""

    def run_pass(self) -> dict:
        """Optimize every node once; what that came to."""

    def now(self) -> dict: ...

    def state(self) -> dict:
        """All nodes, to go on from later."""

    def tree(self) -> dict:
        """What is reached, with counts, as arrays of a tree."""

    def origins(self) -> object:
        """Of each node of the tree the node of the start it comes from."""

    def solution_losses(self) -> object:
        """Least losses by node and kind of solution; -1 if not looked for."""

    @property
    def mean_stake(self) -> float: ...

def optimize_classes(table: object, n_levels: Sequence[int], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, class_costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], row_costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, known_fill: Sequence[float], options: dict, first_state: dict, n_threads: int = 1) -> TreeOptimizer:
    """Start to optimize a tree that answers classes."""

def optimize_numbers(table: object, n_levels: Sequence[int], targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], row_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, absolute: bool, known_fill: Sequence[float], options: dict, first_state: dict, n_threads: int = 1) -> TreeOptimizer:
    """Start to optimize a tree that answers numbers."""

def random_start(table: object, n_levels: Sequence[int], depth: int, n_terms: int, seed: int, n_threads: int = 1) -> dict:
    """A complete tree of random splits, to start from."""

def weakest_links(left: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], right: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
    """
    Price of a leaf at which each node becomes one, cost added and leaves removed.
    """

def sums_below(left: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], right: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> object:
    """Rows of numbers of each node and all nodes below it, added up."""

def l1_logistic(table: object, side: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, penalty: float, tolerance: float, start: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> tuple:
    """
    Weights and intercept of a weighted logistic regression with an l1 penalty, its objective, and how many Newton steps it took.
    """

def solve_pair(table: object, n_levels: Sequence[int], fill: Sequence[float], stakes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], pair_price: int, settings: dict, n_threads: int = 1) -> dict:
    """The split on two features on whose wrong side least is at stake."""
