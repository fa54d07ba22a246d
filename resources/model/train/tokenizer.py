"""Byte-level BPE: python -m train.tokenizer DATA.jsonl OUT/tokenizer.json [--vocab 2800]

Special tokens first, then all 256 bytes, then merges.  Digits and punctuation stand alone; no token is longer
than 4 characters or crosses punctuation.  Only standard Hugging Face pre-tokenizers are used."""
import argparse
import json
import os
import sys

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

SPECIAL = ["<bos>", "<eos>", "<pad>"]
PATTERN = "[一-鿿]+|[A-Za-z]{1,4}|[^一-鿿A-Za-z]"


def build():
    tok = Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(PATTERN), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tok.decoder = decoders.ByteLevel()
    return tok


def texts(path):
    with open(path, encoding="utf-8") as f:
        for line in f:
            yield "\n".join(f"用户:{q}\n助手:{a}" for q, a in json.loads(line))


def check(tok):
    vocab = tok.get_vocab()
    missing = [c for c in pre_tokenizers.ByteLevel.alphabet() if c not in vocab]
    if missing:
        sys.exit(f"train: tokenizer lacks {len(missing)} of the 256 bytes")
    for i in range(len(vocab)):
        text = tok.decode([i])
        if len(text) > 4 and i > 2:
            sys.exit(f"train: token {i} is longer than 4 characters")
    for text in ("用户:你好 世界\n助手:Abc123，9.9\t😀鑫€", ""):
        if tok.decode(tok.encode(text).ids) != text:
            sys.exit("train: tokenizer does not give the text back")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("data")
    ap.add_argument("out")
    ap.add_argument("--vocab", type=int, default=2800)
    ap.add_argument("--force", action="store_true")
    args = ap.parse_args()
    if not os.path.isfile(args.data):
        sys.exit(f"train: missing {args.data}")
    if os.path.exists(args.out) and not args.force:
        sys.exit(f"train: {args.out} exists; use --force to write it again")
    tok = build()
    trainer = trainers.BpeTrainer(vocab_size=args.vocab, special_tokens=SPECIAL, show_progress=False, max_token_length=12,
                                  initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()))
    tok.train_from_iterator(texts(args.data), trainer)
    check(tok)
    tok.save(args.out)
    sample = [t for _, t in zip(range(2000), texts(args.data))]
    n = sum(len(tok.encode(t).ids) for t in sample)
    single = sum(len(tok.decode([i])) == 1 for i in range(3 + 256, tok.get_vocab_size()))
    print(f"vocab {tok.get_vocab_size()} tokens per character {n / sum(map(len, sample)):.3f} single characters {single}")


if __name__ == "__main__":
    main()
