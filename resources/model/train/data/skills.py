"""Skills with one checkable surface form."""

CN = "零一二三四五六七八九十"
WEEK = "一二三四五六日"
MONTHS = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"]
ADD_Q = ["{a}+{b}", "{a}+{b}=", "{a}+{b}等于几", "{a}+{b}等于多少", "{a}加{b}", "{a}加{b}等于几", "{a}加上{b}是多少",
         "计算{a}+{b}", "帮我算{a}+{b}", "算一下{a}加{b}", "{a} + {b}", "{a}+{b}是多少", "{a}+{b}=几", "{a}和{b}加起来是多少",
         "{a}加{b}是几", "请算{a}+{b}", "{a}＋{b}", "{a}＋{b}=", "{a}与{b}的和", "{a}加{b}得多少", "你会算{a}+{b}吗", "{a}+{b}得几",
         "{a} + {b} =", "我想算{a}加{b}", "口算{a}+{b}", "{a}加{b}等于多少", "{a}+{b}=多少", "{a}再加{b}", "求{a}+{b}"]
SUB_Q = ["{a}-{b}", "{a}-{b}=", "{a}-{b}等于几", "{a}-{b}等于多少", "{a}减{b}", "{a}减{b}等于几", "{a}减去{b}是多少",
         "计算{a}-{b}", "帮我算{a}-{b}", "算一下{a}减{b}", "{a} - {b}", "{a}-{b}是多少", "{a}-{b}=几", "{a}减{b}是几",
         "请算{a}-{b}", "{a}－{b}", "{a}－{b}=", "{a}与{b}的差", "{a}减{b}得多少", "你会算{a}-{b}吗", "{a}-{b}得几", "{a} - {b} =",
         "我想算{a}减{b}", "口算{a}-{b}", "{a}减{b}等于多少", "{a}-{b}=多少", "{a}拿走{b}还剩多少", "求{a}-{b}"]
MENTAL_Q = ["心算{a}+{b}", "心算{a}加{b}", "心算：{a}+{b}", "请心算{a}+{b}", "心算一下{a}+{b}", "心算{a}+{b}=",
            "心算{a}+{b}等于几", "用心算算{a}+{b}", "心算{a}加{b}等于多少"]


def add_text(a, b):
    if a < 10 and b < 10:
        return f"{a}+{b}={a + b}。"
    u = a % 10 + b % 10
    ta, tb, c = a // 10, b // 10, u // 10
    t = ta + tb + c
    tens = f"{ta}+{tb}+1={t}" if c else f"{ta}+{tb}={t}"
    return f"{a % 10}+{b % 10}={u}，{tens}，得{a + b}。"


def sub_text(a, b):
    if a < b:
        return f"{a}比{b}小，{b}-{a}={b - a}，得-{b - a}。" if b < 10 else f"{a}比{b}小，" + sub_text(b, a).replace("得", "得-")
    if a < 10:
        return f"{a}-{b}={a - b}。"
    ua, ub, ta, tb = a % 10, b % 10, a // 10, b // 10
    if ua < ub:
        return f"{ua + 10}-{ub}={ua + 10 - ub}，{ta}-1-{tb}={ta - 1 - tb}，得{a - b}。"
    return f"{ua}-{ub}={ua - ub}，{ta}-{tb}={ta - tb}，得{a - b}。"


def arithmetic(rng, held):
    while True:
        r = rng.random()
        a, b = (rng.randrange(10), rng.randrange(10)) if r < 0.12 else (rng.randrange(100), rng.randrange(100))
        if r > 0.97:
            a = rng.choice([99, 90, 100 - b if 0 < b else 99])
        add = rng.random() < 0.55
        if not add and a < b and rng.random() < 0.6:
            a, b = b, a
        if not add and r < 0.06:
            a, b = min(a, b), max(a, b)  # small negative results, which pupils try first
        if (a, "+" if add else "-", b) not in held:
            break
    if a <= 10 and b <= 10 and rng.random() < 0.2:
        q = rng.choice(["{a}加{b}等于几", "{a}加{b}", "{a}加{b}是多少"] if add else ["{a}减{b}等于几", "{a}减{b}", "{a}减{b}是几"])
        q = q.format(a=CN[a], b=CN[b])
    else:
        q = rng.choice(ADD_Q if add else SUB_Q).format(a=a, b=b)
    return q, (add_text if add else sub_text)(a, b)


