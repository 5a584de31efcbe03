// Live results: asked for every few seconds, drawn as SVG, with the same figures as a table.

const EVERY_MS = 3000;
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function shape(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

const percent = (x) => `${(100 * x).toFixed(1)} %`;

// Where the interval is wider than this the bar says next to nothing: it is drawn grey.
const WIDE = 0.3;
const isVague = (question) => question.options.some((o) => o.high95 - o.low95 > WIDE);

// Labels above their bars, so that long ones fit a phone; drawn at the width it is shown at, so that
// letters keep their size.
function chart(question, width) {
  const row = 52;
  const height = question.options.length * row + 26;
  const x = (share) => 10 + share * (width - 20);
  const svg = shape("svg", {class: isVague(question) ? "chart vague" : "chart", viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `${question.text}: ${question.options.map((o) => `${o.label} ${percent(o.projected)}`).join(", ")}`});
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(shape("line", {class: "grid", x1: x(share), x2: x(share), y1: 0, y2: height - 22}),
      shape("text", {class: "tick", x: Math.min(Math.max(x(share), 18), width - 22), y: height - 6}, `${100 * share} %`));
  }
  question.options.forEach((option, i) => {
    const y = i * row;
    const middle = y + 35;
    svg.append(shape("text", {x: x(0) + 2, y: y + 18}, option.label),
      shape("rect", {class: "bar", x: x(0), y: y + 26, width: x(option.projected) - x(0), height: 18, rx: 3}),
      shape("path", {class: "whisker", d: `M${x(option.low95)} ${middle - 6}v12M${x(option.low95)} ${middle}H${x(option.high95)}M${x(option.high95)} ${middle - 6}v12`}));
  });
  return svg;
}

function table(question) {
  const row = (cells, name) => element("tr", {}, ...cells.map((text, i) => {
    const cell = element(i === 0 || name === "head" ? "th" : "td", {}, text);
    if (cell.tagName === "TH") cell.scope = name === "head" ? "col" : "row";
    return cell;
  }));
  return element("table", {},
    element("caption", {className: "quiet"}, `${question.people.toLocaleString("en")} reports, epsilon ${Number(question.epsilon).toFixed(2)} each (${question.mechanism})`),
    element("thead", {}, row(["", "estimate", "95 % interval"], "head")),
    element("tbody", {}, ...question.options.map((o) =>
      row([o.label, percent(o.projected), `${(100 * o.low95).toFixed(1)} to ${percent(o.high95)}`], "body"))));
}

let latest = null;
let shown = "";
function show(results) {
  latest = results;
  document.title = `Results: ${results.title}`;
  $("title").textContent = results.title;
  const width = Math.max(260, Math.min(640, $("questions").clientWidth - 36));
  const text = JSON.stringify([width, results.questions]);
  if (text === shown) return;  // leave what a screen reader or a selection holds alone
  shown = text;
  $("questions").replaceChildren(...results.questions.map((question, i) => {
    const heading = element("h2", {id: `h-${i}`}, question.text);
    const parts = question.people === 0
      ? [element("p", {className: "quiet"}, "No reports yet.")] : [...(isVague(question) ? [element("p", {className: "quiet"}, "Too few people yet: the grey bars are mostly chance. Read the lines across them, which say where the truth may be.")] : []),
        chart(question, width), table(question)];
    return element("section", {"aria-labelledby": `h-${i}`}, heading, ...parts);
  }));
}
addEventListener("resize", () => latest && show(latest));

async function update() {
  try {
    const response = await fetch(`/api${location.pathname}`, {credentials: "omit"});
    if (!response.ok) throw new Error();
    show(await response.json());
    $("alert").hidden = true;
    $("updated").textContent = `Updated ${new Date().toLocaleTimeString()}; updates by itself.`;
  } catch {
    $("alert").textContent = "The server does not answer; these are the last figures it gave.";
    $("alert").hidden = false;
  }
  setTimeout(update, EVERY_MS);
}

update();
