"""A fitted random forest as plain numbers: asked without scikit-learn, stored without pickle.

Terms
    score         the mean over the trees of the share of sensitive options in the leaf, 0 to 1, with each system
                  of the training table weighing its two classes alike.
    probability   the score, calibrated on systems that the forest had not seen (``fitting``).
    contribution  how far the steps of the trees that look at a feature move the score (Saabas' decomposition):
                  those of all features and the forest's ``base`` add up to the score.

Vectors are rounded to single precision, as scikit-learn does before it compares them with thresholds.

Invariant: ``Forest.read(forest.write(), forest.meaning) == forest``; damaged bytes and bytes that are no forest
of this format give ``None``: a digest stands before the numbers.
"""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Sequence

import msgspec

FORMAT = 2
_DIGEST = 16


class Tree(msgspec.Struct, frozen=True, array_like=True):
    """Nodes in preorder; ``feature`` is -1 at a leaf; ``value``: score if the tree ended here."""

    feature: list[int]
    threshold: list[float]
    left: list[int]
    right: list[int]
    value: list[float]


class Forest(msgspec.Struct, frozen=True, array_like=True):
    """See the module text.

    ``meaning`` says what it was fitted from.  ``names``: of the features, in the order of vectors.  ``slope`` calibrates:
    probability = 1 / (1 + exp(-slope * logit(score))), the score taken against its level (``level``).
    """

    format: int
    meaning: str
    names: list[str]
    trees: list[Tree]
    slope: float

    def score(self, vector: Sequence[float]) -> float:
        """Return the score of a vector."""
        vector = array("f", vector)
        total = 0.0
        for tree in self.trees:
            feature, threshold, left, right = tree.feature, tree.threshold, tree.left, tree.right
            node = 0
            while (index := feature[node]) >= 0:
                node = left[node] if vector[index] <= threshold[node] else right[node]
            total += tree.value[node]
        return total / len(self.trees)

    def probability(self, score: float) -> float:
        """Return the calibrated probability of a score."""
        inside = min(max(score, 0.001), 0.999)
        value = self.slope * math.log(inside / (1 - inside))
        # Of a large number only a negative one has an exponential that can be represented.
        part = math.exp(-abs(value))
        return (1.0 if value >= 0 else part) / (1 + part)

    def contributions(self, vector: Sequence[float]) -> list[float]:
        """Return the contribution of each feature to the score of a vector."""
        vector = array("f", vector)
        found = [0.0] * len(self.names)
        for tree in self.trees:
            feature, threshold, left, right = tree.feature, tree.threshold, tree.left, tree.right
            value = tree.value
            node = 0
            while (index := feature[node]) >= 0:
                following = left[node] if vector[index] <= threshold[node] else right[node]
                found[index] += value[following] - value[node]
                node = following
        return [value / len(self.trees) for value in found]

    @property
    def base(self) -> float:
        """The score of an option of which nothing is known."""
        return sum(tree.value[0] for tree in self.trees) / len(self.trees)

    def write(self) -> bytes:
        """Return the forest as bytes."""
        data = _ENCODER.encode(self)
        return _digest(data) + data

    @staticmethod
    def read(data: bytes, meaning: str) -> Forest | None:
        """Return a stored forest; ``None`` if it is damaged or means something else."""
        if data[:_DIGEST] != _digest(data[_DIGEST:]):
            return None
        try:
            found = _DECODER.decode(data[_DIGEST:])
        except msgspec.MsgspecError:
            return None
        if found.format != FORMAT or found.meaning != meaning or not _sound(found):
            return None
        return found


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Forest)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()


def _sound(forest: Forest) -> bool:
    """Whether every node leads on to a later node or is a leaf, so that no question runs for ever."""
    width = len(forest.names)
    for tree in forest.trees:
        size = len(tree.feature)
        columns = (tree.threshold, tree.left, tree.right, tree.value)
        if not size or any(len(column) != size for column in columns):
            return False
        for node, feature in enumerate(tree.feature):
            if feature >= width:
                return False
            ends = tree.left[node], tree.right[node]
            if feature >= 0 and not all(node < end < size for end in ends):
                return False
    return bool(forest.trees)