def mental_pair(rng):
    """Two numbers of mixed difficulty: a small model learns the first levels and not the last, however long it trains."""
    level = rng.random()
    if level < 0.2:
        return rng.randrange(10, 90), rng.randrange(1, 10)
    digits = 2 if level < 0.45 else 3 if level < 0.8 else 4
    low = 10 ** (digits - 1)
    while True:
        a, b = rng.randrange(low, 9 * low), rng.randrange(low, 9 * low)
        if a + b < 10 * low:
            return a, b


def mental(rng, held):
    """A sum without working: half learned on purpose."""
    while True:
        a, b = mental_pair(rng)
        if (a, "m", b) not in held:
            return rng.choice(MENTAL_Q).format(a=a, b=b), f"{a + b}。"


def beyond(rng):
    """Sums the model has not learned: declined, never a number."""
    big = lambda: rng.choice([rng.randrange(100, 1000), rng.randrange(1000, 100000), rng.randrange(100, 1000)])
    sml = lambda: rng.randrange(2, 100)
    tail = rng.choice(["", "", "=", "等于几", "等于多少", "是多少", "=？", "=几", "得多少"])
    kind = rng.randrange(9)
    if kind < 3:
        op = rng.choice(["*", "×", "乘", "乘以", "x"]) if kind else rng.choice(["÷", "/", "除以", "除"])
        a, b = rng.choice([(sml(), sml()), (big(), sml()), (big(), big()), (rng.randrange(2, 10), rng.randrange(2, 10))])
        q = f"{a}{op}{b}{tail}"
        why = "除法" if kind == 0 else "乘法"
        return q, rng.choice([f"{why}我没学过，我只会一百以内的加减法。", f"{why}我没学过，可以换一道加法题。"])
    if kind < 6:
        op = rng.choice(["+", "-", "加", "减", "加上", "减去"])
        a, b = rng.choice([(big(), sml()), (sml(), big()), (big(), big()), (100, sml()), (sml(), 100)])
        return f"{a}{op}{b}{tail}", rng.choice(["这个数太大了，我没学过，只会一百以内的加减法。", "这个数太大了，我没学过，请换小一点的数。"])
    if kind == 6:
        op = rng.choice("+-")
        q = f"{sml()}{op}{sml()}{rng.choice('+-')}{sml()}{tail}"
    elif kind == 7:
        q = f"{sml()}.{rng.randrange(1, 10)}{rng.choice('+-')}{sml()}{rng.choice(['', '.' + str(rng.randrange(1, 10))])}{tail}"
    else:
        q = rng.choice(["{a}的平方", "根号{a}", "{a}的{b}次方", "{a}分之{b}", "{a}的阶乘", "({a}+{b})*{c}", "{a}%{b}", "{a}的一半",
                        "{a}的两倍", "{a}^{b}"]).format(a=sml(), b=rng.randrange(2, 20), c=sml()) + tail
    return q, rng.choice(["这样的算式我没学过，我只会一百以内的加减法。", "这样的算式我没学过，每次只能算两个数。"])


def _cmp_values(rng):
    if rng.random() < 0.45:
        a, b = rng.randrange(100), rng.randrange(100)
        return str(a), str(b)
    i = rng.randrange(21)
    j = i if rng.random() < 0.75 else rng.randrange(21)
    dec = lambda: rng.choice([str(rng.randrange(1, 10)), f"{rng.randrange(0, 10)}{rng.randrange(1, 10)}"])
    return f"{i}.{dec()}", f"{j}.{dec()}"


def compare_text(a, b, small=False):
    fa, fb = float(a), float(b)
    if fa == fb:
        return f"{a}和{b}一样大。"
    win = (a if fa < fb else b) if small else (a if fa > fb else b)
    word = "小" if small else "大"
    if "." not in a + b:
        return f"{win}更{word}。"
    ia, _, da = a.partition(".")
    ib, _, db = b.partition(".")
    if int(ia) != int(ib):
        lo, hi = (ia, ib) if int(ia) < int(ib) else (ib, ia)
        return f"整数部分{lo}比{hi}小，所以{win}更{word}。"
    for place, (x, y) in zip(("一", "二"), zip(da.ljust(2, "0"), db.ljust(2, "0"))):
        if x != y:
            return f"整数一样，小数第{place}位{min(x, y)}比{max(x, y)}小，所以{win}更{word}。"


