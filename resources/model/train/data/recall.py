"""Telling something in one turn and asking for it later."""

TELL_NAME = ["我叫{n}", "我的名字是{n}", "我的名字叫{n}", "我是{n}", "你好，我叫{n}", "我叫{n}，你呢", "大家叫我{n}", "你可以叫我{n}", "叫我{n}吧", "记住我叫{n}",
             "我叫{n}，请记住", "嗨，我是{n}", "我姓{s}，叫{n}", "认识一下，我叫{n}", "我叫做{n}", "请叫我{n}"]
OK_NAME = ["你好，{n}！", "你好，{n}！很高兴认识你。", "你好，{n}！我记住了。"]
ASK_NAME = ["我叫什么", "我叫什么名字", "我是谁", "你还记得我叫什么吗", "我的名字是什么", "你知道我叫什么吗", "你记得我的名字吗", "还记得我是谁吗", "说出我的名字",
            "我刚才说我叫什么", "那我叫什么", "我的名字叫什么", "你还记得我吗，我叫什么", "你忘了我叫什么吗", "猜猜我叫什么", "我叫啥", "你知道我是谁吗",
            "告诉我我叫什么", "记得我叫什么吗", "我叫什么来着", "我叫什么呀"]
IS_NAME = "你叫{n}。"
FAV = {"颜色": ("color", ["什么颜色", "哪种颜色", "的颜色是什么"]), "水果": ("fruit", ["什么水果", "吃什么水果", "的水果是什么"]),
       "动物": ("animal", ["什么动物", "哪种动物", "的动物是什么"]), "食物": ("food", ["吃什么", "什么食物", "的食物是什么"]),
       "运动": ("sport", ["什么运动", "哪项运动", "的运动是什么"]), "科目": ("subject", ["什么课", "哪门课", "什么科目", "的科目是什么"]),
       "季节": ("season", ["什么季节", "哪个季节", "的季节是什么"]), "爱好": ("hobby", ["干什么", "做什么"]),
       "城市": ("place", ["哪个城市", "什么城市", "的城市是什么"])}
TELL_FAV = ["我最喜欢的{k}是{v}", "我最爱的{k}是{v}", "我喜欢的{k}是{v}", "我最喜欢{v}这个{k}", "告诉你，我最喜欢的{k}是{v}", "记住，我最喜欢的{k}是{v}",
            "在所有{k}里我最喜欢{v}", "{k}里我最喜欢{v}", "{k}我最喜欢{v}"]
TELL_FAV2 = ["我最喜欢{v}", "我特别喜欢{v}", "我最爱{v}", "我喜欢{v}", "我可喜欢{v}了"]
OK_FAV = ["好的，我记住了，你最喜欢{v}。", "好的，我记住了，{v}。"]
ASK_FAV = ["我最喜欢{q}", "我最喜欢{q}来着", "你记得我最喜欢{q}吗", "我刚才说最喜欢{q}", "你知道我最喜欢{q}吗", "还记得我最喜欢{q}吗", "那我最喜欢{q}",
           "说说我最喜欢{q}", "我喜欢{q}", "告诉我我最喜欢{q}"]
IS_FAV = "你最喜欢{v}。"


def make_name(rng, lists):
    if rng.random() < 0.4:
        return "", rng.choice(lists["nick"])
    s = rng.choice(lists["surname"])
    n = s + rng.choice(lists["given"]) + (rng.choice(lists["given"]) if rng.random() < 0.6 else "")
    return s, n


def tell(rng, lists, state, banned):
    if rng.random() < 0.5 and "name" not in state:
        while True:
            s, n = make_name(rng, lists)
            if n not in banned:
                break
        q = rng.choice([t for t in TELL_NAME if s or "{s}" not in t]).format(n=n, s=s)
        state["name"] = n
        return q, rng.choice(OK_NAME).format(n=n)
    free = [k for k in FAV if k not in state]
    k = rng.choice(free or list(FAV))
    v = rng.choice(lists[FAV[k][0]])
    state[k] = v
    if rng.random() < 0.35 or k == "爱好":
        q = rng.choice(TELL_FAV2).format(v=v)
    else:
        q = rng.choice(TELL_FAV).format(k=k, v=v)
    return q, rng.choice(OK_FAV).format(v=v)


def ask(rng, state):
    key = rng.choice([k for k in state])
    if key == "name":
        return rng.choice(ASK_NAME), IS_NAME.format(n=state["name"])
    q = rng.choice(FAV[key][1])
    t = rng.choice([t for t in ASK_FAV if not (q.startswith("的") and t == "我喜欢{q}")])
    return t.format(q=q), IS_FAV.format(v=state[key])
