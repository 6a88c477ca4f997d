"""MiniLM's published weights as an ONNX graph: 8-bit products, half-precision words.

The weights are published as plain tensors. The graph is the usual BERT encoder with mean pooling,
written node by node, so that neither torch nor a download of somebody's graph is needed.

Only the products with weights are made of integers. Each row of what goes in, a token, gets a scale
of its own, and so does each output channel of the weights. So a vector does not depend on the texts
beside it in a batch, which it did with one scale for all of them (the cosine between a text alone
and in a batch was 0.975 at worst). The weights have 7 bits: with 8, the sums of older processors
overflow. The cosine with the vectors of the original is 0.995 in the mean.
"""

import tempfile
from pathlib import Path
from typing import Any

from cleanbreak.errors import DependencyMissingError, ModelMalformedError

CONVERSION = 2
"""Goes up when the graph gives other vectors for the same weights; part of the profile."""

_LAYERS, _HEADS, _WIDTH = 6, 12, 384
_OPSET = 18

# The range of a weight, and of an input of a product around the middle of a byte.
_MOST_WEIGHT, _MOST_INPUT, _MIDDLE = 63, 127, 128


def convert_minilm(weights: Path, target: Path) -> None:
    """Write the graph of MiniLM-L6 to `target`, whole or not at all.

    Raises:
        ModelMalformedError: if the file does not hold the tensors of that model.
        DependencyMissingError: if a library that is needed is not installed.
    """
    onnx, load_file = _libraries()
    try:
        tensors = load_file(weights)
    except Exception as error:
        raise _malformed(weights) from error
    try:
        model = _Graph(onnx, tensors).model()
    except KeyError:
        raise _malformed(weights) from None
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        made = Path(folder) / target.name
        onnx.save(model, made)
        made.replace(target)


def _libraries() -> tuple[Any, Any]:
    try:
        import onnx
        from safetensors.numpy import load_file
    except ImportError as error:
        raise DependencyMissingError(
            "Models on this machine need more packages: pip install 'cleanbreak[local]'",
            package=error.name,
            extra="local",
        ) from None
    return onnx, load_file


def _malformed(path: Path) -> ModelMalformedError:
    return ModelMalformedError(
        f"{path.name!r} does not hold the tensors of MiniLM-L6; fetch it again.", name=path.name
    )


