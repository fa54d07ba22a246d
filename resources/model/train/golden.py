"""Answers of PyTorch for the embedded model, for tests/golden/builtin.json: python -m train.golden FOLDER OUT.json

The stored bf16 weights are widened to f32; per prompt the ids, the 20 largest logits after it, 24 greedy ids and
the margin (best minus second logit) of each step."""
import json
import sys

import torch

from .evaluate import load, prompt_ids

QUESTIONS = ["你好", "你是谁", "1+1等于几", "99+1", "37+48", "52-19", "9.11和9.9哪个大", "讲一个关于猫的故事", "讲个笑话", "什么是温度",
             "什么是注意力机制", "top-p是什么", "中国的首都是哪里", "美国总统是谁", "红色还是蓝色好看？", "我不想活了", "hello", "asdfghjkl", "大的反义词是什么"]
CHAT = [{"role": "user", "content": "我叫小明"}, {"role": "assistant", "content": "你好，小明。"}, {"role": "user", "content": "我叫什么名字"}]
STEPS = 24


@torch.no_grad()
def answer(model, ids):
    logits = model.head(model.hidden(torch.tensor([ids])))[0, -1]
    values, top = torch.topk(logits, 20)
    seen, greedy, margins = list(ids), [], []
    for _ in range(STEPS):
        step = model.head(model.hidden(torch.tensor([seen])))[0, -1]
        best = torch.topk(step, 2)
        greedy.append(int(best.indices[0]))
        margins.append(round(float(best.values[0] - best.values[1]), 6))
        seen.append(greedy[-1])
    return {"top_ids": top.tolist(), "top_logits": [round(v, 6) for v in values.tolist()], "greedy": greedy, "margins": margins}


def main():
    model, tok = load(sys.argv[1])
    model = model.float()
    chats = [[{"role": "user", "content": q}] for q in QUESTIONS] + [CHAT]
    rows = []
    for chat in chats:
        ids = prompt_ids(tok, chat)
        rows.append({"messages": chat, "ids": ids, **answer(model, ids)})
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump({"torch": torch.__version__, "rows": rows}, file, ensure_ascii=True, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
