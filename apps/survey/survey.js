import * as local from "/randomize.js";

const $ = (id) => document.getElementById(id);

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function alertPerson(text) {
  $("alert").textContent = text;
  $("alert").hidden = !text;
}

// The survey as this device remembers it: the coins, which do not depend on any answer and so give
// none away; the id of the one submission; and from the first attempt to send on, the reports in
// place of the coins. What may have left the device is never made anew: two reports from the same
// coins, or one report more from others, would tell more than one. The answers themselves are never
// written anywhere.
class Memory {
  constructor(survey) {
    this.key = `tacit-survey-${survey.survey}`;
    this.lasting = true;
    const found = this.load();
    const next = local.secureWords();
    this.state = found ?? {
      submission: [next(), next()].map((w) => w.toString(16).padStart(16, "0")).join(""),
      coins: Object.fromEntries(
        survey.questions.map((q) => [q.id, local.coinsToJson(local.throwCoins(q.design, q.options.length, next))])),
      reports: null,
      sent: false,
    };
    this.save();
  }
  load() {
    try {
      return JSON.parse(localStorage.getItem(this.key));
    } catch {
      this.lasting = false;
      return null;
    }
  }
  save() {
    try {
      localStorage.setItem(this.key, JSON.stringify(this.state));
    } catch {
      this.lasting = false;
    }
  }
  coins(question) {
    return local.coinsFromJson(this.state.coins[question.id]);
  }
  // From here on these reports, or those of another tab that was first.
  fix(reports) {
    const elsewhere = this.load();
    this.state = elsewhere?.reports ? elsewhere
      : {submission: this.state.submission, coins: {}, reports, sent: false};
    this.save();
  }
  confirm() {
    this.state.sent = true;
    this.save();
  }
}

const whole = (x) => Math.round(x);
const list = (words) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

function reportInWords(question, report) {
  const labels = local.supported(question.design, question.options.length, report).map((v) => `“${question.options[v]}”`);
  if (question.kind === "several") return labels.length ? `ticked: ${labels.join(", ")}` : "nothing ticked";
  if (labels.length === 0) return "none of the answers";
  if (question.design.mechanism === "olh") return `one of ${list(labels)}`;
  return list(labels);
}

function oddsInWords(question, report) {
  const {design, options} = question;
  const odds = whole(100 * local.oddsOf(design, options.length, report));
  const factor = Math.exp(Number(design.epsilon));
  const bound = `Whatever somebody believed about you before, this report changes the odds by a factor of ${factor.toFixed(2)} at most.`;
  if (question.kind === "several") {
    return `Of 100 people whose report shows a box as ticked, about ${odds} really ticked it and ${100 - odds} did not, if every box were ticked by half of all. ${bound}`;
  }
  const pointed = local.supported(design, options.length, report).length;
  if (pointed === 0 || pointed === options.length) return `It points to no answer more than to another. ${bound}`;
  return `Of 100 people who would send this, about ${odds} really answered ${pointed > 1 ? "one of these" : "so"} and ${100 - odds} answered something else, if all answers were equally common. ${bound}`;
}