class _Graph:
    """Builds the graph; each method adds nodes and returns the name of their result."""

    def __init__(self, onnx: Any, tensors: dict[str, Any]) -> None:
        import numpy as np

        self._np = np
        self._onnx = onnx
        self._tensors = {
            name.removeprefix("bert."): tensor.astype(np.float32)
            for name, tensor in tensors.items()
            if "position_ids" not in name
        }
        self._nodes: list[Any] = []
        self._as_bytes: dict[str, tuple[str, str]] = {}
        self._constants: list[Any] = []

    def model(self) -> Any:
        """The whole model: ids and mask in, one vector a text and one a token out."""
        onnx, helper = self._onnx, self._onnx.helper
        mask = self._node("Cast", "attention_mask", to=onnx.TensorProto.FLOAT)
        bias = self._attention_bias(mask)
        states = self._norm(self._words(), "embeddings.LayerNorm")
        for layer in range(_LAYERS):
            states = self._layer(states, bias, f"encoder.layer.{layer}.")
        self._nodes.append(helper.make_node("Identity", [states], ["token_embeddings"]))
        self._nodes.append(
            helper.make_node("Identity", [self._mean(states, mask)], ["sentence_embedding"])
        )
        integer, real = onnx.TensorProto.INT64, onnx.TensorProto.FLOAT
        graph = helper.make_graph(
            self._nodes,
            "minilm",
            [
                helper.make_tensor_value_info(name, integer, ["texts", "tokens"])
                for name in ("input_ids", "attention_mask")
            ],
            [
                helper.make_tensor_value_info("sentence_embedding", real, ["texts", _WIDTH]),
                helper.make_tensor_value_info(
                    "token_embeddings", real, ["texts", "tokens", _WIDTH]
                ),
            ],
            self._constants,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
        model.ir_version = 9
        return model

    def _words(self) -> str:
        """The sum of the tables of words, places and kinds; the words in half precision."""
        np, onnx = self._np, self._onnx
        table = self._tensors["embeddings.word_embeddings.weight"].astype(np.float16)
        half = self._node("Gather", self._constant(table), "input_ids")
        words = self._node("Cast", half, to=onnx.TensorProto.FLOAT)
        one = self._constant(np.array(1, np.int64))
        length = self._node("Gather", self._node("Shape", "input_ids"), one, axis=0)
        places = self._node("Range", self._constant(np.array(0, np.int64)), length, one)
        at = self._node("Gather", self._tensor("embeddings.position_embeddings.weight"), places)
        kind = self._constant(self._tensors["embeddings.token_type_embeddings.weight"][0])
        return self._node("Add", self._node("Add", words, at), kind)

    def _attention_bias(self, mask: str) -> str:
        """0 for a token, and so little for padding that it gets no attention."""
        wide = self._node("Unsqueeze", mask, self._numbers(1, 2))
        none = self._node("Sub", self._real(1), wide)
        return self._node("Mul", none, self._real(-1e4))

    def _layer(self, states: str, bias: str, prefix: str) -> str:
        attended = self._attention(states, bias, prefix)
        middle = self._norm(
            self._node("Add", attended, states), prefix + "attention.output.LayerNorm"
        )
        wide = self._gelu(self._linear(middle, prefix + "intermediate.dense"))
        narrow = self._linear(wide, prefix + "output.dense")
        return self._norm(self._node("Add", narrow, middle), prefix + "output.LayerNorm")

    def _attention(self, states: str, bias: str, prefix: str) -> str:
        query = self._heads(states, prefix + "attention.self.query", [0, 2, 1, 3])
        key = self._heads(states, prefix + "attention.self.key", [0, 2, 3, 1])
        value = self._heads(states, prefix + "attention.self.value", [0, 2, 1, 3])
        scale = self._real(1 / (_WIDTH / _HEADS) ** 0.5)
        scores = self._node("Mul", self._node("MatMul", query, key), scale)
        shares = self._node("Softmax", self._node("Add", scores, bias), axis=-1)
        mixed = self._node("Transpose", self._node("MatMul", shares, value), perm=[0, 2, 1, 3])
        joined = self._node("Reshape", mixed, self._numbers(0, 0, _WIDTH))
        return self._linear(joined, prefix + "attention.output.dense")

    def _heads(self, states: str, name: str, order: list[int]) -> str:
        shape = self._numbers(0, 0, _HEADS, _WIDTH // _HEADS)
        return self._node(
            "Transpose", self._node("Reshape", self._linear(states, name), shape), perm=order
        )

    def _linear(self, states: str, name: str) -> str:
        """A product with weights, of integers, with its bias."""
        np, kinds = self._np, self._onnx.TensorProto
        matrix = np.ascontiguousarray(self._tensors[name + ".weight"].T)
        of_channels = np.abs(matrix).max(axis=0) / _MOST_WEIGHT
        integers = self._constant(np.round(matrix / of_channels).astype(np.int8))
        rows, of_rows = self._bytes(states)
        middle = self._constant(np.array(_MIDDLE, np.uint8))
        product = self._node("MatMulInteger", rows, integers, middle)
        scaled = self._node("Mul", self._node("Cast", product, to=kinds.FLOAT), of_rows)
        real = self._node("Mul", scaled, self._constant(of_channels.astype(np.float32)))
        return self._node("Add", real, self._tensor(name + ".bias"))

    def _bytes(self, states: str) -> tuple[str, str]:
        """States as bytes around the middle, and the scale of each row; made once for each."""
        if states not in self._as_bytes:
            most = self._node("ReduceMax", self._node("Abs", states), self._numbers(-1), keepdims=1)
            most = self._node("Max", most, self._real(1e-9))
            stretched = self._node("Mul", states, self._node("Div", self._real(_MOST_INPUT), most))
            # A cast cuts off what is behind the point, so a half is added to round.
            moved = self._node("Add", stretched, self._real(_MIDDLE + 0.5))
            self._as_bytes[states] = (
                self._node("Cast", moved, to=self._onnx.TensorProto.UINT8),
                self._node("Div", most, self._real(_MOST_INPUT)),
            )
        return self._as_bytes[states]

    def _norm(self, states: str, name: str) -> str:
        weight, bias = self._tensor(name + ".weight"), self._tensor(name + ".bias")
        return self._node("LayerNormalization", states, weight, bias, axis=-1, epsilon=1e-12)

    def _gelu(self, states: str) -> str:
        error = self._node("Erf", self._node("Mul", states, self._real(0.5**0.5)))
        product = self._node("Mul", states, self._node("Add", error, self._real(1)))
        return self._node("Mul", product, self._real(0.5))

    def _mean(self, states: str, mask: str) -> str:
        wide = self._node("Unsqueeze", mask, self._numbers(2))
        total = self._node(
            "ReduceSum", self._node("Mul", states, wide), self._numbers(1), keepdims=0
        )
        count = self._node("ReduceSum", wide, self._numbers(1), keepdims=0)
        mean = self._node("Div", total, count)
        return self._node("Div", mean, self._node("ReduceL2", mean, self._numbers(1), keepdims=1))

    # --- parts -----------------------------------------------------------------------------------

    def _node(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"n{len(self._nodes)}"
        self._nodes.append(
            self._onnx.helper.make_node(kind, inputs, [name], name=name, **attributes)
        )
        return name

    def _constant(self, array: Any) -> str:
        name = f"c{len(self._constants)}"
        self._constants.append(self._onnx.numpy_helper.from_array(array, name))
        return name

    def _tensor(self, name: str) -> str:
        return self._constant(self._tensors[name])

    def _real(self, value: float) -> str:
        return self._constant(self._np.array(value, self._np.float32))

    def _numbers(self, *values: int) -> str:
        return self._constant(self._np.array(values, self._np.int64))
