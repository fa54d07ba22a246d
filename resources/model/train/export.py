"""Writes the files of the product: python -m train.export CHECKPOINT.pt TOKENIZER.json OUTDIR [--force] [--unfinished]"""
import argparse
import hashlib
import json
import os
import shutil
import struct
import sys

import torch

from .batches import BOS, EOS, PAD, load_tokenizer
from .model import to_hf

TYPES = {"BF16": torch.bfloat16, "F16": torch.float16, "F32": torch.float32}


def write_safetensors(path, tensors):
    header, blobs, at = {"__metadata__": {"format": "pt"}}, [], 0
    for name in sorted(tensors):
        t = tensors[name].detach().to(torch.bfloat16).contiguous()
        blob = t.view(torch.int16).numpy().tobytes()
        header[name] = {"dtype": "BF16", "shape": list(t.shape), "data_offsets": [at, at + len(blob)]}
        blobs.append(blob)
        at += len(blob)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path + ".part", "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))
    os.replace(path + ".part", path)


def read_safetensors(path):
    if not os.path.isfile(path):
        sys.exit(f"train: missing {path}")
    with open(path, "rb") as f:
        data = f.read()
    n = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + n])
    out = {}
    for name, e in header.items():
        if name != "__metadata__":
            a, b = e["data_offsets"]
            flat = torch.frombuffer(bytearray(data[8 + n + a:8 + n + b]), dtype=TYPES[e["dtype"]])
            out[name] = flat.reshape(e["shape"]).float()
    return out


def config(cfg, vocab):
    return {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "hidden_size": cfg["hidden"],
        "intermediate_size": cfg["ffn"], "num_hidden_layers": cfg["layers"], "num_attention_heads": cfg["heads"],
        "num_key_value_heads": cfg["kv_heads"], "head_dim": cfg["hidden"] // cfg["heads"], "vocab_size": vocab,
        "max_position_embeddings": cfg["context"], "rms_norm_eps": cfg["eps"], "rope_theta": cfg["theta"], "rope_scaling": None,
        "attention_bias": False, "mlp_bias": False, "tie_word_embeddings": True, "bos_token_id": BOS, "eos_token_id": EOS,
        "pad_token_id": PAD, "initializer_range": 0.02, "torch_dtype": "bfloat16", "use_cache": True}


def read_config(folder):
    path = os.path.join(folder, "config.json")
    if not os.path.isfile(path):
        sys.exit(f"train: missing {path}")
    with open(path, encoding="utf-8") as f:
        c = json.load(f)
    cfg = {"hidden": c["hidden_size"], "layers": c["num_hidden_layers"], "heads": c["num_attention_heads"],
           "kv_heads": c["num_key_value_heads"], "ffn": c["intermediate_size"], "context": c["max_position_embeddings"],
           "theta": c["rope_theta"], "eps": c["rms_norm_eps"]}
    return cfg, c["vocab_size"]


TEMPLATE = ("{{ bos_token }}{% for m in messages %}{% if m['role'] == 'user' %}用户:{{ m['content'] }}\n{% elif m['role'] == 'assistant' %}"
            "助手:{{ m['content'] }}\n{% endif %}{% endfor %}{% if add_generation_prompt %}助手:{% endif %}")


def write_json(folder, name, value):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        json.dump(value, f, ensure_ascii=False, indent=2)
        f.write("\n")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("checkpoint")
    ap.add_argument("tokenizer")
    ap.add_argument("out")
    ap.add_argument("--force", action="store_true", help="overwrite finished weights")
    ap.add_argument("--unfinished", action="store_true", help="accept a checkpoint of a run that is not over")
    args = ap.parse_args()
    from .train import read_checkpoint
    if not os.path.isfile(args.checkpoint):
        sys.exit(f"train: missing {args.checkpoint}")
    state = read_checkpoint(args.checkpoint)
    load_tokenizer(args.tokenizer)
    with open(args.tokenizer, "rb") as f:
        if hashlib.sha256(f.read()).hexdigest() != state["tokenizer"]:
            sys.exit("train: the checkpoint was made with another tokenizer")
    if not state["finished"] and not args.unfinished:
        sys.exit(f"train: training stopped at step {state['step']}; --resume it, or pass --unfinished")
    target = os.path.join(args.out, "model.safetensors")
    if os.path.exists(target) and not args.force:
        sys.exit(f"train: {target} exists; use --force to overwrite it")
    os.makedirs(args.out, exist_ok=True)
    if shutil.disk_usage(args.out).free < 50 << 20:
        sys.exit(f"train: less than 50 MB free in {args.out}")
    from .model import Model
    model = Model(state["cfg"], state["vocab"])
    model.load_state_dict(state["model"])
    write_safetensors(target, to_hf(model))
    write_json(args.out, "config.json", config(state["cfg"], state["vocab"]))
    write_json(args.out, "generation_config.json", {"bos_token_id": BOS, "eos_token_id": EOS, "pad_token_id": PAD, "do_sample": True,
                                                    "temperature": 0.7, "top_p": 0.9, "repetition_penalty": 1.0})
    write_json(args.out, "tokenizer_config.json", {
        "tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<bos>", "eos_token": "<eos>", "pad_token": "<pad>",
        "add_bos_token": True, "model_max_length": state["cfg"]["context"], "clean_up_tokenization_spaces": False, "chat_template": TEMPLATE})
    if os.path.abspath(args.tokenizer) != os.path.abspath(os.path.join(args.out, "tokenizer.json")):
        shutil.copyfile(args.tokenizer, os.path.join(args.out, "tokenizer.json"))
    size = sum(os.path.getsize(os.path.join(args.out, n)) for n in os.listdir(args.out))
    print(f"step {state['step']} minutes {state['minutes']:.1f} finished {state['finished']} bytes {size}")


if __name__ == "__main__":
    main()