class QuestionView {
  constructor(question, memory, changed) {
    this.question = question;
    this.memory = memory;
    this.practice = new Map();
    this.several = question.kind === "several";
    const name = `q-${question.id}`;
    const box = (label, value, checked) =>
      element("label", {className: value === "" ? "option skipped" : "option"},
        element("input", {type: this.several && value !== "" ? "checkbox" : "radio", name: value === "" && this.several ? `${name}-skip` : name, value, checked}),
        element("span", {}, label));
    this.boxes = question.options.map((label, value) => box(label, String(value), false));
    this.answering = false;
    this.outcome = element("p", {className: "outcome", "aria-live": "polite"});
    this.odds = element("p", {className: "quiet odds"});
    this.throws = element("p", {className: "quiet practice", "aria-live": "polite"});
    const again = element("button", {type: "button"}, "Throw practice coins");
    again.setAttribute("aria-describedby", `${name}-legend`);
    again.addEventListener("click", () => this.throwPractice());
    this.sending = element("div", {className: "sending", hidden: true}, this.outcome, this.odds, again, this.throws);
    this.skip = this.several
      ? element("label", {className: "option"},
          element("input", {type: "checkbox", name: `${name}-answer`, checked: false}),
          element("span", {}, "Answer this question (with none ticked, the answer is “none of these”)"))
      : box("Skip this question", "", true);
    const limit = question.design.ticks_max;
    const note = this.several && limit < question.options.length
      ? [element("p", {className: "quiet"}, `At most ${limit} of them.`)] : [];
    this.root = element("fieldset", {id: name},
      element("legend", {id: `${name}-legend`}, question.text), ...note,
      ...(this.several ? [this.skip, ...this.boxes] : [...this.boxes, this.skip]), this.sending);
    this.root.addEventListener("change", (event) => {
      if (this.several && event.target.type === "checkbox") this.keepToLimit(event.target);
      this.practice.clear();
      this.throws.textContent = "";
      this.show();
      changed();
    });
  }
  inputs() {
    return this.boxes.map((box) => box.querySelector("input"));
  }
  keepToLimit(target) {
    const skip = this.skip.querySelector("input");
    if (target === skip) {
      if (!skip.checked) this.inputs().forEach((input) => { input.checked = false; });
      return;
    }
    if (target.checked) skip.checked = true;
    const ticked = this.inputs().filter((input) => input.checked);
    if (ticked.length > this.question.design.ticks_max) {
      target.checked = false;
      this.throws.textContent = "";
      alertPerson(`“${this.question.text}” takes at most ${this.question.design.ticks_max}.`);
    } else {
      alertPerson("");
    }
  }
  // An index, a list of indices, or null when the question is skipped.
  answer() {
    const held = this.inputs().flatMap((input, value) => (input.checked ? [value] : []));
    if (!this.several) return held.length ? held[0] : null;
    return this.skip.querySelector("input").checked ? held : null;
  }
  report(coins = this.memory.coins(this.question)) {
    const answer = this.answer();
    if (answer === null) return null;
    return local.reportOf(this.question.design, this.question.options.length, answer, coins);
  }
  show() {
    const report = this.report();
    this.sending.hidden = report === null;
    if (report === null) return;
    this.outcome.replaceChildren("Will be sent: ", element("strong", {}, reportInWords(this.question, report)));
    this.odds.textContent = oddsInWords(this.question, report);
  }
  throwPractice() {
    const {design, options} = this.question;
    const report = this.report(local.throwCoins(design, options.length, local.secureWords()));
    const words = reportInWords(this.question, report);
    this.practice.set(words, (this.practice.get(words) ?? 0) + 1);
    const counts = [...this.practice].sort((a, b) => b[1] - a[1]).slice(0, 6).map(([text, n]) => `${text}: ${n}`);
    this.throws.textContent = `With these coins your report would be ${words}. So far: ${counts.join("; ")}. The report that counts has coins of its own, thrown once.`;
  }
}

function showTotal(survey) {
  $("results").hidden = !survey.results_for_all;
  const e = Math.exp(Number(survey.epsilon_total));
  const right = (100 * e) / (1 + e);
  $("total").replaceChildren("All questions together: ", element("strong", {}, `epsilon ${Number(survey.epsilon_total).toFixed(2)}`),
    `, and the owner promised at most ${survey.epsilon_max}. Somebody who has to guess between two answers of yours, and reads all your reports, is right at most ${right < 99.95 ? right.toFixed(0) : right.toFixed(2)} times in 100; 50 is a blind guess.`);
}

function listReports(survey, reports) {
  return survey.questions.flatMap((question) => {
    const report = reports[question.id];
    return [element("dt", {}, question.text),
      element("dd", {}, report === undefined ? "skipped, nothing sent" : `${reportInWords(question, report)} (sent as ${report})`)];
  });
}

