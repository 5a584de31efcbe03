// The randomisers, as src/local has them: the same integer thresholds, the same coins in the same
// order, the same text of a report. test/survey/vectors.json is checked against both.

const WORDS = 1n << 64n;
const WORD_MASK = WORDS - 1n;

// Uniform 64-bit words from the browser's secure generator.
export function secureWords() {
  const buffer = new BigUint64Array(1);
  return () => {
    crypto.getRandomValues(buffer);
    return buffer[0];
  };
}

// Exactly uniform in [0, bound): words that would favour some results are drawn again.
export function uniformBelow(bound, next) {
  const wide = BigInt(bound);
  const turnedAway = WORDS % wide;
  for (;;) {
    const product = next() * wide;
    if ((product & WORD_MASK) >= turnedAway) return Number(product >> 64n);
  }
}

// 64 lanes at once: "1" where a lane's uniform 64-bit number is below the threshold.
export function bernoulliLanes(threshold, next) {
  let below = 0n;
  let undecided = WORD_MASK;
  for (let rest = threshold; rest !== 0n && undecided !== 0n; rest = (rest << 1n) & WORD_MASK) {
    const bits = next();
    if (rest >> 63n) {
      below |= undecided & ~bits & WORD_MASK;
      undecided &= bits;
    } else {
      undecided &= ~bits & WORD_MASK;
    }
  }
  return below;
}

const hasBits = (design) => ["sue", "oue", "several"].includes(design.mechanism);

// Arithmetic in the field of g elements: primes, and 4, 8, 16.
const POLYNOMIAL = {4: 0b111, 8: 0b1011, 16: 0b10011};
function fieldAdd(g, a, b) {
  return POLYNOMIAL[g] ? a ^ b : (a + b) % g;
}
function fieldMultiply(g, a, b) {
  if (!POLYNOMIAL[g]) return (a * b) % g;
  let product = 0;
  for (; b; b >>= 1) {
    if (b & 1) product ^= a;
    a <<= 1;
    if (a & g) a ^= POLYNOMIAL[g];
  }
  return product;
}

export function seedsOf(values, g) {
  let seeds = g;
  while (seeds < values) seeds *= g;
  return seeds;
}

export function hash(g, seed, value) {
  let sum = 0;
  while (seed > 0 && value > 0) {
    sum = fieldAdd(g, sum, fieldMultiply(g, seed % g, value % g));
    seed = Math.floor(seed / g);
    value = Math.floor(value / g);
  }
  return sum;
}

function throwKary(choices, next) {
  const coins = {coin: next(), other: 0};
  if (choices > 2) coins.other = uniformBelow(choices - 1, next);
  return coins;
}

// Throws all coins of one report. They never depend on the answer.
export function throwCoins(design, values, next) {
  if (hasBits(design)) {
    const lanes = [];
    for (let word = 0; word * 64 < values; ++word) {
      const ifHeld = bernoulliLanes(BigInt(design.keep), next);
      lanes.push({ifHeld, ifNot: bernoulliLanes(BigInt(design.lie), next)});
    }
    return {lanes};
  }
  if (design.mechanism === "olh") {
    const seed = uniformBelow(seedsOf(values, design.buckets), next);
    return {seed, ...throwKary(design.buckets, next)};
  }
  return throwKary(values, next);
}

function karyReport(design, value, coins) {
  const lie = coins.other + (coins.other >= value ? 1 : 0);
  return coins.coin < BigInt(design.keep) ? value : lie;
}

// What is sent for an answer (an index, or a list of indices for `several`) once the coins have
// fallen.
export function reportOf(design, values, answer, coins) {
  if (design.mechanism === "olh") {
    const bucket = hash(design.buckets, coins.seed, answer);
    return `${coins.seed},${karyReport(design, bucket, coins)}`;
  }
  if (!hasBits(design)) return String(karyReport(design, answer, coins));
  const held = Array.isArray(answer) ? answer : [answer];
  let text = "";
  coins.lanes.forEach(({ifHeld, ifNot}, word) => {
    let bits = 0n;
    for (const value of held) {
      if (Math.floor(value / 64) === word) bits |= 1n << BigInt(63 - (value % 64));
    }
    const inWord = BigInt(Math.min(64, values - word * 64));
    const mask = (WORD_MASK << (64n - inWord)) & WORD_MASK;
    const shown = ((bits & ifHeld) | (~bits & ifNot)) & mask;
    text += shown.toString(16).padStart(16, "0");
  });
  return text.slice(0, Math.ceil(values / 4));
}

// Coins as plain text, so that a page can remember them.
export function coinsToJson(coins) {
  return JSON.parse(JSON.stringify(coins, (_, v) => (typeof v === "bigint" ? `0x${v.toString(16)}` : v)));
}
export function coinsFromJson(json) {
  return JSON.parse(JSON.stringify(json), (_, v) =>
    typeof v === "string" && /^0x[0-9a-f]{1,16}$/.test(v) ? BigInt(v) : v);
}

// The values a report points to: the one it names, those in its bucket, those whose bit is shown.
export function supported(design, values, report) {
  const all = Array.from({length: values}, (_, value) => value);
  if (design.mechanism === "olh") {
    const [seed, bucket] = report.split(",").map(Number);
    return all.filter((value) => hash(design.buckets, seed, value) === bucket);
  }
  if (!hasBits(design)) return [Number(report)];
  return all.filter((value) => (parseInt(report[value >> 2], 16) >> (3 - (value & 3))) & 1);
}

const share = (threshold) => Number((BigInt(threshold) * (1n << 53n)) / WORDS) / 2 ** 53;

// If all answers were equally common: how probably somebody who sends this report holds one of the
// values it points to. For `several`: how probably a shown box is ticked, ticks being fair coins.
export function oddsOf(design, values, report) {
  const keep = share(design.keep);
  if (design.mechanism === "several") return keep / (keep + share(design.lie));
  const pointed = supported(design, values, report).length;
  if (pointed === 0 || pointed === values) return pointed / values;
  let inside;
  let outside;
  if (hasBits(design)) {
    inside = keep * (1 - share(design.lie));
    outside = (1 - keep) * share(design.lie);
  } else {
    inside = keep;
    outside = (1 - keep) / ((design.mechanism === "olh" ? design.buckets : values) - 1);
  }
  return (pointed * inside) / (pointed * inside + (values - pointed) * outside);
}
