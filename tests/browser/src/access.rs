//! Tests of accessibility: sizes, contrasts, and what axe-core finds.

use crate::browser::{LAPTOP, PHONE};
use crate::support::{Place, Requirements};
use crate::{PAGES, in_browsers};

#[test]
fn buttons_are_as_large_as_a_finger_and_text_stands_out_in_light_and_dark() {
    in_browsers(&[PHONE, PHONE.dark()], |browser, look| {
        let place = Place::logged();
        browser.open(&place.page("games/1.html#seat1-turn20"));
        let small: Vec<String> = browser
            .run(
                "return [...document.querySelectorAll('button, select, input')].filter((it) => { const box = \
                 it.getBoundingClientRect(); return box.width && (box.width < 40 || box.height < 40); }).map((it) => it.id)",
            );
        assert!(small.is_empty(), "too small: {small:?}");
        let weak: Vec<String> = browser.run(CONTRAST);
        assert!(weak.is_empty(), "{look:?}: {weak:?}");
    });
}

/// Lists elements whose text has a contrast below 4.5 to 1 with its background, as WCAG 2 counts it.
pub const CONTRAST: &str = r#"
    const parse = (text) => { const it = text.match(/[\d.]+/g).map(Number); return [it[0], it[1], it[2], it[3] ?? 1]; };
    const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
    const ground = (element) => {
        if (!element) return [255, 255, 255, 1];
        const own = parse(getComputedStyle(element).backgroundColor);
        return own[3] === 1 ? own : over(own, ground(element.parentElement));
    };
    const light = (colour) => {
        const part = colour.slice(0, 3).map((it) => it / 255).map((it) => it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
        return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
    };
    const texts = [...document.querySelectorAll("main *")].filter((it) => it.checkVisibility()
        && [...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
    return texts.map((it) => {
        const below = ground(it);
        const [a, b] = [light(over(parse(getComputedStyle(it).color), below)), light(below)];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        return [ratio, `${it.tagName} .${it.className} "${it.textContent.trim().slice(0, 20)}" ${ratio.toFixed(1)}`];
    }).filter(([ratio]) => ratio < 4.5).map(([, words]) => words).slice(0, 5);
"#;

/// Lists what axe finds on the page, each with the first element that has it.
pub const FINDINGS: &str = "return axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations.map((it) => \
    `${it.id}: ${it.help}: ${it.nodes.length} times, first ${it.nodes[0].html.slice(0, 160)}`))";

#[test]
fn axe_reports_nothing_on_any_page_in_light_and_dark_at_two_widths() {
    let Some(axe) = Requirements::axe() else { return };
    let mut all = Vec::new();
    in_browsers(&[PHONE, PHONE.dark(), LAPTOP, LAPTOP.dark()], |browser, look| {
        for place in
            [Place::contest(), Place::submarine(), Place::season(), Place::logged(), Place::pictured()]
        {
            for page in PAGES.iter().filter(|page| place.has_page(page)) {
                browser.open(&place.page(page));
                // What is folded is read too, once it is open.
                let open = "document.querySelectorAll('details').forEach((it) => { it.open = true; })";
                browser.run::<Option<bool>>(open);
                browser.run::<Option<bool>>(&axe);
                let found: Vec<String> = browser.run(FINDINGS);
                all.extend(found.iter().map(|it| format!("{:?} {look:?}: {page}: {it}", browser.kind)));
            }
        }
    });
    assert!(all.is_empty(), "axe found:\n{}", all.join("\n"));
}