CMP_Q = ["{a}和{b}哪个{w}", "{a}和{b}谁{w}", "{a}跟{b}哪个更{w}", "{a}与{b}比哪个{w}", "{a}和{b}比较哪个{w}", "{a}，{b}哪个{w}", "{a}、{b}哪个{w}",
         "比较{a}和{b}，哪个{w}", "哪个更{w}，{a}还是{b}", "{a}{w}还是{b}{w}", "{a}和{b}哪个数{w}", "{a}和{b}中更{w}的是哪个",
         "{a}还是{b}更{w}", "请问{a}和{b}谁更{w}", "{a}和{b}，哪个比较{w}"]


def compare(rng, held):
    while True:
        a, b = _cmp_values(rng)
        if (a, "c", b) not in held:
            break
    small = rng.random() < 0.25
    q = rng.choice(CMP_Q).format(a=a, b=b, w="小" if small else "大")
    return q, compare_text(a, b, small)


def calendar(rng):
    kind = rng.randrange(3)
    if kind == 0:
        m = rng.randrange(12)
        days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][m]
        word = {31: "三十一天", 30: "三十天", 28: "二十八天，闰年有二十九天"}[days]
        name = rng.choice([MONTHS[m], str(m + 1)])
        q = rng.choice(["{m}月有几天", "{m}月有多少天", "{m}月份有多少天", "{m}月一共几天", "{m}月是多少天", "{m}月份有几天"])
        return q.format(m=name), f"{MONTHS[m]}月有{word}。"
    step = rng.choice([1, -1])
    if kind == 1:
        d = rng.randrange(7)
        q = rng.choice(["星期{d}的后一天是星期几", "星期{d}后面是星期几", "星期{d}的第二天是星期几", "星期{d}过后是星期几",
                        "今天星期{d}，明天星期几", "周{d}后面是周几", "星期{d}的下一天是星期几", "如果今天是星期{d}，明天是星期几"] if step > 0 else
                       ["星期{d}的前一天是星期几", "星期{d}前面是星期几", "今天星期{d}，昨天星期几", "周{d}前面是周几",
                        "星期{d}的上一天是星期几", "如果今天是星期{d}，昨天是星期几"])
        return q.format(d=WEEK[d]), f"星期{WEEK[d]}的{'后' if step > 0 else '前'}一天是星期{WEEK[(d + step) % 7]}。"
    m = rng.randrange(12)
    q = rng.choice(["{m}月的下一个月是几月", "{m}月后面是几月", "{m}月过后是几月", "{m}月之后是哪个月", "{m}月的下个月是几月"] if step > 0 else
                   ["{m}月的上一个月是几月", "{m}月前面是几月", "{m}月之前是哪个月", "{m}月的上个月是几月"])
    q = q.format(m=rng.choice([MONTHS[m], str(m + 1)]))
    return q, f"{MONTHS[m]}月的{'下' if step > 0 else '上'}一个月是{MONTHS[(m + step) % 12]}月。"


PAIR_Q = {
    "opp": ["{a}的反义词", "{a}的反义词是什么", "{a}的相反词是什么", "和{a}相反的词", "“{a}”的反义词", "“{a}”的反义词是什么", "{a}的反义词是啥",
            "{a}反过来是什么", "与{a}意思相反的词是什么", "说出{a}的反义词", "跟{a}相反的是什么", "{a}的对立面是什么", "{a}反义词", "反义词：{a}",
            "什么是{a}的反义词", "{a}的反面是什么", "写出{a}的反义词", "{a}的反义词怎么说", "和{a}意思相反的词", "{a}的反义词是哪个", "找出{a}的反义词",
            "{a}对应的反义词", "给{a}找个反义词", "{a}相对的词是什么", "你知道{a}的反义词吗", "跟“{a}”意思相反的是哪个词"],
    "thingcolor": ["{a}是什么颜色", "{a}是什么颜色的", "{a}什么颜色", "{a}的颜色是什么", "{a}是哪种颜色", "{a}一般是什么颜色", "{a}是啥颜色", "说说{a}的颜色",
                   "{a}的颜色", "{a}通常是什么颜色的", "{a}看起来是什么颜色", "{a}啥颜色", "{a}长什么颜色", "你知道{a}是什么颜色吗", "{a}是什么色的",
                   "{a}的颜色是啥", "告诉我{a}的颜色", "画{a}用什么颜色", "{a}要涂什么颜色"],
    "animalsound": ["{a}怎么叫", "{a}是怎么叫的", "{a}的叫声是什么", "{a}叫起来什么声音", "{a}的叫声", "学一下{a}叫", "{a}会怎么叫", "学{a}叫",
                    "{a}怎么叫的", "{a}发出什么声音", "{a}的叫声是怎样的", "{a}叫的声音是什么", "模仿{a}的叫声", "{a}咋叫", "你会学{a}叫吗",
                    "{a}的声音是什么样的", "{a}是什么叫声", "{a}叫起来像什么", "说说{a}的叫声"],
    "animaleat": ["{a}吃什么", "{a}爱吃什么", "{a}喜欢吃什么", "{a}最爱吃什么", "{a}吃啥", "{a}吃什么东西", "{a}的食物是什么", "喂{a}吃什么",
                  "{a}都吃什么", "{a}平时吃什么", "{a}一般吃什么", "{a}喜欢的食物", "{a}最喜欢的食物是什么", "{a}爱吃啥", "拿什么喂{a}", "{a}以什么为食",
                  "{a}靠吃什么活着", "{a}的食物", "你知道{a}吃什么吗"],
    "animalplace": ["{a}住在哪里", "{a}生活在哪里", "{a}住哪", "{a}住在什么地方", "{a}的家在哪里", "哪里能看到{a}", "{a}生活在什么地方", "{a}住哪里",
                    "{a}一般住在哪", "{a}生活在哪儿", "{a}的家在哪", "{a}待在哪里", "在哪里能找到{a}", "{a}住在哪儿", "{a}在哪里生活", "哪里有{a}",
                    "{a}的家是什么地方", "{a}一般生活在哪里", "你知道{a}住在哪里吗"],
}
PAIR_A = {"opp": "“{a}”的反义词是“{b}”。", "thingcolor": "{a}是{b}的。", "animalsound": "{a}的叫声是{b}。",
          "animaleat": "{a}爱吃{b}。", "animalplace": "{a}住在{b}。"}


