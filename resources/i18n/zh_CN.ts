<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
    <context>
        <name>DefaultsText</name>
    <message numerus="yes">
        <source>, %n thread(s)</source>
        <translation>
            <numerusform>，%n 个线程</numerusform>
        </translation>
    </message>
        <message>
            <source>built-in model</source>
            <translation>内置模型</translation>
        </message>
        <message>
            <source>Defaults of a base model: it goes on writing, so some dice and a little repetition penalty.</source>
            <translation>基础模型的默认参数：它只会续写，所以掷骰子，并略加重复惩罚。</translation>
        </message>
        <message>
            <source>Defaults of a chat model: calm dice, no penalty.</source>
            <translation>对话模型的默认参数：稳一点的骰子，不加惩罚。</translation>
        </message>
        <message>
            <source>Defaults of GPT_teacher: greedy, with its own repetition penalty.</source>
            <translation>GPT_teacher 的默认参数：贪心，配它自己的重复惩罚。</translation>
        </message>
        <message>
            <source>Defaults of the built-in model: lively dice, no penalty.</source>
            <translation>内置模型的默认参数：活泼一点的骰子，不加惩罚。</translation>
        </message>
        <message>
            <source>Defaults from the model's own generation_config.json.</source>
            <translation>默认参数来自模型自带的 generation_config.json。</translation>
        </message>
        <message>
            <source>Values of this conversation.</source>
            <translation>这段对话的参数。</translation>
        </message>
        <message>
            <source>Your own defaults.</source>
            <translation>你自己的默认参数。</translation>
        </message>
    </context>
    <context>
        <name>EmptyState</name>
        <message>
            <source>Drop a model here or open one. Reads GPT_teacher .pt, .pth and .safetensors files and Hugging Face folders.</source>
            <translation>把模型拖到这里，或打开一个。支持 GPT_teacher 的 .pt、.pth、.safetensors 文件和 Hugging Face 文件夹。</translation>
        </message>
        <message>
            <source>The model is being opened.</source>
            <translation>正在打开模型。</translation>
        </message>
        <message>
            <source>The model is ready. Ask it something.</source>
            <translation>模型已就绪，问点什么吧。</translation>
        </message>
        <message>
            <source>Drop a model here</source>
            <translation>把模型拖到这里</translation>
        </message>
        <message>
            <source>or click to choose a file or folder. Kaikou reads GPT_teacher checkpoints (.pt, .pth, .safetensors) and Hugging Face folders of the llama shape (config.json with .safetensors). Nothing leaves this machine.</source>
            <translation>或点击选择文件或文件夹。支持 GPT_teacher 检查点（.pt、.pth、.safetensors）和 llama 结构的 Hugging Face 文件夹（config.json 与 .safetensors）。一切都只在本机进行。</translation>
        </message>
        <message>
            <source>Opening the model…</source>
            <translation>正在打开模型……</translation>
        </message>
        <message>
            <source>You can already type; the message is sent as soon as the model is ready.</source>
            <translation>现在就可以输入；模型就绪后立即发送。</translation>
        </message>
        <message>
            <source>What should it say?</source>
            <translation>想让它说什么？</translation>
        </message>
        <message>
            <source>Every token is coloured by how probable the model found it. Click one to see what else it could have said.</source>
            <translation>每个词元按模型给它的概率着色。点一个，看看它本来还可以说什么。</translation>
        </message>
    </context>
    <context>
        <name>ErrorText</name>
    <message>
        <source>%1 %2</source>
        <translation>%1%2</translation>
    </message>
        <message>
            <source>The file or folder is not there.</source>
            <translation>找不到这个文件或文件夹。</translation>
        </message>
        <message>
            <source>Check the path, or open the model from its new place.</source>
            <translation>请检查路径，或从新位置打开模型。</translation>
        </message>
        <message>
            <source>The file may not be read.</source>
            <translation>没有读取这个文件的权限。</translation>
        </message>
        <message>
            <source>Give yourself permission to read it, then try again.</source>
            <translation>请给自己读取权限后再试。</translation>
        </message>
        <message>
            <source>The file is empty.</source>
            <translation>文件是空的。</translation>
        </message>
        <message>
            <source>Copy or save the checkpoint again; the transfer was cut off.</source>
            <translation>传输中断了，请重新复制或保存检查点。</translation>
        </message>
        <message>
            <source>This is a folder, a file was expected.</source>
            <translation>这是文件夹，需要的是文件。</translation>
        </message>
        <message>
            <source>Choose the file inside the folder.</source>
            <translation>请选择文件夹里的文件。</translation>
        </message>
        <message>
            <source>The file could not be read to its end.</source>
            <translation>文件没能读完。</translation>
        </message>
        <message>
            <source>Check the disk or the network drive, then try again.</source>
            <translation>请检查磁盘或网络驱动器后再试。</translation>
        </message>
        <message>
            <source>The file is larger than Kaikou accepts.</source>
            <translation>文件超出了 Kaikou 接受的大小。</translation>
        </message>
        <message>
            <source>Choose a smaller model.</source>
            <translation>请选择更小的模型。</translation>
        </message>
        <message>
            <source>This is not a model file that Kaikou knows.</source>
            <translation>Kaikou 不认识这种模型文件。</translation>
        </message>
        <message>
            <source>Open a .pt, .pth or .safetensors checkpoint, or the folder it was saved in.</source>
            <translation>请打开 .pt、.pth、.safetensors 检查点，或它所在的文件夹。</translation>
        </message>
        <message>
            <source>This is a Git LFS pointer, not the weights themselves.</source>
            <translation>这只是 Git LFS 指针，不是权重本身。</translation>
        </message>
        <message>
            <source>Run "git lfs pull" in its folder, then open it again.</source>
            <translation>请在它的文件夹里运行“git lfs pull”后重新打开。</translation>
        </message>
        <message>
            <source>This is a web page, not a model.</source>
            <translation>这是网页，不是模型。</translation>
        </message>
        <message>
            <source>Download the file itself instead of the page that shows it.</source>
            <translation>请下载文件本身，而不是展示它的网页。</translation>
        </message>
        <message>
            <source>The file could not be written.</source>
            <translation>文件无法写入。</translation>
        </message>
        <message>
            <source>Check the free space and your permission, or choose another place.</source>
            <translation>请检查剩余空间和权限，或换个位置。</translation>
        </message>
        <message>
            <source>The file is not what its name says.</source>
            <translation>文件内容和扩展名不符。</translation>
        </message>
        <message>
            <source>Check that it was not renamed, and copy it again.</source>
            <translation>请确认它没有被改名，并重新复制。</translation>
        </message>
        <message>
            <source>The file has a version that Kaikou cannot read.</source>
            <translation>Kaikou 读不了这个版本的文件。</translation>
        </message>
        <message>
            <source>Save the model again with a current version of its tool.</source>
            <translation>请用新版工具重新保存模型。</translation>
        </message>
        <message>
            <source>The file is cut off.</source>
            <translation>文件不完整。</translation>
        </message>
        <message>
            <source>Copy or download it again; its end is missing.</source>
            <translation>文件末尾缺失，请重新复制或下载。</translation>
        </message>
        <message>
            <source>The file claims a size that no real model has.</source>
            <translation>文件声称的大小不可能属于真实的模型。</translation>
        </message>
        <message>
            <source>The file is damaged; copy it again from its source.</source>
            <translation>文件已损坏，请从来源重新复制。</translation>
        </message>
        <message>
            <source>A JSON part of the model is damaged.</source>
            <translation>模型中的 JSON 部分已损坏。</translation>
        </message>
        <message>
            <source>The details name the place; repair it or copy the file again.</source>
            <translation>详情里写明了位置，请修复或重新复制文件。</translation>
        </message>
        <message>
            <source>A name occurs twice in the file.</source>
            <translation>文件里有重复的名字。</translation>
        </message>
        <message>
            <source>Save the checkpoint again; Kaikou does not guess which one counts.</source>
            <translation>请重新保存检查点；Kaikou 不会猜哪一个算数。</translation>
        </message>
        <message>
            <source>Parts of the file overlap or lie outside it.</source>
            <translation>文件的各部分互相重叠或超出了文件范围。</translation>
        </message>
        <message>
            <source>The weights use a number format that Kaikou cannot read.</source>
            <translation>Kaikou 读不了权重所用的数字格式。</translation>
        </message>
        <message>
            <source>Save the model as float32, float16 or bfloat16.</source>
            <translation>请把模型保存为 float32、float16 或 bfloat16。</translation>
        </message>
        <message>
            <source>The checkpoint's archive is damaged.</source>
            <translation>检查点的压缩包已损坏。</translation>
        </message>
        <message>
            <source>Copy the file again or save the checkpoint once more.</source>
            <translation>请重新复制文件，或再保存一次检查点。</translation>
        </message>
        <message>
            <source>The checkpoint's list of weights is damaged.</source>
            <translation>检查点的权重清单已损坏。</translation>
        </message>
        <message>
            <source>Save the checkpoint again with torch.save.</source>
            <translation>请用 torch.save 重新保存检查点。</translation>
        </message>
        <message>
            <source>The file asks to run code; Kaikou never does that.</source>
            <translation>这个文件要求运行代码；Kaikou 绝不会这么做。</translation>
        </message>
        <message>
            <source>Do not trust this file. Ask its author for a .safetensors copy of the weights.</source>
            <translation>请不要信任这个文件。可以向作者要一份 .safetensors 格式的权重。</translation>
        </message>
        <message>
            <source>Kaikou knows this kind of file but cannot read it.</source>
            <translation>Kaikou 认识这种文件，但读不了。</translation>
        </message>
        <message>
            <source>Save the plain weights instead, for example with torch.save.</source>
            <translation>请改为保存普通权重，例如用 torch.save。</translation>
        </message>
        <message>
            <source>The model has no tokenizer.</source>
            <translation>模型没有分词器。</translation>
        </message>
        <message>
            <source>Put its tokenizer.json beside the weights and open them again.</source>
            <translation>请把它的 tokenizer.json 放到权重旁边再打开。</translation>
        </message>
        <message>
            <source>The tokenizer file is damaged.</source>
            <translation>分词器文件已损坏。</translation>
        </message>
        <message>
            <source>Copy tokenizer.json again from where the model was trained.</source>
            <translation>请从训练模型的地方重新复制 tokenizer.json。</translation>
        </message>
        <message>
            <source>The tokenizer is of a kind that Kaikou cannot read.</source>
            <translation>Kaikou 读不了这种分词器。</translation>
        </message>
        <message>
            <source>Use a byte-level BPE tokenizer.json.</source>
            <translation>请使用字节级 BPE 的 tokenizer.json。</translation>
        </message>
        <message>
            <source>Tokenizer and weights do not belong together.</source>
            <translation>分词器和权重不配套。</translation>
        </message>
        <message>
            <source>Use the tokenizer.json the model was trained with.</source>
            <translation>请使用训练该模型时的 tokenizer.json。</translation>
        </message>
        <message>
            <source>The tokenizer holds a pattern that cannot be used.</source>
            <translation>分词器里有一个无法使用的正则。</translation>
        </message>
        <message>
            <source>The details name the pattern; repair it in tokenizer.json.</source>
            <translation>详情里写明了是哪个正则，请在 tokenizer.json 中修正。</translation>
        </message>
        <message>
            <source>The model's configuration is missing.</source>
            <translation>缺少模型的配置。</translation>
        </message>
        <message>
            <source>Put its config file beside the weights and open them again.</source>
            <translation>请把配置文件放到权重旁边再打开。</translation>
        </message>
        <message>
            <source>The model's configuration is wrong.</source>
            <translation>模型的配置有误。</translation>
        </message>
        <message>
            <source>The details name the field; correct it in the config file.</source>
            <translation>详情里写明了字段，请在配置文件中改正。</translation>
        </message>
        <message>
            <source>Kaikou cannot run this kind of model.</source>
            <translation>Kaikou 运行不了这种模型。</translation>
        </message>
        <message>
            <source>Open a GPT_teacher checkpoint or a model of the Llama shape.</source>
            <translation>请打开 GPT_teacher 检查点或 Llama 结构的模型。</translation>
        </message>
        <message>
            <source>A part of the weights is missing.</source>
            <translation>缺少一部分权重。</translation>
        </message>
        <message>
            <source>Save the whole state_dict, or open the complete folder.</source>
            <translation>请保存完整的 state_dict，或打开完整的文件夹。</translation>
        </message>
        <message>
            <source>A part of the weights has the wrong size.</source>
            <translation>有一部分权重的大小不对。</translation>
        </message>
        <message>
            <source>Check that weights and configuration come from the same training.</source>
            <translation>请确认权重和配置来自同一次训练。</translation>
        </message>
        <message>
            <source>The file holds weights that this kind of model does not have.</source>
            <translation>文件里有这种模型不该有的权重。</translation>
        </message>
        <message>
            <source>The weights hold NaN or infinity; the training went wrong.</source>
            <translation>权重里有 NaN 或无穷大，训练出了问题。</translation>
        </message>
        <message>
            <source>Open an earlier checkpoint of the same training.</source>
            <translation>请打开同一次训练里更早的检查点。</translation>
        </message>
        <message>
            <source>The model computed NaN or infinity and had to stop.</source>
            <translation>模型算出了 NaN 或无穷大，只能停下。</translation>
        </message>
        <message>
            <source>The text so far is kept. Open an earlier checkpoint.</source>
            <translation>已有的文字会保留。请打开更早的检查点。</translation>
        </message>
        <message>
            <source>There is not enough memory for this model.</source>
            <translation>内存不够装下这个模型。</translation>
        </message>
        <message>
            <source>Close other programs or choose a smaller model.</source>
            <translation>请关闭其他程序，或选择更小的模型。</translation>
        </message>
        <message>
            <source>The device cannot be used.</source>
            <translation>设备无法使用。</translation>
        </message>
        <message>
            <source>Kaikou goes on with the processor.</source>
            <translation>Kaikou 会继续用处理器运行。</translation>
        </message>
        <message>
            <source>No NVIDIA driver is installed.</source>
            <translation>没有安装 NVIDIA 驱动。</translation>
        </message>
        <message>
            <source>Install the driver, or go on with the processor.</source>
            <translation>请安装驱动，或继续用处理器。</translation>
        </message>
        <message>
            <source>The NVIDIA driver is too old.</source>
            <translation>NVIDIA 驱动太旧。</translation>
        </message>
        <message>
            <source>Update the driver, or go on with the processor.</source>
            <translation>请更新驱动，或继续用处理器。</translation>
        </message>
        <message>
            <source>The NVIDIA driver and its library have different versions.</source>
            <translation>NVIDIA 驱动和它的库版本不一致。</translation>
        </message>
        <message>
            <source>Restart the computer to finish the driver's update.</source>
            <translation>请重启电脑以完成驱动更新。</translation>
        </message>
        <message>
            <source>No NVIDIA graphics card was found.</source>
            <translation>没有找到 NVIDIA 显卡。</translation>
        </message>
        <message>
            <source>This graphics card is too old or too new for this build.</source>
            <translation>这块显卡对当前版本来说太旧或太新。</translation>
        </message>
        <message>
            <source>Another program keeps the device busy.</source>
            <translation>设备正被其他程序占用。</translation>
        </message>
        <message>
            <source>Close that program, or go on with the processor.</source>
            <translation>请关闭那个程序，或继续用处理器。</translation>
        </message>
        <message>
            <source>The device stopped answering.</source>
            <translation>设备没有响应。</translation>
        </message>
        <message>
            <source>Open the model again on the processor; the text so far is kept.</source>
            <translation>请用处理器重新打开模型；已有的文字会保留。</translation>
        </message>
        <message>
            <source>This build has no GPU part.</source>
            <translation>当前版本不含 GPU 组件。</translation>
        </message>
        <message>
            <source>Install the GPU package, or go on with the processor.</source>
            <translation>请安装 GPU 组件，或继续用处理器。</translation>
        </message>
        <message>
            <source>The GPU part does not belong to this version of Kaikou.</source>
            <translation>GPU 组件和 Kaikou 版本不一致。</translation>
        </message>
        <message>
            <source>Install program and GPU part of the same version.</source>
            <translation>请安装同一版本的程序和 GPU 组件。</translation>
        </message>
        <message>
            <source>A sampling value is out of its range.</source>
            <translation>有一个采样参数超出了范围。</translation>
        </message>
        <message>
            <source>The details name the value; change it in the sampling panel.</source>
            <translation>详情里写明了是哪个参数，请在采样面板里修改。</translation>
        </message>
        <message>
            <source>The message is longer than the model can take in.</source>
            <translation>消息太长，模型装不下。</translation>
        </message>
        <message>
            <source>Shorten it; your text is still in the input box.</source>
            <translation>请缩短一些；你的文字还在输入框里。</translation>
        </message>
        <message>
            <source>There is nothing to send.</source>
            <translation>没有可发送的内容。</translation>
        </message>
        <message>
            <source>Type a message first.</source>
            <translation>请先输入消息。</translation>
        </message>
        <message>
            <source>Too many requests are waiting.</source>
            <translation>排队的请求太多。</translation>
        </message>
        <message>
            <source>Wait until one has ended, then send again.</source>
            <translation>请等一个结束后再发送。</translation>
        </message>
        <message>
            <source>This model cannot do what was asked.</source>
            <translation>这个模型做不到所要求的事。</translation>
        </message>
        <message>
            <source>The details name the setting; switch it off.</source>
            <translation>详情里写明了是哪项设置，请把它关掉。</translation>
        </message>
        <message>
            <source>A token number is outside the model's vocabulary.</source>
            <translation>词元编号超出了模型的词表。</translation>
        </message>
        <message>
            <source>Check that tokenizer and weights belong together.</source>
            <translation>请确认分词器和权重配套。</translation>
        </message>
        <message>
            <source>The model is being closed.</source>
            <translation>模型正在关闭。</translation>
        </message>
        <message>
            <source>Open a model and send again.</source>
            <translation>请打开模型后重新发送。</translation>
        </message>
        <message>
            <source>Stopped at your request.</source>
            <translation>已按你的要求停止。</translation>
        </message>
        <message>
            <source>Start again whenever you like.</source>
            <translation>可以随时重新开始。</translation>
        </message>
        <message>
            <source>The input has the wrong form.</source>
            <translation>输入的格式不对。</translation>
        </message>
        <message>
            <source>The details name the place; correct it there.</source>
            <translation>详情里写明了位置，请改正。</translation>
        </message>
        <message>
            <source>The data could not be saved.</source>
            <translation>数据没能保存。</translation>
        </message>
        <message>
            <source>Check the free space; what you see stays until you close Kaikou.</source>
            <translation>请检查剩余空间；在关闭 Kaikou 之前内容都还在。</translation>
        </message>
        <message>
            <source>Saved data could not be read.</source>
            <translation>保存的数据读不出来。</translation>
        </message>
        <message>
            <source>The details name the file; move it away and start again.</source>
            <translation>详情里写明了文件，请把它移走后重新启动。</translation>
        </message>
        <message>
            <source>Something went wrong inside Kaikou.</source>
            <translation>Kaikou 内部出错了。</translation>
        </message>
        <message>
            <source>Please report it with Help &gt; Copy diagnostics.</source>
            <translation>请用“帮助 &gt; 复制诊断信息”反馈。</translation>
        </message>
    </context>
    <context>
        <name>TranscriptWords</name>
    <message>
        <source>The tokenizer does not know: %1</source>
        <translation>分词器不认识：%1</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between characters</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>&apos;%1&apos;</source>
        <translation>“%1”</translation>
    </message>
        <message>
            <source>From here on %1 answers.</source>
            <translation>从这里起由 %1 回答。</translation>
        </message>
        <message>
            <source>Asked alone: the model did not see the turns above.</source>
            <translation>单独提问：模型没有看到上面的对话。</translation>
        </message>
        <message>
            <source>High</source>
            <translation>高</translation>
        </message>
        <message>
            <source>Medium</source>
            <translation>中</translation>
        </message>
        <message>
            <source>Low</source>
            <translation>低</translation>
        </message>
        <message>
            <source>GPT_teacher confidence: %1 · %2</source>
            <translation>GPT_teacher 置信度：%1 · %2</translation>
        </message>
        <message>
            <source>%1 · %2</source>
            <translation>%1 · %2</translation>
        </message>
        <message>
            <source>mean model probability %1 (%2)</source>
            <translation>平均模型概率 %1（%2）</translation>
        </message>
        <message>
            <source>ended by an error</source>
            <translation>因错误结束</translation>
        </message>
        <message>
            <source>geometric mean %1</source>
            <translation>几何平均 %1</translation>
        </message>
        <message>
            <source>lowest %1 “%2”</source>
            <translation>最低 %1“%2”</translation>
        </message>
        <message>
            <source>the model ended its answer</source>
            <translation>模型自己说完了</translation>
        </message>
        <message>
            <source>ended at the stop text “%1”</source>
            <translation>遇到停止词“%1”</translation>
        </message>
        <message>
            <source>cut at the length limit</source>
            <translation>到了长度上限</translation>
        </message>
        <message>
            <source>cut: the context is full</source>
            <translation>上下文已满</translation>
        </message>
        <message>
            <source>stopped by you</source>
            <translation>被你停止</translation>
        </message>
        <message numerus="yes">
            <source>%n token(s)</source>
            <translation>
                <numerusform>%n 个词元</numerusform>
            </translation>
        </message>
        <message>
            <source>first after %1 ms</source>
            <translation>首词 %1 ms</translation>
        </message>
        <message>
            <source>%1 tok/s</source>
            <translation>%1 词元/秒</translation>
        </message>
        <message numerus="yes">
            <source>%n prompt token(s) from the cache</source>
            <translation>
                <numerusform>缓存命中 %n 个提示词元</numerusform>
            </translation>
        </message>
        <message>
            <source>seed %1</source>
            <translation>种子 %1</translation>
        </message>
        <message numerus="yes">
            <source>%n earlier turn(s) did not fit into the context and were left out.</source>
            <translation>
                <numerusform>有 %n 轮较早的对话放不进上下文，没有带上。</numerusform>
            </translation>
        </message>
        <message>
            <source>Stopped before the first word.</source>
            <translation>还没说第一个词就停了。</translation>
        </message>
        <message>
            <source>The model said nothing: it chose to end the answer at once, with %1.</source>
            <translation>模型什么也没说：它以 %1 的概率直接结束了回答。</translation>
        </message>
        <message>
            <source>The model said nothing that can be shown.</source>
            <translation>模型没有说出可以显示的内容。</translation>
        </message>
        <message>
            <source>Reading the prompt…</source>
            <translation>正在读提示词……</translation>
        </message>
        <message>
            <source>Not the model's words: its answer was empty.</source>
            <translation>这不是模型说的：它的回答是空的。</translation>
        </message>
        <message>
            <source>hide the raw output</source>
            <translation>收起原始输出</translation>
        </message>
        <message>
            <source>show the raw output</source>
            <translation>查看原始输出</translation>
        </message>
        <message>
            <source>again, same dice</source>
            <translation>重来，同样的骰子</translation>
        </message>
        <message>
            <source>answer again</source>
            <translation>重新回答</translation>
        </message>
        <message>
            <source>again, new dice</source>
            <translation>重来，新骰子</translation>
        </message>
        <message>
            <source>T</source>
            <translation>T</translation>
        </message>
        <message>
            <source>top-k</source>
            <translation>top-k</translation>
        </message>
        <message>
            <source>top-p</source>
            <translation>top-p</translation>
        </message>
        <message>
            <source>min-p</source>
            <translation>min-p</translation>
        </message>
        <message>
            <source>repetition</source>
            <translation>重复惩罚</translation>
        </message>
        <message>
            <source>presence</source>
            <translation>出现惩罚</translation>
        </message>
        <message>
            <source>frequency</source>
            <translation>频率惩罚</translation>
        </message>
        <message>
            <source>min tokens</source>
            <translation>最少词元</translation>
        </message>
        <message>
            <source>Made with other sampling rules than the panel shows now.</source>
            <translation>生成时的采样规则与面板现在的不同。</translation>
        </message>
        <message>
            <source>Made with %1, now %2.</source>
            <translation>生成时 %1，现在 %2。</translation>
        </message>
        <message numerus="yes">
            <source>One character of %n token(s), together %1</source>
            <translation>
                <numerusform>由 %n 个词元组成的一个字，合计 %1</numerusform>
            </translation>
        </message>
        <message>
            <source>token %1 of %2</source>
            <translation>第 %1 个词元，共 %2 个</translation>
        </message>
        <message>
            <source>model probability</source>
            <translation>模型概率</translation>
        </message>
        <message>
            <source>shaped probability</source>
            <translation>调整后概率</translation>
        </message>
        <message>
            <source>sampling probability</source>
            <translation>抽样概率</translation>
        </message>
        <message>
            <source>greedy: always the likeliest</source>
            <translation>贪心：总取最可能的</translation>
        </message>
        <message>
            <source>rank</source>
            <translation>排名</translation>
        </message>
        <message>
            <source>surprisal</source>
            <translation>惊讶度</translation>
        </message>
        <message>
            <source>%1 bits</source>
            <translation>%1 比特</translation>
        </message>
        <message>
            <source>entropy</source>
            <translation>熵</translation>
        </message>
        <message>
            <source>%1 bits ≈ %2 choices</source>
            <translation>%1 比特 ≈ %2 个选择</translation>
        </message>
        <message>
            <source>bytes</source>
            <translation>字节</translation>
        </message>
        <message>
            <source>token %1 of %2: %3, %4, rank %5, entropy %6 bits</source>
            <translation>第 %1 个词元，共 %2 个：%3，%4，排名 %5，熵 %6 比特</translation>
        </message>
        <message>
            <source>answering</source>
            <translation>正在回答</translation>
        </message>
        <message>
            <source>Your message, %1 of %2</source>
            <translation>你的消息，第 %1 条，共 %2 条</translation>
        </message>
        <message>
            <source>Answer, %1 of %2, %3</source>
            <translation>回答，第 %1 条，共 %2 条，%3</translation>
        </message>
        <message>
            <source>Note, %1 of %2</source>
            <translation>说明，第 %1 条，共 %2 条</translation>
        </message>
        <message>
            <source>Continue</source>
            <translation>继续写</translation>
        </message>
        <message>
            <source>The program ended while this was being written; what there was is kept.</source>
            <translation>写到这里时程序结束了；已有的内容都留着。</translation>
        </message>
        <message>
            <source>The stored probabilities of this answer are damaged and were left out.</source>
            <translation>这个回答存下的概率已损坏，没有显示。</translation>
        </message>
        <message>
            <source>It goes round in circles: “%1” %2 times in a row.</source>
            <translation>在兜圈子：“%1”连着说了 %2 遍。</translation>
        </message>
        <message>
            <source>Nearly every token is broken text: the tokenizer is probably not the one of this model.</source>
            <translation>几乎每个词元都是残缺的文字：分词器多半不是这个模型的。</translation>
        </message>
        <message>
            <source>Every word was a near tie of the whole vocabulary: the model has hardly been trained yet.</source>
            <translation>每个词都像在整个词表里随便抽：这个模型几乎还没有训练。</translation>
        </message>
        <message numerus="yes">
            <source>The conversation fills the model&apos;s context: the prompt alone took %n token(s).</source>
            <translation>
                <numerusform>对话已填满模型的上下文：光是提示词就占了 %n 个词元。</numerusform>
            </translation>
        </message>
        <message>
            <source>answer again with a repetition penalty of 1.15</source>
            <translation>用 1.15 的重复惩罚再回答一次</translation>
        </message>
        <message>
            <source>start a new chat</source>
            <translation>新建对话</translation>
        </message>
    </context>
    <context>
        <name>kaikou::AnswerDelegate</name>
        <message>
            <source>%1 ×</source>
            <translation>%1 ×</translation>
        </message>
    </context>
    <context>
        <name>kaikou::Composer</name>
        <message>
            <source>Still answering. Press Esc or Stop first; what you typed is kept.</source>
            <translation>还在回答。先按 Esc 或“停止”；你输入的内容会保留。</translation>
        </message>
        <message>
            <source>Pasted text, %1 characters  ✕</source>
            <translation>粘贴的文本，%1 个字符  ✕</translation>
        </message>
        <message>
            <source>Too long to be edited here; it is sent behind what you type. Click to remove it.</source>
            <translation>太长，无法在这里编辑；会接在你输入的内容后面一起发送。点击可移除。</translation>
        </message>
        <message>
            <source>Open a model</source>
            <translation>打开模型</translation>
        </message>
        <message>
            <source>Withdraw</source>
            <translation>撤回</translation>
        </message>
        <message>
            <source>Send</source>
            <translation>发送</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <source>Composer</source>
            <translation>输入区</translation>
        </message>
        <message>
            <source>Your message</source>
            <translation>你的消息</translation>
        </message>
        <message>
            <source>Ask something. Enter sends, Shift+Enter starts a new line.</source>
            <translation>问点什么吧。Enter 发送，Shift+Enter 换行。</translation>
        </message>
        <message>
            <source>Send or stop</source>
            <translation>发送或停止</translation>
        </message>
        <message>
            <source>Use earlier turns</source>
            <translation>带上前文</translation>
        </message>
        <message>
            <source>On: the model sees the conversation so far. Off: each question is asked alone.</source>
            <translation>开：模型能看到之前的对话。关：每个问题单独提问。</translation>
        </message>
        <message>
            <source>Pasted text; press to remove it</source>
            <translation>粘贴的文本；按下可移除</translation>
        </message>
        <message>
            <source>Size of the prompt</source>
            <translation>提示词长度</translation>
        </message>
        <message>
            <source>Notice</source>
            <translation>提示</translation>
        </message>
        <message>
            <source>Do not edit</source>
            <translation>不修改</translation>
        </message>
        <message>
            <source>Leave the message as it was (Esc)</source>
            <translation>让消息保持原样（Esc）</translation>
        </message>
    </context>
    <context>
        <name>kaikou::ConfidenceLegend</name>
        <message>
            <source>Legend of the colours</source>
            <translation>颜色图例</translation>
        </message>
        <message>
            <source>Background of a token: model probability, raw softmax at temperature 1. Steps: %1, %2, %3 and %4 percent; the darker, the less sure. High = sure of these words, not that they are true.</source>
            <translation>词元的底色表示模型概率，即温度为 1 时的原始 softmax。分档：%1、%2、%3、%4%；颜色越深越没把握。“高”只表示对这些字词有把握，不表示内容正确。</translation>
        </message>
        <message>
            <source>Model probability: what the raw model (temperature 1, nothing cut) gave the token it said. No colour means sure; the stronger the colour, the more doubt. Dotted and wavy underlines say the same without colour.</source>
            <translation>模型概率：原始模型（温度 1、不做截断）给所说词元的概率。没有底色表示有把握，颜色越深越犹豫。点线和波浪线下划线不靠颜色表达同样的意思。</translation>
        </message>
        <message>
            <source>Model probability</source>
            <translation>模型概率</translation>
        </message>
        <message>
            <source>≥ %1 %</source>
            <translation>≥ %1%</translation>
        </message>
        <message>
            <source>&lt; %1 %</source>
            <translation>&lt; %1%</translation>
        </message>
        <message>
            <source>High = sure of these words, not that they are true</source>
            <translation>高 = 对这些字词有把握，不等于内容正确</translation>
        </message>
    </context>
    <context>
        <name>kaikou::ConsistencyModel</name>
        <message>
            <source>(empty answer)</source>
            <translation>（空回答）</translation>
        </message>
        <message numerus="yes">
            <source>%n answer(s): </source>
            <translation>
                <numerusform>%n 个回答：</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>kaikou::ConsistencyView</name>
        <message>
            <source>high</source>
            <translation>高</translation>
        </message>
        <message>
            <source>medium</source>
            <translation>中</translation>
        </message>
        <message>
            <source>low</source>
            <translation>低</translation>
        </message>
        <message>
            <source>Asks the question in the input box, or else the last one, several times and compares the answers.</source>
            <translation>把输入框里的问题（没有就用上一个问题）问上好几遍，比较这些回答。</translation>
        </message>
        <message>
            <source>Answers</source>
            <translation>次数</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>As GPT_teacher (T 0.5, k 50, p 0.9)</source>
            <translation>同 GPT_teacher（T 0.5，k 50，p 0.9）</translation>
        </message>
        <message>
            <source>The present settings</source>
            <translation>当前设置</translation>
        </message>
        <message>
            <source>Progress</source>
            <translation>进度</translation>
        </message>
        <message>
            <source>Groups of answers</source>
            <translation>回答分组</translation>
        </message>
        <message>
            <source>Agreement says that the model is sure of these words, not that they are true.</source>
            <translation>一致只说明模型对这些字词有把握，不说明内容正确。</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message numerus="yes">
            <source>Ask %n time(s)</source>
            <translation>
                <numerusform>问 %n 遍</numerusform>
            </translation>
        </message>
        <message>
            <source>Question: %1</source>
            <translation>问题：%1</translation>
        </message>
        <message>
            <source>The first answers are on their way …</source>
            <translation>正在生成第一批回答……</translation>
        </message>
        <message>
            <source>No answers.</source>
            <translation>没有回答。</translation>
        </message>
        <message>
            <source>true share with 95 % certainty: %1 to %2</source>
            <translation>真实比例的 95% 置信区间：%1 到 %2</translation>
        </message>
        <message>
            <source>one answer so far</source>
            <translation>目前只有一个回答</translation>
        </message>
        <message>
            <source>%1 of %2 agree</source>
            <translation>%2 个回答中有 %1 个一致</translation>
        </message>
        <message>
            <source>no two of %1 answers agree</source>
            <translation>%1 个回答各不相同</translation>
        </message>
        <message>
            <source>Double-click an answer or press Enter on it: it opens in the chat as a variant</source>
            <translation>双击某个回答（或选中后按回车）：它会作为另一个版本进入对话</translation>
        </message>
    </context>
    <context>
        <name>kaikou::DiceStrip</name>
        <message>
            <source>greedy: the dice are not used</source>
            <translation>贪心：不掷骰子</translation>
        </message>
        <message>
            <source>dice u = %1</source>
            <translation>骰子 u = %1</translation>
        </message>
        <message>
            <source>Dice</source>
            <translation>骰子</translation>
        </message>
        <message>
            <source>u = %1 gives %2</source>
            <translation>u = %1 得到 %2</translation>
        </message>
    </context>
    <context>
        <name>kaikou::DistributionChart</name>
        <message>
            <source>Alternatives</source>
            <translation>候选词元</translation>
        </message>
        <message>
            <source>Double-click a token or press Enter on it: the answer goes on from there as another variant</source>
            <translation>双击某个词元（或选中后按回车）：回答从那里改写，成为另一个版本</translation>
        </message>
    </context>
    <context>
        <name>kaikou::DistributionModel</name>
        <message>
            <source>greedy</source>
            <translation>贪心</translation>
        </message>
        <message numerus="yes">
            <source>%n other(s)</source>
            <translation>
                <numerusform>其余 %n 个</numerusform>
            </translation>
        </message>
        <message>
            <source>%1: %2, %3</source>
            <translation>%1：%2，%3</translation>
        </message>
        <message>
            <source>cut by %1</source>
            <translation>被%1截掉</translation>
        </message>
        <message>
            <source>now %1</source>
            <translation>现在 %1</translation>
        </message>
        <message>
            <source>chosen</source>
            <translation>选中</translation>
        </message>
        <message>
            <source>model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>bias</source>
            <translation>偏置</translation>
        </message>
        <message>
            <source>mask</source>
            <translation>屏蔽</translation>
        </message>
        <message>
            <source>min tokens</source>
            <translation>最少词元</translation>
        </message>
        <message>
            <source>repetition penalty</source>
            <translation>重复惩罚</translation>
        </message>
        <message>
            <source>frequency and presence</source>
            <translation>频率与出现惩罚</translation>
        </message>
        <message>
            <source>temperature</source>
            <translation>温度</translation>
        </message>
        <message>
            <source>top-k</source>
            <translation>top-k</translation>
        </message>
        <message>
            <source>top-p</source>
            <translation>top-p</translation>
        </message>
        <message>
            <source>min-p</source>
            <translation>min-p</translation>
        </message>
        <message>
            <source>dice</source>
            <translation>骰子</translation>
        </message>
    </context>
    <context>
        <name>kaikou::ErrorBanner</name>
        <message>
            <source>Details</source>
            <translation>详情</translation>
        </message>
        <message>
            <source>Close this message</source>
            <translation>关闭这条消息</translation>
        </message>
    </context>
    <context>
        <name>kaikou::InspectorPanel</name>
        <message>
            <source>How was a word chosen?</source>
            <translation>一个词是怎么选出来的？</translation>
        </message>
        <message>
            <source>Click a word of an answer, or press F6 and use the arrow keys. Its alternatives appear here, before and after the sampler.</source>
            <translation>点击回答里的一个词，或按 F6 后用方向键选择。这里会显示它的候选，以及采样前后的概率。</translation>
        </message>
        <message>
            <source>Previous token</source>
            <translation>上一个词元</translation>
        </message>
        <message>
            <source>Next token</source>
            <translation>下一个词元</translation>
        </message>
        <message>
            <source>model probability</source>
            <translation>模型概率</translation>
        </message>
        <message>
            <source>rank</source>
            <translation>排名</translation>
        </message>
        <message>
            <source>surprise, bits</source>
            <translation>惊讶度（比特）</translation>
        </message>
        <message>
            <source>entropy, bits</source>
            <translation>熵（比特）</translation>
        </message>
        <message>
            <source>real choices</source>
            <translation>有效选择数</translation>
        </message>
        <message>
            <source>tokens kept</source>
            <translation>留下的词元</translation>
        </message>
        <message>
            <source>−log2 of the model's probability: 1 bit = a coin toss</source>
            <translation>模型概率的 −log2：1 比特等于抛一次硬币</translation>
        </message>
        <message>
            <source>How open the whole choice was, under the model's own probabilities</source>
            <translation>按模型自己的概率，这一步的选择有多开放</translation>
        </message>
        <message>
            <source>exp of the entropy: 2.0 feels like two equally likely words, whatever the vocabulary</source>
            <translation>熵的指数：2.0 相当于在两个同样可能的词里选，与词表大小无关</translation>
        </message>
        <message>
            <source>Back to the reply's own values</source>
            <translation>恢复这条回答的参数</translation>
        </message>
        <message>
            <source>outline: the model · filled: what the dice use · hatched: cut</source>
            <translation>线框：模型原概率 · 实心：骰子所用 · 斜线：被截掉</translation>
        </message>
        <message>
            <source>token %1 of %2</source>
            <translation>第 %1 个词元，共 %2 个</translation>
        </message>
        <message>
            <source>The model gives this token %1. The choice is greedy: the likeliest one, without dice.</source>
            <translation>模型给这个词元 %1。贪心选择：取最可能的，不掷骰子。</translation>
        </message>
        <message>
            <source>The model gives this token %1; with the present settings the dice give it %2.</source>
            <translation>模型给这个词元 %1；按当前设置，骰子给它 %2。</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>≈ The full distribution of this token is not in memory any more; its likeliest tokens are shown. The numbers are those of the reply&apos;s own settings.</source>
            <translation>≈ 这个词元的完整分布已不在内存中，只列出最可能的几个。数字按回答当时的设置计算。</translation>
        </message>
        <message>
            <source>≈ approximate: the logits of this reply are stored rounded</source>
            <translation>≈ 近似：这条回答的 logits 是舍入后保存的</translation>
        </message>
        <message>
            <source>Now the choice would be %1.</source>
            <translation>现在会选“%1”。</translation>
        </message>
        <message>
            <source>The same dice would now give %1.</source>
            <translation>同样的骰子现在会得到“%1”。</translation>
        </message>
        <message>
            <source>model: %1 tokens</source>
            <translation>模型：%1 个词元</translation>
        </message>
        <message>
            <source>%1: %2 left</source>
            <translation>%1：剩 %2</translation>
        </message>
        <message>
            <source>token %1 of %2: %3, %4, rank %5, entropy %6 bits</source>
            <translation>第 %1 个词元，共 %2 个：%3，%4，排名 %5，熵 %6 比特</translation>
        </message>
        <message>
            <source>Compute it again</source>
            <translation>重新计算</translation>
        </message>
        <message>
            <source>The model reads the answer once more; the numbers are the same as the first time</source>
            <translation>模型把这个回答再读一遍，得到的数字和第一次一样</translation>
        </message>
    </context>
    <context>
        <name>kaikou::LoadingStrip</name>
        <message>
            <source>Opening %1 …</source>
            <translation>正在打开“%1”……</translation>
        </message>
        <message>
            <source>Loading progress</source>
            <translation>打开进度</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
    </context>
    <context>
        <name>kaikou::MainWindow</name>
    <message>
        <source>unknown to the tokenizer</source>
        <translation>分词器都不认识</translation>
    </message>
    <message>
        <source>This model&apos;s tokenizer knows none of these characters. Write something else, or open another model.</source>
        <translation>这个模型的分词器不认识其中任何一个字。请换个说法，或打开另一个模型。</translation>
    </message>
    <message>
        <source>Everything is at its default. The damaged file was kept as %1.</source>
        <translation>一切恢复为默认值。损坏的文件保留为“%1”。</translation>
    </message>
    <message>
        <source>Your settings could not be read</source>
        <translation>设置文件读不出来</translation>
    </message>
        <message>
            <source>Sampling</source>
            <translation>采样</translation>
        </message>
        <message>
            <source>Inspector</source>
            <translation>词元</translation>
        </message>
        <message>
            <source>Self-consistency</source>
            <translation>自洽性</translation>
        </message>
        <message>
            <source>Conversation</source>
            <translation>对话</translation>
        </message>
        <message>
            <source>Kaikou</source>
            <translation>开口 Kaikou</translation>
        </message>
        <message>
            <source>Models</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>All files</source>
            <translation>所有文件</translation>
        </message>
        <message>
            <source>Open a model</source>
            <translation>打开模型</translation>
        </message>
        <message>
            <source>Open a model's folder</source>
            <translation>打开模型文件夹</translation>
        </message>
        <message>
            <source>Keyboard shortcuts</source>
            <translation>键盘快捷键</translation>
        </message>
        <message>
            <source>Keys</source>
            <translation>按键</translation>
        </message>
        <message>
            <source>What they do</source>
            <translation>作用</translation>
        </message>
        <message>
            <source>About Kaikou</source>
            <translation>关于开口 Kaikou</translation>
        </message>
        <message>
            <source>Makes a trained language model speak on this computer and shows how each token is chosen. Nothing leaves the computer.</source>
            <translation>让训练好的语言模型在这台电脑上开口说话，并展示每个词元是怎么选出来的。一切都只在本机进行。</translation>
        </message>
        <message>
            <source>MIT licence. Built with Qt %1 (LGPL).</source>
            <translation>MIT 许可证。使用 Qt %1（LGPL）构建。</translation>
        </message>
        <message>
            <source>%1 is open, with a remark</source>
            <translation>“%1”已打开，有一点要说明</translation>
        </message>
        <message>
            <source>Could not open %1</source>
            <translation>无法打开“%1”</translation>
        </message>
        <message>
            <source>Could not open %1; the built-in model answers instead</source>
            <translation>无法打开“%1”，先由内置模型来回答</translation>
        </message>
        <message>
            <source>Open another model</source>
            <translation>打开其他模型</translation>
        </message>
        <message>
            <source>The message was not sent</source>
            <translation>消息没有发出</translation>
        </message>
        <message>
            <source>The answer could not be generated again</source>
            <translation>没能重新生成回答</translation>
        </message>
        <message>
            <source>The samples could not be generated</source>
            <translation>没能生成多个回答</translation>
        </message>
        <message>
            <source>The answer ended early</source>
            <translation>回答提前结束了</translation>
        </message>
        <message>
            <source>generating</source>
            <translation>生成中</translation>
        </message>
        <message>
            <source>sampling</source>
            <translation>采样中</translation>
        </message>
        <message>
            <source>too long for this model</source>
            <translation>对这个模型来说太长</translation>
        </message>
        <message numerus="yes">
            <source>%n token(s)</source>
            <translation>
                <numerusform>%n 个词元</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 left for the answer</source>
            <translation>还剩 %1 个给回答</translation>
        </message>
        <message numerus="yes">
            <source>%n old turn(s) do not fit</source>
            <translation>
                <numerusform>有 %n 轮旧对话放不下</numerusform>
            </translation>
        </message>
        <message>
            <source>the built-in model</source>
            <translation>内置模型</translation>
        </message>
        <message>
            <source>off</source>
            <translation>关</translation>
        </message>
        <message>
            <source>This question sets the sampling</source>
            <translation>这个问题改了采样设置</translation>
        </message>
        <message>
            <source>Temperature %1, top-k %2, top-p %3: the dice now follow the model&apos;s own probabilities.</source>
            <translation>温度 %1，top-k %2，top-p %3：现在骰子完全按模型自己的概率来掷。</translation>
        </message>
        <message>
            <source>Set it back</source>
            <translation>改回去</translation>
        </message>
        <message>
            <source>Chats</source>
            <translation>对话</translation>
        </message>
        <message>
            <source>Editing an earlier message; what followed it stays as a variant</source>
            <translation>正在修改之前的消息；它后面的内容会作为另一个版本留着</translation>
        </message>
        <message>
            <source>Temporary chat: nothing of it is saved</source>
            <translation>临时对话：内容不会保存</translation>
        </message>
        <message>
            <source>The answer could not be continued</source>
            <translation>这个回答没能继续写下去</translation>
        </message>
        <message>
            <source>Another model wrote this answer</source>
            <translation>这个回答是另一个模型写的</translation>
        </message>
        <message>
            <source>Open %1 to go on from one of its tokens, or ask for another answer.</source>
            <translation>要从它的某个词元接着写，请先打开 %1；也可以换一个回答。</translation>
        </message>
        <message>
            <source>Chats are not saved: the disk is full</source>
            <translation>对话没有保存：磁盘已满</translation>
        </message>
        <message>
            <source>Chats are not saved: the folder cannot be written</source>
            <translation>对话没有保存：文件夹不可写</translation>
        </message>
        <message>
            <source>Chats are not saved: a newer Kaikou made the file</source>
            <translation>对话没有保存：文件由更新版本的开口建立</translation>
        </message>
        <message>
            <source>Chats are not saved</source>
            <translation>对话没有保存</translation>
        </message>
        <message>
            <source>Save elsewhere…</source>
            <translation>存到别处…</translation>
        </message>
        <message>
            <source>The file with your chats was damaged</source>
            <translation>保存对话的文件损坏了</translation>
        </message>
        <message>
            <source>What could be read was kept. The damaged file is in %1.</source>
            <translation>能读出的内容已留下，损坏的文件在 %1。</translation>
        </message>
        <message>
            <source>Your chats can be read, but nothing new is saved</source>
            <translation>可以读对话，但新内容不会保存</translation>
        </message>
        <message>
            <source>The file %1 was made by a newer Kaikou or cannot be written.</source>
            <translation>文件 %1 由更新版本的开口建立，或者不可写。</translation>
        </message>
        <message>
            <source>Save the chats in</source>
            <translation>对话保存到</translation>
        </message>
        <message>
            <source>Kaikou chats (*.db)</source>
            <translation>开口的对话 (*.db)</translation>
        </message>
        <message>
            <source>The last messages are in memory only and are lost when the program ends.</source>
            <translation>最后几条消息只在内存里，程序结束后就没有了。</translation>
        </message>
        <message>
            <source>Quit without saving</source>
            <translation>不保存就退出</translation>
        </message>
        <message>
            <source>Chat</source>
            <translation>对话</translation>
        </message>
        <message>
            <source>Chat with everything (*.json)</source>
            <translation>完整的对话 (*.json)</translation>
        </message>
        <message>
            <source>Web page with colours (*.html)</source>
            <translation>带颜色的网页 (*.html)</translation>
        </message>
        <message>
            <source>Markdown (*.md)</source>
            <translation>Markdown 文档 (*.md)</translation>
        </message>
        <message>
            <source>Table of tokens (*.csv)</source>
            <translation>词元表格 (*.csv)</translation>
        </message>
        <message>
            <source>Export the chat</source>
            <translation>导出对话</translation>
        </message>
        <message>
            <source>You</source>
            <translation>用户</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>Background: what the model gave each token</source>
            <translation>底色：模型给每个词元的概率</translation>
        </message>
        <message>
            <source>The chat was not exported</source>
            <translation>对话没有导出</translation>
        </message>
        <message>
            <source>Exported to %1</source>
            <translation>已导出到 %1</translation>
        </message>
        <message>
            <source>Import a chat</source>
            <translation>导入对话</translation>
        </message>
        <message>
            <source>Chats of Kaikou (*.json)</source>
            <translation>开口的对话 (*.json)</translation>
        </message>
        <message>
            <source>%1 was not imported</source>
            <translation>%1 没有导入</translation>
        </message>
        <message>
            <source>No presets yet</source>
            <translation>还没有预设</translation>
        </message>
        <message>
            <source>&amp;Save the present settings…</source>
            <translation>保存现在的设置(&amp;S)…</translation>
        </message>
        <message>
            <source>&amp;Open their folder</source>
            <translation>打开所在文件夹(&amp;O)</translation>
        </message>
        <message>
            <source>The preset %1 was not used</source>
            <translation>预设 %1 没有用上</translation>
        </message>
        <message>
            <source>Save the present settings</source>
            <translation>保存现在的设置</translation>
        </message>
        <message>
            <source>Name of the preset; one of the same name is replaced:</source>
            <translation>预设的名字；同名的会被替换：</translation>
        </message>
        <message>
            <source>The preset was not saved</source>
            <translation>预设没有保存</translation>
        </message>
        <message>
            <source>System prompt</source>
            <translation>系统提示词</translation>
        </message>
        <message>
            <source>Stands before the conversation of this chat. Most small models have never seen one.</source>
            <translation>放在这个对话的最前面。多数小模型从来没见过系统提示词。</translation>
        </message>
        <message>
            <source>System prompt: %1</source>
            <translation>系统提示词：%1</translation>
        </message>
        <message>
            <source>The distributions could not be computed again</source>
            <translation>没能重新算出分布</translation>
        </message>
        <message>
            <source>Kaikou ended while it was opening %1</source>
            <translation>上次打开 %1 时程序意外结束了</translation>
        </message>
        <message>
            <source>It was not opened again by itself.</source>
            <translation>这次没有自动再打开它。</translation>
        </message>
    </context>
    <context>
        <name>kaikou::MetricsBar</name>
        <message>
            <source>no model</source>
            <translation>未打开模型</translation>
        </message>
        <message>
            <source>%L1 parameters, vocabulary %L2</source>
            <translation>%L1 个参数，词表 %L2</translation>
        </message>
        <message>
            <source>Where the model runs</source>
            <translation>模型在哪里运行</translation>
        </message>
        <message>
            <source>context %1/%2</source>
            <translation>上下文 %1/%2</translation>
        </message>
        <message>
            <source>Tokens of this conversation in the model's context, and how many it can hold</source>
            <translation>这段对话占用的上下文词元数，以及上限</translation>
        </message>
        <message>
            <source>records %1/%2</source>
            <translation>记录 %1/%2</translation>
        </message>
        <message>
            <source>Memory for the full distributions of the tokens, and its limit</source>
            <translation>保存完整分布占用的内存，以及上限</translation>
        </message>
        <message>
            <source>TTFT %1 ms</source>
            <translation>首词 %1 ms</translation>
        </message>
        <message>
            <source>Time to first token: from sending to the first word</source>
            <translation>首个词元延迟（TTFT）：从发送到第一个词</translation>
        </message>
        <message>
            <source>TPOT %1 ms</source>
            <translation>每词 %1 ms</translation>
        </message>
        <message>
            <source>Time per output token, after the first</source>
            <translation>每个词元的时间（TPOT），不含第一个</translation>
        </message>
        <message>
            <source>%1 tokens/s</source>
            <translation>%1 词元/秒</translation>
        </message>
        <message>
            <source>Speed after the first token</source>
            <translation>第一个词元之后的速度</translation>
        </message>
        <message>
            <source>cached %1/%2</source>
            <translation>缓存 %1/%2</translation>
        </message>
        <message>
            <source>Tokens of the prompt that did not have to be computed again</source>
            <translation>提示词中不必重新计算的词元</translation>
        </message>
        <message>
            <source>seed %1</source>
            <translation>种子 %1</translation>
        </message>
        <message>
            <source>The dice of the last reply</source>
            <translation>上一条回答的骰子</translation>
        </message>
    </context>
    <context>
        <name>kaikou::PreferencesDialog</name>
        <message>
            <source>Preferences</source>
            <translation>首选项</translation>
        </message>
        <message>
            <source>As the system</source>
            <translation>跟随系统</translation>
        </message>
        <message>
            <source>Light</source>
            <translation>浅色</translation>
        </message>
        <message>
            <source>Dark</source>
            <translation>深色</translation>
        </message>
        <message>
            <source>Theme</source>
            <translation>主题</translation>
        </message>
        <message>
            <source>Language</source>
            <translation>语言</translation>
        </message>
        <message>
            <source>Text size</source>
            <translation>文字大小</translation>
        </message>
        <message>
            <source>Memory for distributions</source>
            <translation>分布记录的内存</translation>
        </message>
        <message>
            <source>Every token keeps its whole distribution for the inspector. Above this limit the oldest replies keep only their numbers.</source>
            <translation>每个词元都保留完整分布供查看。超出上限后，最旧的回答只保留数字。</translation>
        </message>
        <message>
            <source>Sentences for empty replies: copy fallback.zh.txt or fallback.en.txt into %1 and edit it.</source>
            <translation>空回答的代替句子：把 fallback.zh.txt 或 fallback.en.txt 复制到 %1 再修改。</translation>
        </message>
    </context>
    <context>
        <name>kaikou::SamplingPanel</name>
        <message>
            <source>off: cuts nothing here</source>
            <translation>关闭：这里什么也不截</translation>
        </message>
        <message>
            <source>here: %1 of %2 tokens remain</source>
            <translation>这里：%2 个词元剩下 %1 个</translation>
        </message>
        <message>
            <source>here: always the likeliest token, no dice</source>
            <translation>这里：总取最可能的词元，不掷骰子</translation>
        </message>
        <message>
            <source>here: about %1 real choices instead of %2</source>
            <translation>这里：有效选择数 %2 → %1</translation>
        </message>
        <message>
            <source>here: the chosen token %1 → %2</source>
            <translation>这里：选中的词元 %1 → %2</translation>
        </message>
        <message>
            <source>Reset</source>
            <translation>重置</translation>
        </message>
        <message>
            <source>Back to what suits this model</source>
            <translation>恢复适合这个模型的参数</translation>
        </message>
        <message>
            <source>Boldness</source>
            <translation>胆量</translation>
        </message>
        <message>
            <source>Cut the tail</source>
            <translation>截掉尾巴</translation>
        </message>
        <message>
            <source>Against repetition</source>
            <translation>防止重复</translation>
        </message>
        <message>
            <source>Length, dice and rules</source>
            <translation>长度、骰子与规则</translation>
        </message>
        <message>
            <source>Temperature</source>
            <translation>温度</translation>
        </message>
        <message>
            <source>How bold: low stays with the likeliest words, high tries unlikely ones.</source>
            <translation>胆子大小：低则只说最可能的词，高则敢说冷门的词。</translation>
        </message>
        <message>
            <source>greedy</source>
            <translation>贪心</translation>
        </message>
        <message>
            <source>Top-k</source>
            <translation>Top-k</translation>
        </message>
        <message>
            <source>Only the k likeliest tokens may be drawn.</source>
            <translation>只从最可能的 k 个词元里抽。</translation>
        </message>
        <message>
            <source>off</source>
            <translation>关闭</translation>
        </message>
        <message>
            <source>Top-p</source>
            <translation>Top-p</translation>
        </message>
        <message>
            <source>Only the likeliest tokens that together reach this share.</source>
            <translation>只留最可能的那些词元，概率加起来达到这个份额为止。</translation>
        </message>
        <message>
            <source>Min-p</source>
            <translation>Min-p</translation>
        </message>
        <message>
            <source>Only tokens at least this fraction as likely as the best one.</source>
            <translation>只留概率不低于最佳词元这个比例的词元。</translation>
        </message>
        <message>
            <source>Repetition penalty</source>
            <translation>重复惩罚</translation>
        </message>
        <message>
            <source>Above 1, words that were already said become less likely.</source>
            <translation>大于 1 时，说过的词更不容易再说。</translation>
        </message>
        <message>
            <source>Presence penalty</source>
            <translation>出现惩罚</translation>
        </message>
        <message>
            <source>Takes the same off every word the answer has used.</source>
            <translation>回答里用过的词，一律减去同样的分数。</translation>
        </message>
        <message>
            <source>Frequency penalty</source>
            <translation>频率惩罚</translation>
        </message>
        <message>
            <source>Takes more off a word each time the answer has used it.</source>
            <translation>回答里每多用一次，就多减一次分数。</translation>
        </message>
        <message>
            <source>Max new tokens</source>
            <translation>最多生成词元</translation>
        </message>
        <message>
            <source>Seed</source>
            <translation>随机种子</translation>
        </message>
        <message>
            <source>Sampling rules</source>
            <translation>采样规则</translation>
        </message>
        <message>
            <source>Stop at (one per line)</source>
            <translation>停止词（每行一个）</translation>
        </message>
        <message>
            <source>Positions</source>
            <translation>位置编码</translation>
        </message>
        <message>
            <source>as many as fit</source>
            <translation>能放多少放多少</translation>
        </message>
        <message>
            <source>Also stop where this model's form ends</source>
            <translation>模型的对话格式结束时也停止</translation>
        </message>
        <message>
            <source>Standard (Hugging Face)</source>
            <translation>标准（Hugging Face）</translation>
        </message>
        <message>
            <source>llama.cpp</source>
            <translation>llama.cpp</translation>
        </message>
        <message>
            <source>vLLM</source>
            <translation>vLLM</translation>
        </message>
        <message>
            <source>LitGPT</source>
            <translation>LitGPT</translation>
        </message>
        <message>
            <source>GPT_teacher</source>
            <translation>GPT_teacher</translation>
        </message>
        <message>
            <source>As the model's family does</source>
            <translation>按模型家族的做法</translation>
        </message>
        <message>
            <source>Correct</source>
            <translation>正确</translation>
        </message>
        <message>
            <source>As GPT_teacher counts</source>
            <translation>同 GPT_teacher 的算法</translation>
        </message>
        <message>
            <source>GPT_teacher's own program counts the positions of new words wrongly; its published answers need that.</source>
            <translation>GPT_teacher 自己的程序把新词的位置算错了；要复现它公布的回答，就得照它的算法。</translation>
        </message>
        <message>
            <source>Penalties, temperature, then top-k, top-p, min-p.</source>
            <translation>先惩罚，再温度，然后 top-k、top-p、min-p。</translation>
        </message>
        <message>
            <source>Cuts first, temperature last: a high value stays readable.</source>
            <translation>先截断，最后才用温度：温度很高也还读得通。</translation>
        </message>
        <message>
            <source>Temperature first, then min-p, top-k and top-p.</source>
            <translation>先温度，再 min-p、top-k、top-p。</translation>
        </message>
        <message>
            <source>Temperature 0 is greedy only together with top-p 0.</source>
            <translation>只有 top-p 也为 0 时，温度 0 才是贪心。</translation>
        </message>
        <message>
            <source>Top-p drops the token that crosses the limit; the penalty always divides.</source>
            <translation>top-p 会丢掉越过界线的那个词元；惩罚一律用除法。</translation>
        </message>
        <message>
            <source>here: not used, greedy takes the likeliest token</source>
            <translation>这里：用不上，贪心只取最可能的词元</translation>
        </message>
        <message>
            <source>here: cuts nothing</source>
            <translation>这里：什么也没截</translation>
        </message>
        <message>
            <source>%1 has no %2: this does nothing.</source>
            <translation>%1 没有%2这一项，调了不起作用。</translation>
        </message>
    </context>
    <context>
        <name>kaikou::SeedField</name>
        <message>
            <source>Seed</source>
            <translation>随机种子</translation>
        </message>
        <message>
            <source>Keep this seed</source>
            <translation>锁定种子</translation>
        </message>
        <message>
            <source>Kept: the same question gives the same answer. Click for new dice.</source>
            <translation>已锁定：同样的问题得到同样的回答。点击换新骰子。</translation>
        </message>
        <message>
            <source>A new seed for every reply. Click to keep this one.</source>
            <translation>每条回答换新种子。点击锁定这一个。</translation>
        </message>
    </context>
    <context>
        <name>kaikou::TokenModel</name>
        <message>
            <source>No.</source>
            <translation>序号</translation>
        </message>
        <message>
            <source>Token</source>
            <translation>词元</translation>
        </message>
        <message>
            <source>Model probability</source>
            <translation>模型概率</translation>
        </message>
        <message>
            <source>Shaped probability</source>
            <translation>调整后概率</translation>
        </message>
        <message>
            <source>Sampling probability</source>
            <translation>抽样概率</translation>
        </message>
        <message>
            <source>Rank</source>
            <translation>排名</translation>
        </message>
        <message>
            <source>Surprisal (bits)</source>
            <translation>惊讶度（比特）</translation>
        </message>
        <message>
            <source>Entropy (bits)</source>
            <translation>熵（比特）</translation>
        </message>
    </context>
    <context>
        <name>kaikou::TranscriptView</name>
        <message>
            <source>Copy the answer</source>
            <translation>复制回答</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <source>Copy with probabilities</source>
            <translation>复制（带概率）</translation>
        </message>
        <message>
            <source>Select all</source>
            <translation>全选</translation>
        </message>
        <message>
            <source>Another answer</source>
            <translation>换一个回答</translation>
        </message>
        <message>
            <source>Show what else it could have said</source>
            <translation>看看它还可以说什么</translation>
        </message>
        <message>
            <source>New text ↓</source>
            <translation>新内容 ↓</translation>
        </message>
        <message>
            <source>Scroll to the new text</source>
            <translation>滚动到新内容</translation>
        </message>
        <message>
            <source>Conversation</source>
            <translation>对话</translation>
        </message>
        <message>
            <source>Edit and ask again</source>
            <translation>修改后再问</translation>
        </message>
    </context>
    <context>
        <name>kaikou::WindowActions</name>
        <message>
            <source>&amp;Open model file…</source>
            <translation>打开模型文件(&amp;O)…</translation>
        </message>
        <message>
            <source>Open model &amp;folder…</source>
            <translation>打开模型文件夹(&amp;F)…</translation>
        </message>
        <message>
            <source>Use the &amp;built-in model</source>
            <translation>使用内置模型(&amp;B)</translation>
        </message>
        <message>
            <source>&amp;Quit</source>
            <translation>退出(&amp;Q)</translation>
        </message>
        <message>
            <source>&amp;Copy</source>
            <translation>复制(&amp;C)</translation>
        </message>
        <message>
            <source>Copy with &amp;probabilities</source>
            <translation>复制（带概率）(&amp;P)</translation>
        </message>
        <message>
            <source>P&amp;references…</source>
            <translation>首选项(&amp;R)…</translation>
        </message>
        <message>
            <source>&amp;New chat</source>
            <translation>新对话(&amp;N)</translation>
        </message>
        <message>
            <source>&amp;Stop</source>
            <translation>停止(&amp;S)</translation>
        </message>
        <message>
            <source>&amp;Regenerate the last answer</source>
            <translation>重新生成最后的回答(&amp;R)</translation>
        </message>
        <message>
            <source>Self-&amp;consistency</source>
            <translation>自洽性(&amp;C)</translation>
        </message>
        <message>
            <source>Go to the &amp;input</source>
            <translation>转到输入框(&amp;I)</translation>
        </message>
        <message>
            <source>Go to the &amp;answers</source>
            <translation>转到回答(&amp;A)</translation>
        </message>
        <message>
            <source>&amp;Colour by model probability</source>
            <translation>按模型概率着色(&amp;C)</translation>
        </message>
        <message>
            <source>&amp;Larger text</source>
            <translation>放大文字(&amp;L)</translation>
        </message>
        <message>
            <source>&amp;Smaller text</source>
            <translation>缩小文字(&amp;S)</translation>
        </message>
        <message>
            <source>&amp;Normal text size</source>
            <translation>正常大小(&amp;N)</translation>
        </message>
        <message>
            <source>&amp;Keyboard shortcuts</source>
            <translation>键盘快捷键(&amp;K)</translation>
        </message>
        <message>
            <source>Copy &amp;diagnostics</source>
            <translation>复制诊断信息(&amp;D)</translation>
        </message>
        <message>
            <source>&amp;About Kaikou</source>
            <translation>关于开口 Kaikou(&amp;A)</translation>
        </message>
        <message>
            <source>%1 (not there now)</source>
            <translation>%1（现在不在了）</translation>
        </message>
        <message>
            <source>Clear this list</source>
            <translation>清空列表</translation>
        </message>
        <message>
            <source>Processor (CPU)</source>
            <translation>处理器（CPU）</translation>
        </message>
        <message>
            <source>&amp;File</source>
            <translation>文件(&amp;F)</translation>
        </message>
        <message>
            <source>&amp;Recent models</source>
            <translation>最近的模型(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Compute on</source>
            <translation>运行设备(&amp;D)</translation>
        </message>
        <message>
            <source>&amp;Edit</source>
            <translation>编辑(&amp;E)</translation>
        </message>
        <message>
            <source>&amp;Chat</source>
            <translation>对话(&amp;C)</translation>
        </message>
        <message>
            <source>&amp;View</source>
            <translation>视图(&amp;V)</translation>
        </message>
        <message>
            <source>&amp;Theme</source>
            <translation>主题(&amp;T)</translation>
        </message>
        <message>
            <source>Lan&amp;guage</source>
            <translation>语言(&amp;L)</translation>
        </message>
        <message>
            <source>&amp;Help</source>
            <translation>帮助(&amp;H)</translation>
        </message>
        <message>
            <source>As the system</source>
            <translation>跟随系统</translation>
        </message>
        <message>
            <source>Light</source>
            <translation>浅色</translation>
        </message>
        <message>
            <source>Dark</source>
            <translation>深色</translation>
        </message>
        <message>
            <source>Enter</source>
            <translation>Enter</translation>
        </message>
        <message>
            <source>Send</source>
            <translation>发送</translation>
        </message>
        <message>
            <source>Shift+Enter</source>
            <translation>Shift+Enter</translation>
        </message>
        <message>
            <source>New line</source>
            <translation>换行</translation>
        </message>
        <message>
            <source>← → in the answers</source>
            <translation>回答中的 ← →</translation>
        </message>
        <message>
            <source>Previous, next token</source>
            <translation>上一个、下一个词元</translation>
        </message>
        <message>
            <source>New &amp;temporary chat</source>
            <translation>新建临时对话(&amp;T)</translation>
        </message>
        <message>
            <source>C&amp;ontinue the answer</source>
            <translation>接着写这个回答(&amp;O)</translation>
        </message>
        <message>
            <source>&amp;Edit the last message</source>
            <translation>修改最后一条消息(&amp;E)</translation>
        </message>
        <message>
            <source>&amp;Previous variant</source>
            <translation>上一个版本(&amp;P)</translation>
        </message>
        <message>
            <source>Ne&amp;xt variant</source>
            <translation>下一个版本(&amp;X)</translation>
        </message>
        <message>
            <source>Search all c&amp;hats</source>
            <translation>搜索所有对话(&amp;H)</translation>
        </message>
        <message>
            <source>&amp;Import chat…</source>
            <translation>导入对话(&amp;I)…</translation>
        </message>
        <message>
            <source>&amp;Export chat…</source>
            <translation>导出对话(&amp;E)…</translation>
        </message>
        <message>
            <source>S&amp;ystem prompt…</source>
            <translation>系统提示词(&amp;Y)…</translation>
        </message>
        <message>
            <source>Presets of &amp;settings</source>
            <translation>设置的预设(&amp;S)</translation>
        </message>
    </context>
    <context>
        <name>kaikou::ChatListModel</name>
        <message>
            <source>New chat</source>
            <translation>新对话</translation>
        </message>
        <message>
            <source>Pinned</source>
            <translation>已置顶</translation>
        </message>
        <message>
            <source>Today</source>
            <translation>今天</translation>
        </message>
        <message>
            <source>Yesterday</source>
            <translation>昨天</translation>
        </message>
        <message>
            <source>Last 7 days</source>
            <translation>最近 7 天</translation>
        </message>
        <message>
            <source>Last 30 days</source>
            <translation>最近 30 天</translation>
        </message>
        <message>
            <source>Earlier</source>
            <translation>更早</translation>
        </message>
        <message>
            <source>just now</source>
            <translation>刚刚</translation>
        </message>
        <message>
            <source>%1 min ago</source>
            <translation>%1 分钟前</translation>
        </message>
        <message>
            <source>%1 h ago</source>
            <translation>%1 小时前</translation>
        </message>
        <message>
            <source>yesterday %1</source>
            <translation>昨天 %1</translation>
        </message>
        <message>
            <source>d MMM</source>
            <translation>M月d日</translation>
        </message>
        <message>
            <source>d MMM yyyy</source>
            <translation>yyyy年M月d日</translation>
        </message>
        <message>
            <source>pinned</source>
            <translation>已置顶</translation>
        </message>
        <message>
            <source>open</source>
            <translation>当前打开</translation>
        </message>
        <message>
            <source>, </source>
            <comment>between the parts of a spoken line</comment>
            <translation>，</translation>
        </message>
    </context>
    <context>
        <name>kaikou::ChatListDelegate</name>
        <message>
            <source>Title</source>
            <translation>标题</translation>
        </message>
    </context>
    <context>
        <name>kaikou::UndoStrip</name>
        <message>
            <source>Undo</source>
            <translation>撤销</translation>
        </message>
        <message>
            <source>Bring it back (Ctrl+Z in the list)</source>
            <translation>恢复它（在列表中按 Ctrl+Z）</translation>
        </message>
    </context>
    <context>
        <name>kaikou::ChatList</name>
        <message>
            <source>&amp;Open</source>
            <translation>打开(&amp;O)</translation>
        </message>
        <message>
            <source>&amp;Rename</source>
            <translation>重命名(&amp;R)</translation>
        </message>
        <message>
            <source>Un&amp;pin</source>
            <translation>取消置顶(&amp;P)</translation>
        </message>
        <message>
            <source>&amp;Pin</source>
            <translation>置顶(&amp;P)</translation>
        </message>
        <message>
            <source>&amp;Export…</source>
            <translation>导出…(&amp;E)</translation>
        </message>
        <message>
            <source>&amp;Delete</source>
            <translation>删除(&amp;D)</translation>
        </message>
        <message>
            <source>New chat</source>
            <translation>新对话</translation>
        </message>
        <message>
            <source>“%1” was deleted</source>
            <translation>已删除“%1”</translation>
        </message>
        <message>
            <source>Search results</source>
            <translation>搜索结果</translation>
        </message>
        <message>
            <source>Chats</source>
            <translation>对话列表</translation>
        </message>
        <message>
            <source>No chats yet. What you ask is kept here.</source>
            <translation>还没有对话。你提的问题会保存在这里。</translation>
        </message>
        <message>
            <source>Searching …</source>
            <translation>正在搜索…</translation>
        </message>
        <message>
            <source>Nothing found for “%1”.</source>
            <translation>没有找到“%1”。</translation>
        </message>
        <message>
            <source>Search chats</source>
            <translation>搜索对话</translation>
        </message>
        <message>
            <source>Clear the search</source>
            <translation>清除搜索</translation>
        </message>
    </context>
</TS>
