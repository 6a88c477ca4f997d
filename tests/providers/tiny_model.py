"""A folder with a tiny ONNX model and its tokenizer, made for a test. Needs the extra local."""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = ("sea", "ship", "storm", "hill", "road", "town", "bell", "night")
DIMENSIONS = 5
VOCABULARY = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2} | {word: n for n, word in enumerate(WORDS, 3)}


def table(words: int = len(VOCABULARY)) -> np.ndarray:
    """The vector of each token."""
    return np.random.default_rng(3).normal(size=(words, DIMENSIONS)).astype(np.float32)


def write_model(
    folder: Path, *, pooled: bool = False, most_tokens: int | None = 8, special: bool = True
) -> Path:
    """Write ``model.onnx``, ``tokenizer.json`` and ``config.json``; each token is looked up.

    Args:
        folder: made if it is missing.
        pooled: whether the model gives the mean over the tokens, and not one vector a token.
        most_tokens: what the configuration says; ``None`` writes none.
        special: whether the tokenizer puts special tokens around a text.
    """
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(_graph(pooled=pooled), folder / "model.onnx")
    tokenizer = Tokenizer(models.WordLevel(VOCABULARY, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    if special:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
        )
    tokenizer.enable_truncation(4)  # as many are published; it must not count
    tokenizer.save(str(folder / "tokenizer.json"))
    if most_tokens is not None:
        config = {"max_position_embeddings": most_tokens}
        (folder / "config.json").write_text(json.dumps(config), "utf-8")
    return folder


def _graph(*, pooled: bool) -> onnx.ModelProto:
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    constants = [numpy_helper.from_array(table(), "table")]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["tokens"])]
    shape: list[str | int] = ["texts", "tokens", DIMENSIONS]
    if pooled:
        shape = ["texts", DIMENSIONS]
        constants += [numpy_helper.from_array(np.array([2]), "last")]
        constants += [numpy_helper.from_array(np.array([1]), "middle")]
        nodes += [
            helper.make_node("Cast", ["attention_mask"], ["real"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["real", "last"], ["mask"]),
            helper.make_node("Mul", ["tokens", "mask"], ["kept"]),
            helper.make_node("ReduceSum", ["kept", "middle"], ["sum"], keepdims=0),
            helper.make_node("ReduceSum", ["mask", "middle"], ["count"], keepdims=0),
            helper.make_node("Div", ["sum", "count"], ["mean"]),
        ]
    else:
        nodes += [helper.make_node("Identity", ["tokens"], ["mean"])]
    output = helper.make_tensor_value_info("mean", TensorProto.FLOAT, shape)
    graph = helper.make_graph(nodes, "tiny", inputs, [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    model.ir_version = 9
    return model
