use alloc::string::String;
use alloc::vec::Vec;

use super::{shortened, words, wrapped};
use crate::picture::px::px;
use crate::picture::scene::TextStyle;

#[test]
fn a_name_is_shortened_in_the_middle() {
    let style = TextStyle::mono(12);
    assert_eq!(shortened("web-1", &style, px(90)), "web-1");
    assert_eq!(
        shortened("web-bcd48bc87-t68sz", &style, px(80)),
        "web-b…t68sz"
    );
    assert_eq!(shortened("web-bcd48bc87-t68sz", &style, px(2)), "…");
}

#[test]
fn lines_break_at_spaces_and_between_chinese_characters() {
    let style = TextStyle::sans(12);
    assert_eq!(
        wrapped("spread by zone, maxSkew 1", &style, px(110)),
        ["spread by zone,", "maxSkew 1"]
    );
    let pieces: Vec<&str> = words("去往 ip-10。三个").collect();
    assert_eq!(pieces, ["去", "往 ", "ip-10。", "三", "个"]);
    assert_eq!(pieces.concat(), String::from("去往 ip-10。三个"));
}
