// What is in the way of a text, or cuts it off, as sentences. Runs in the page as it is.
//
// A text is in the way of a mark when the mark's line runs through it without something filled between the two, or when
// something filled lies over it. Places are compared in the text's own coordinates, so that turned texts count, too.
const faults = new Set();
const say = element => element.textContent.replace(/\s+/g, " ").trim().slice(0, 60);
const nameOf = element => element.closest("[data-id]")?.dataset.id ?? element.tagName;

for (const svg of document.querySelectorAll("svg.figure, svg.aside, svg.axis-panel")) {
    if (!svg.getClientRects().length) continue;
    const frame = svg.viewBox.baseVal;
    const drawn = [...svg.querySelectorAll("text, path, rect, circle, line")].filter(
        element => !element.matches(".target") && element.getClientRects().length);
    const order = new Map(drawn.map((element, place) => [element, place]));
    const toPanel = svg.getScreenCTM().inverse();
    const opacity = element => {
        let value = 1;
        for (let at = element; at && at !== svg; at = at.parentElement) value *= Number(getComputedStyle(at).opacity);
        return value;
    };
    const texts = [];
    for (const text of drawn.filter(element => element.tagName === "text" && say(element))) {
        const box = text.getBBox();
        const size = parseFloat(getComputedStyle(text).fontSize);
        // From the height of small letters to the baseline, where a line through it would be seen.
        const inner = {x: box.x + 1.5, y: box.y + box.height * 0.3, right: box.x + box.width - 1.5, bottom: box.y + box.height * 0.78};
        const matrix = toPanel.multiply(text.getScreenCTM());
        const corners = [[inner.x, inner.y], [inner.right, inner.y], [inner.right, inner.bottom], [inner.x, inner.bottom]]
            .map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix));
        const xs = corners.map(at => at.x), ys = corners.map(at => at.y);
        const bounds = {x: Math.min(...xs), right: Math.max(...xs), y: Math.min(...ys), bottom: Math.max(...ys)};
        texts.push({text, inner, inverse: matrix.inverse(), bounds, size, corners});
        if (bounds.x < -1 || bounds.right > frame.width + 1 || bounds.y < -1 || bounds.bottom > frame.height + 1)
            faults.add(`cut off by the panel: “${say(text)}” of ${nameOf(text)}`);
    }
    const within = (one, at) => {
        const local = at.matrixTransform(one.inverse);
        return local.x > one.inner.x && local.x < one.inner.right && local.y > one.inner.y && local.y < one.inner.bottom;
    };
    const meet = (one, two) => one.x < two.right && two.x < one.right && one.y < two.bottom && two.y < one.bottom;

    // Texts on texts: corners and middles of one in the other.
    texts.forEach((one, place) => {
        for (const two of texts.slice(place + 1)) {
            if (!meet(one.bounds, two.bounds)) continue;
            const probes = (from, other) => {
                for (let x = 0; x <= 1; x += 1 / 16)
                    for (const y of [0.1, 0.5, 0.9]) {
                        const at = new DOMPoint(from.inner.x + (from.inner.right - from.inner.x) * x,
                            from.inner.y + (from.inner.bottom - from.inner.y) * y).matrixTransform(from.inverse.inverse());
                        if (within(other, at)) return true;
                    }
                return false;
            };
            if (probes(one, two) || probes(two, one)) faults.add(`“${say(one.text)}” of ${nameOf(one.text)} lies on “${say(two.text)}” of ${nameOf(two.text)}`);
        }
    });

    // Marks on texts.
    const shapes = drawn.filter(element => element.tagName !== "text").map(element => {
        const style = getComputedStyle(element);
        const matrix = toPanel.multiply(element.getScreenCTM());
        const box = element.getBBox();
        const pad = style.stroke === "none" ? 0 : parseFloat(style.strokeWidth) / 2;
        const corners = [[box.x - pad, box.y - pad], [box.x + box.width + pad, box.y + box.height + pad]]
            .map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix));
        return {
            element, matrix, inverse: matrix.inverse(), place: order.get(element),
            isFilled: style.fill !== "none" && Number(style.fillOpacity) > 0.5 && opacity(element) > 0.5,
            isDrawn: style.stroke !== "none" && opacity(element) > 0.08,
            bounds: {x: Math.min(corners[0].x, corners[1].x), right: Math.max(corners[0].x, corners[1].x),
                y: Math.min(corners[0].y, corners[1].y), bottom: Math.max(corners[0].y, corners[1].y)},
        };
    });
    const covers = (shape, at) => shape.isFilled && shape.element.isPointInFill(at.matrixTransform(shape.inverse));
    for (const one of texts) {
        const place = order.get(one.text);
        const near = shapes.filter(shape => meet(shape.bounds, one.bounds));
        const forth = one.inverse.inverse();
        const probes = [];
        for (let x = one.inner.x; x <= one.inner.right; x += 1.5)
            for (const share of [0.05, 0.35, 0.65, 0.95])
                probes.push(new DOMPoint(x, one.inner.y + (one.inner.bottom - one.inner.y) * share).matrixTransform(forth));
        for (const shape of near) {
            const isOwn = shape.element.parentElement === one.text.parentElement && shape.place < place;
            for (const at of probes) {
                const isOver = shape.place > place && covers(shape, at);
                const isThrough = shape.isDrawn && shape.element.isPointInStroke(at.matrixTransform(shape.inverse))
                    && !near.some(other => other.place > shape.place && other.place < place && covers(other, at));
                if (isOver || isThrough) {
                    faults.add(`${nameOf(shape.element)} ${isOver ? "covers" : isOwn ? "edges" : "runs through"} “${say(one.text)}” of ${nameOf(one.text)}`);
                    break;
                }
            }
        }
    }
}

