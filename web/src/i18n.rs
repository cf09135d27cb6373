//! The page's own words in both languages. What the figure says comes with the scene.

use berth_core::picture::scene::Lang;

/// Something that the page says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table below says in words what each is")]
pub enum Word {
    Tagline,
    Gallery,
    OpenFile,
    EditYaml,
    Share,
    OtherLanguage,
    ToDark,
    ToLight,
    HowMuch,
    Story,
    Everything,
    KeysLine,
    Play,
    Pause,
    StepBack,
    Event,
    Cycle,
    NextEvent,
    NextCycle,
    Slower,
    Faster,
    Speed,
    SimulatedTime,
    Paused,
    Timeline,
    PasteHead,
    PasteHere,
    NothingUploaded,
    ExampleHead,
    PasteOrDrop,
    Examples,
    YourGuess,
    ShowMe,
    Right,
    NotThat,
    ReadAsText,
    HideText,
    Figure,
    Controls,
    Header,
    ThePage,
    Loading,
    Reading,
    Running,
    Cancel,
    Close,
    Copy,
    Copied,
    LinkHead,
    LinkLength,
    LinkPrivate,
    LinkOfLastGood,
    KeysHead,
    LettersOn,
    Undo,
    OneObject,
    WholeFile,
    Unsupported,
    NothingUnsupported,
    LeftOut,
    More,
    LastGood,
    RerunsItself,
    RunsAsTyped,
    OneError,
    Errors,
    InputWrong,
    LinkWrong,
    BackToFirst,
    GalleryHead,
    GalleryLine,
    Back,
    Line,
    Column,
    DropHere,
    TooLargeToEdit,
    Digest,
    CloseEditor,
    WorkerFailed,
    OtherVersion,
    Gone,
    GoneWhy,
    FirstTitle,
    SkipToFigure,
    Failure,
    Find,
}

/// The words for it.
#[must_use]
pub const fn say(lang: Lang, word: Word) -> &'static str {
    let (en, zh) = both(word);
    match lang {
        Lang::En => en,
        Lang::Zh => zh,
    }
}