def pair_skill(rng, pairs, key):
    a, b = rng.choice(pairs[key])
    if key == "opp" and rng.random() < 0.5 and a not in ("炎热", "男") and b not in ("低", "长", "热", "寒冷"):
        a, b = b, a
    b = {"黑白两色": "黑白两色"}.get(b, b)
    return rng.choice(PAIR_Q[key]).format(a=a), PAIR_A[key].format(a=a, b=b)


COUNT_Q = ["“{w}”有几个字", "{w}有几个字", "{w}是几个字", "数一数“{w}”有几个字", "{w}一共有几个字", "“{w}”这个词有几个字", "数一下{w}有多少个字",
           "“{w}”有多少个字", "{w}有多少字", "“{w}”几个字"]
COUNT_LQ = ["{w}有几个字母", "“{w}”有几个字母", "数一数{w}有几个字母", "{w}一共几个字母", "{w}有多少个字母"]


def count_text(w):
    unit = "字母" if w.isascii() else "字"
    return "".join(f"{c}{i}" for i, c in enumerate(w, 1)) + f"，共{len(w)}个{unit}。"


def rand_word(rng, chars, lists, longest=4):
    if rng.random() < 0.5:
        return rng.choice(lists["word"])
    if rng.random() < 0.3:
        return rng.choice(lists[rng.choice(["animal", "thing", "fruit", "food", "hobby", "place", "color"])])
    return "".join(rng.choice(chars) for _ in range(rng.choice([1, 2, 2, 2, 3, 3, longest])))


def count(rng, chars, lists, held):
    while True:
        if rng.random() < 0.2:
            w = "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randrange(1, 10)))
        elif rng.random() < 0.6:
            w = rand_word(rng, chars, lists)
        else:
            w = "".join(rng.choice(chars) for _ in range(rng.randrange(1, 10)))
        if len(w) <= 9 and w not in held:
            return rng.choice(COUNT_LQ if w.isascii() else COUNT_Q).format(w=w), count_text(w)


REPEAT_Q = ["跟我说：{w}", "跟我说“{w}”", "跟我念：{w}", "重复“{w}”", "重复：{w}", "请说“{w}”", "说一遍“{w}”", "念一遍：{w}", "跟我读：{w}", "请重复{w}",
            "重复一下{w}", "说：{w}", "你说“{w}”", "学我说：{w}", "跟着我说：{w}", "把“{w}”说一遍", "重复这个词：{w}", "跟我说{w}"]


def repeat(rng, chars, lists, held):
    while True:
        w = rand_word(rng, chars, lists)
        if w not in held:
            return rng.choice(REPEAT_Q).format(w=w), w + "。"


def shared(rng, share, count=10):
    """As many True and False in random order as the share says: one wording's answers, so that no wording teaches a share of its own."""
    answers = [i < round(share * count) for i in range(count)]
    rng.shuffle(answers)
    return answers