// Texts of the page outside of figures.
const clips = element => ["hidden", "clip"].includes(getComputedStyle(element).overflowX) && getComputedStyle(element).textOverflow !== "ellipsis";
for (const element of document.querySelectorAll("#app *")) {
    if (element.closest(".unseen, .skip, svg, .written") || !element.getClientRects().length) continue;
    // A scroll bar takes from the figure's own margin, where nothing is.
    const bar = element.offsetWidth - element.clientWidth;
    if (clips(element) && element.scrollWidth > element.clientWidth + 1 + bar && element.clientWidth > 1)
        faults.add(`cut off: “${say(element)}” of ${element.className}`);
    const hasText = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!hasText) continue;
    const box = element.getBoundingClientRect();
    const scroller = element.closest(".scroll, .gallery, .trouble, .editor, .faults, .strip, .wrongs, .edit");
    if (!scroller && (box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1 || box.top < -1))
        faults.add(`outside of the window: “${say(element)}” of ${element.className}`);
}
// The narrator stands above the figure; in columns, each has something of its own below it.
const top = document.querySelector(".scroll");
const pairs = top?.getClientRects().length ? [[".caption", top]]
    : [[".narrator", document.querySelector("svg.figure")], [".caption-side", document.querySelector("svg.aside")]];
for (const [above, below] of pairs) {
    const said = document.querySelector(above);
    if (!said || !below) continue;
    for (const element of said.querySelectorAll("p, h1, button, span")) {
        if (element.closest(".unseen") || !element.getClientRects().length) continue;
        const aside = above === ".narrator" && document.querySelector("svg.aside").getBoundingClientRect().left;
        if (aside && element.getBoundingClientRect().right > aside)
            faults.add(`the narrator reaches into the column beside it: “${say(element)}”`);
        if (element.getBoundingClientRect().bottom > below.getBoundingClientRect().top + 2)
            faults.add(`the narrator reaches into the figure: “${say(element)}”`);
    }
}
if (document.documentElement.scrollWidth > innerWidth) faults.add("the page is wider than its window");
return [...faults];