#[expect(clippy::too_many_lines, reason = "a table")]
const fn both(word: Word) -> (&'static str, &'static str) {
    match word {
        Word::Tagline => (
            "a Kubernetes scheduler you can watch and question",
            "看得见、问得清的 Kubernetes 调度器",
        ),
        Word::Gallery => ("Gallery", "示例库"),
        Word::OpenFile => ("Open file", "打开文件"),
        Word::EditYaml => ("Edit YAML", "编辑 YAML"),
        Word::Share => ("Share", "分享"),
        Word::OtherLanguage => ("中文", "English"),
        Word::ToDark => ("Dark theme", "深色主题"),
        Word::ToLight => ("Light theme", "浅色主题"),
        Word::HowMuch => ("How much to show", "显示多少"),
        Word::Story => ("Story", "叙述"),
        Word::Everything => ("Everything", "全部"),
        Word::KeysLine => (
            "Space plays · ← → one event · ? lists keys",
            "空格播放 · ← → 单个事件 · ? 列出按键",
        ),
        Word::Play => ("Play", "播放"),
        Word::Pause => ("Pause", "暂停"),
        Word::StepBack => ("Step back", "后退一步"),
        Word::Event => ("Event", "事件"),
        Word::Cycle => ("Cycle", "一轮"),
        Word::NextEvent => ("One event on", "前进一个事件"),
        Word::NextCycle => ("One cycle on", "前进一轮"),
        Word::Slower => ("Slower", "更慢"),
        Word::Faster => ("Faster", "更快"),
        Word::Speed => ("speed", "倍速"),
        Word::SimulatedTime => ("simulated time", "模拟时间"),
        Word::Paused => ("paused", "已暂停"),
        Word::Timeline => ("Position in the run", "运行中的位置"),
        Word::PasteHead => ("Paste yours", "粘贴你的"),
        Word::PasteHere => (
            "Paste YAML, or drop a file anywhere",
            "粘贴 YAML，或把文件拖到任意位置",
        ),
        Word::NothingUploaded => (
            "It stays in this tab: nothing is uploaded.",
            "一切留在此标签页：什么都不会上传。",
        ),
        Word::ExampleHead => ("Open an example", "打开示例"),
        Word::PasteOrDrop => ("Paste yours", "粘贴你的"),
        Word::Examples => ("Examples", "示例"),
        Word::YourGuess => ("Your guess?", "你猜呢？"),
        Word::ShowMe => ("Show me", "给我看"),
        Word::Right => ("Yes. Look at the marks that stay.", "对。看留下的标记。"),
        Word::NotThat => ("Not that. Look again.", "不是这个。再看看。"),
        Word::ReadAsText => ("Read as text", "以文字阅读"),
        Word::HideText => ("Hide the text", "收起文字"),
        Word::Figure => ("The figure", "图"),
        Word::Controls => ("Time", "时间"),
        Word::Header => ("Berth", "Berth"),
        Word::ThePage => ("The page", "页面"),
        Word::Loading => (
            "Starting the scheduler in this tab",
            "正在此标签页中启动调度器",
        ),
        Word::Reading => ("Reading", "正在读取"),
        Word::Running => ("Running the cluster", "正在运行集群"),
        Word::Cancel => ("Cancel", "取消"),
        Word::Close => ("Close", "关闭"),
        Word::Copy => ("Copy", "复制"),
        Word::Copied => ("Copied", "已复制"),
        Word::LinkHead => ("A link to this moment", "指向此刻的链接"),
        Word::LinkLength => ("characters", "个字符"),
        Word::LinkPrivate => (
            "The whole cluster is in the part after #, which browsers send to nobody.",
            "整个集群都在 # 之后的部分，浏览器不会把它发给任何人。",
        ),
        Word::LinkOfLastGood => (
            "The text has errors: this is a link to its last good version.",
            "文本有错误：此链接指向上一个有效版本。",
        ),
        Word::KeysHead => ("Keys", "按键"),
        Word::LettersOn => ("Letters are keys", "字母作为按键"),
        Word::Undo => ("Undo", "撤销"),
        Word::OneObject => ("One object", "单个对象"),
        Word::WholeFile => ("Whole file", "整个文件"),
        Word::Unsupported => ("Left out of what was given", "给出但未使用的内容"),
        Word::LeftOut => ("left out", "项未使用"),
        Word::NothingUnsupported => (
            "Nothing of this file is left out.",
            "此文件中的内容都已使用。",
        ),
        Word::More => ("more", "更多"),
        Word::LastGood => ("last good version", "上一个有效版本"),
        Word::RerunsItself => (
            "it will run again by itself when the text can be read",
            "文本可读后会自动重新运行",
        ),
        Word::RunsAsTyped => ("runs again as you type", "随输入自动重新运行"),
        Word::OneError => ("1 error", "1 个错误"),
        Word::Errors => ("errors", "个错误"),
        Word::InputWrong => ("This cannot be read yet", "这还无法读取"),
        Word::LinkWrong => ("This link cannot be opened", "无法打开此链接"),
        Word::BackToFirst => ("Back to the first screen", "回到首屏"),
        Word::GalleryHead => ("Gallery", "示例库"),
        Word::GalleryLine => (
            "Each is a cluster that runs in this tab, stopped where it gets interesting.",
            "每个示例都是在此标签页中运行的集群，停在有意思的地方。",
        ),
        Word::Back => ("Back", "返回"),
        Word::Line => ("line", "行"),
        Word::Column => ("column", "列"),
        Word::DropHere => (
            "Drop it anywhere. It stays in this tab.",
            "放在任意位置。它只留在此标签页。",
        ),
        Word::TooLargeToEdit => (
            "This cluster is too large to be edited as text here.",
            "此集群太大，无法在此以文本编辑。",
        ),
        Word::Digest => ("digest", "摘要"),
        Word::CloseEditor => ("Close the editor", "关闭编辑器"),
        Word::WorkerFailed => (
            "The scheduler stopped in this tab. Reload the page to start it again.",
            "此标签页中的调度器已停止。请重新加载页面。",
        ),
        Word::OtherVersion => (
            "This page and its scheduler are of different versions. Reload the page to get both anew.",
            "此页面与其调度器的版本不同。请重新加载页面。",
        ),
        Word::Gone => ("This cluster is not in this tab", "此集群不在此标签页中"),
        Word::GoneWhy => (
            "What is dropped, pasted or edited stays in the tab where that is done. Share makes a link that opens anywhere.",
            "拖入、粘贴或编辑的内容只留在当时的标签页。“分享”可生成随处可开的链接。",
        ),
        Word::FirstTitle => (
            "Berth: why is this pod waiting?",
            "Berth：这个 Pod 为何等待？",
        ),
        Word::SkipToFigure => ("Skip to the figure", "跳到图"),
        Word::Find => ("Find a pod or a node", "查找 Pod 或节点"),
        Word::Failure => ("Next failure", "下一次失败"),
    }
}

/// A key, and what it does in English and in Chinese.
pub type Key = (&'static str, &'static str, &'static str);

/// The keys: those of time, those of the figure, those of the page.
pub const KEYS: [(Word, &[Key]); 3] = [
    (
        Word::Controls,
        &[
            ("Space", "play or pause", "播放或暂停"),
            ("← →", "one event back or on", "后退或前进一个事件"),
            ("Shift ← →", "one cycle back or on", "后退或前进一轮"),
            ("F", "the next failure", "下一次失败"),
            ("Shift F", "the failure before", "上一次失败"),
            ("Home End", "the beginning, the end", "开头，结尾"),
            ("+ −", "faster, slower", "更快，更慢"),
        ],
    ),
    (
        Word::Figure,
        &[
            ("↑ ↓", "the row above or below", "上一行，下一行"),
            (
                "Enter",
                "open a row, a cell or a group",
                "打开行、单元格或分组",
            ),
            ("Esc", "close what is open", "关闭打开的内容"),
            ("W", "why is this pod waiting", "这个 Pod 为何等待"),
            ("1 2", "Story, Everything", "叙述，全部"),
            ("X", "read the figure as text", "以文字阅读图"),
        ],
    ),
    (
        Word::ThePage,
        &[
            ("/", "find a pod or a node", "查找 Pod 或节点"),
            ("E", "edit the YAML", "编辑 YAML"),
            ("Ctrl Z", "undo the last edit", "撤销上一次编辑"),
            ("T", "light or dark", "浅色或深色"),
            ("?", "this list", "本列表"),
        ],
    ),
];

/// What a key does, in a language.
#[must_use]
pub const fn key_meaning(lang: Lang, key: &Key) -> &'static str {
    match lang {
        Lang::En => key.1,
        Lang::Zh => key.2,
    }
}