function showSent(survey, reports) {
  $("form").hidden = true;
  $("sent-list").replaceChildren(...listReports(survey, reports));
  $("sent").hidden = false;
}

// After the first attempt to send there is nothing left to choose.
function showWaiting(survey, reports, token, send) {
  send.textContent = "Send again";
  send.disabled = false;
  $("form").replaceChildren(...(token ? [token.section] : []),
    element("section", {id: "waiting", "aria-labelledby": "waiting-title"},
      element("h2", {id: "waiting-title"}, "Not sent yet"),
      element("p", {}, "These reports are kept as they are. Some of them may have left your device already, and sending the same again gives nothing more away."),
      element("dl", {}, ...listReports(survey, reports))), send);
}

function tokenField(survey) {
  if (!survey.tokens) return null;
  // In the fragment a token stays in the browser: it is in no address that a server or a log sees.
  const given = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  const input = element("input", {type: "text", id: "token", value: given, autocomplete: "off", spellcheck: false});
  const section = element("section", {}, element("label", {htmlFor: "token"}, "Your token"), input,
    element("p", {className: "quiet"}, "It shows that you may answer, once. It is not stored beside your reports."));
  return {section, value: () => input.value.trim().toLowerCase(), input};
}

async function post(body) {
  const stop = AbortSignal.timeout ? AbortSignal.timeout(20000) : undefined;
  const response = await fetch("/api/reports", {method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify(body), credentials: "omit", signal: stop});
  if (response.ok) return null;
  const problem = await response.json().catch(() => ({}));
  return problem.detail ?? `the server answered ${response.status}`;
}

function start(survey) {
  document.title = survey.title;
  $("title").textContent = survey.title;
  $("introduction").textContent = survey.introduction;
  showTotal(survey);
  const memory = new Memory(survey);
  if (memory.state.sent) return showSent(survey, memory.state.reports);
  if (!memory.lasting) {
    alertPerson("This browser does not remember anything between visits. Answer once only: answering again would add noise that can be averaged away.");
  }
  const preview = element("pre", {id: "wire", tabIndex: 0});
  const send = element("button", {type: "submit", className: "main", id: "send"}, "Send these reports");
  const token = tokenField(survey);
  let views = [];
  const answered = () => Object.fromEntries(views.map((v) => [v.question.id, v.report()]).filter(([, r]) => r !== null));
  const body = () => ({survey: survey.survey, submission: memory.state.submission,
    ...(token ? {token: token.value()} : {}), reports: memory.state.reports ?? answered()});
  const changed = () => {
    preview.textContent = JSON.stringify(body(), null, 1);
    send.disabled = Object.keys(body().reports).length === 0;
  };
  if (memory.state.reports) {
    showWaiting(survey, memory.state.reports, token, send);
  } else {
    views = survey.questions.map((question) => new QuestionView(question, memory, changed));
    if (token) token.input.addEventListener("input", changed);
    $("form").replaceChildren(...(token ? [token.section] : []), ...views.map((view) => view.root),
      element("details", {}, element("summary", {}, "Exactly what is sent"), preview), send);
    changed();
  }
  $("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    memory.fix(body().reports);
    const sending = body();
    send.disabled = true;
    alertPerson("");
    let problem;
    try {
      problem = await post(sending);
    } catch {
      problem = "the server could not be reached";
    }
    if (problem !== null) {
      alertPerson(`Not sent: ${problem}. Nothing is lost, and you can try again.`);
      showWaiting(survey, sending.reports, token, send);
      return;
    }
    memory.confirm();
    showSent(survey, sending.reports);
    $("sent").focus();
  });
}

try {
  const response = await fetch("/api/survey", {credentials: "omit"});
  if (!response.ok) throw new Error();
  start(await response.json());
} catch (error) {
  alertPerson("The survey could not be loaded. Load the page again in a moment.");
  throw error;
}
