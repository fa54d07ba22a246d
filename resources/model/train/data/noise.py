"""Small changes of a wording that leave its answer as it is: openings, endings, slips of the keyboard."""
import re

EXACT = {"arith", "mental", "compare", "count", "repeat", "beyond", "nonsense", "english", "tell"}
FEELING = {"distress", "calm"}
ASKS = re.compile(r"[吗么呢几哪谁]|什么|怎|多少|为何|多久|如何|啥|[?？]")
OPEN = ["那", "嗯，", "哎，", "对了，", "喂，", "嗨，", "开口，", "你好，", "哦，", "那个，", "呃，", "在吗，", "诶，", "哎呀，", "跟你说，", "话说，", "嘿，",
        "哈喽，", "老铁，", "亲，", "同学，", "您好，", "小模型，", "朋友，", "喂喂，", "老师好，", "还有，"]
OPEN_ASK = ["请问", "那么", "我想问", "我想问一下，", "问一下，", "请问一下，", "老师让我问，", "再问一个，", "我问你，", "小朋友，", "快说，", "同学问，", "麻烦问一下，",
            "弱弱地问一句，", "考考你，", "突然想知道，", "很好奇，", "有个问题，", "劳驾，", "请教一下，", "打扰了，", "快告诉我，", "你说，", "说，", "请教：",
            "问题：", "我有个问题：", "帮我看看，", "大哥，", "喂，问你，"]
OPEN_FEEL = ["唉，", "其实", "说真的，", "老实说，", "我想说，", "跟你说个事，", "唉", "呜呜，", "怎么办，", "我跟你讲，", "说实话，", "你知道吗，", "你听我说，"]
END_ASK = ["呢", "啊", "呀", "，谢谢", "，快说", "，可以吗", "嘛", "哦", "，告诉我", "，我想知道", "，好吗", "来着", "，谢谢你", "，急", "，说说看", "，简单点", "，快", "，在线等",
           "，麻烦了", "，拜托", "，回答我"]
END_SAY = ["啊", "呀", "啦", "哦", "，好吗", "，谢谢", "吧", "哈", "，快点", "，拜托"]
END_FEEL = ["啊", "唉", "，唉", "，怎么办", "，真的", "……", "呜呜", "，呜呜呜", "呀", "，你懂吗", "，怎么办啊", "，是真的", "哎", "，谁懂啊", "，不知道怎么说"]
STOPS = ["", "", "", "", "", "？", "？", "？", "?", "。", "！", "??", "…", "~", "，", " ", "!", ".", "。。", "？？"]
SWAP = [("什么", "啥"), ("怎么", "咋"), ("你", "您"), ("吗", "么"), ("吗", "嘛"), ("哪里", "哪儿"), ("知道", "晓得"), ("一个", "个"), ("为什么", "为啥"),
        ("怎么样", "咋样"), ("讲", "说"), ("现在", "这会儿"), ("我们", "咱们"), ("怎样", "怎么样"), ("你能", "你可以"), ("能不能", "可不可以"), ("非常", "很"),
        ("没有", "没"), ("好像", "好象")]
TYPO = [("再", "在"), ("在", "再"), ("的", "得"), ("的", "地"), ("得", "的"), ("吗", "嘛"), ("吗", "马"), ("做", "作"), ("作", "做"), ("那", "哪"), ("哪", "那"), ("他", "她"),
        ("像", "象"), ("带", "戴"), ("坐", "座"), ("呢", "ne"), ("了", "啦"), ("了", "勒"), ("吧", "把")]
FILLER = ["到底", "究竟", "其实", "现在", "真的", "自己", "们", "平时", "这个程序"]
HAN = re.compile(r"(?![一二三四五六七八九十百千零两不没])[\u4e00-\u9fff]")


def case_slip(q, rng):
    """English terms in other capitals, sometimes set off by spaces or in full width."""
    how = rng.choice([str.lower, str.upper, str.capitalize, str.title, lambda w: w[:1].lower() + w[1:]])
    q = re.sub(r"[A-Za-z][A-Za-z .-]*[A-Za-z]", lambda m: how(m.group(0)), q)
    if rng.random() < 0.4:
        q = re.sub(r"(?<=[\u4e00-\u9fff])(?=[A-Za-z])|(?<=[A-Za-z])(?=[\u4e00-\u9fff])", " ", q)
    elif rng.random() < 0.15:
        q = re.sub(r"[A-Za-z]", lambda m: chr(ord(m.group(0)) + 0xFEE0), q)
    return q


def key_slip(q, rng):
    """A doubled character, a lost particle, a homophone or spaces: words of weight stay whole."""
    han = [m.start() for m in HAN.finditer(q)]
    if not han:
        return q
    r, i = rng.random(), rng.choice(han)
    if r < 0.2:
        return q[:i] + q[i] + q[i:]
    if r < 0.45:
        lost = [j for j in range(1, len(q)) if q[j] in "的了吗呢啊"]
        return q if not lost else (lambda j: q[:j] + q[j + 1:])(rng.choice(lost))
    if r < 0.75:
        old, new = rng.choice([p for p in TYPO if p[0] in q] or [("", "")])
        return q.replace(old, new, 1) if old else q
    if r < 0.92:
        return q[:i] + " " + q[i:] if i else q
    return re.sub(r"(?<=[\u4e00-\u9fff])(?=[\u4e00-\u9fff])", " ", q) if len(q) < 13 else q


def mark_slip(q, rng):
    """Full-width marks written half width, or left out."""
    new = rng.choice([",", " ", "", "，，", ", "])
    return q.replace("，", new).replace("：", rng.choice([":", " ", "："]))


def framed(q, kind, rng):
    asks = bool(ASKS.search(q))
    feel = kind in FEELING
    if len(q) > 2 and rng.random() < 0.16:
        more = OPEN_FEEL if feel else OPEN_ASK if asks else OPEN
        q = rng.choice(more if rng.random() < 0.6 else OPEN) + q
    if len(q) > 2 and rng.random() < 0.1:
        end = rng.choice(END_FEEL if feel else END_ASK if asks else END_SAY)
        if end[0] in "，…" or q[-1] not in "吗呢啊吧呀嘛么哦啦了":
            q += end
    return q


def noisy(q, kind, rng):
    """Small changes of the wording that leave the answer as it is."""
    if kind in EXACT:
        if kind in ("arith", "mental", "compare", "beyond") and rng.random() < 0.1:
            q = rng.choice(OPEN_ASK + OPEN) + q
        return q + (rng.choice(["？", "?", "", "。", ""]) if kind not in ("repeat", "nonsense", "tell") and rng.random() < 0.3 else "")
    q = q.strip("，")
    for old, new in SWAP:
        if old in q and rng.random() < 0.06:
            q = q.replace(old, new, 1)
    if q.startswith("你") and not q.startswith(("你好", "你们")) and rng.random() < 0.05:
        q = "你" + rng.choice(FILLER) + q[1:]
    if len(q) > 4 and rng.random() < 0.07:
        q = key_slip(q, rng)
    if rng.random() < 0.2 and re.search(r"[A-Za-z]{2}", q):
        q = case_slip(q, rng)
    q = framed(q, kind, rng)
    if "，" in q and rng.random() < 0.25:
        q = mark_slip(q, rng)
    return q + rng.choice(STOPS)
