// Numbers as text.

export const power = (exponent) =>
  "10" + String(exponent).replace(/./g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));
// A number as text with a minus sign, and with commas from 1,000 on.
export const typeset = (text) => text.replace("-", "−").replace(/(?<!\.\d*)\d(?=(\d{3})+(?!\d))/g, "$&,");

function scientific(value, digits) {
  const [mantissa, exponent] = value.toExponential(digits).split("e");
  return typeset(mantissa) + " × " + power(Number(exponent));
}

export function plain(value, digits = 3) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return scientific(value, digits - 2);
  return typeset(String(Number(value.toPrecision(digits))));
}

const FORMATS = {
  int: (value) => typeset(value.toFixed(0)),
  sci: (value) => {
    const near = value === 0 || (Math.abs(value) >= 0.01 && Math.abs(value) < 1000);
    return near ? plain(value) : scientific(value, 2);
  },
  percent: (value) => `${(100 * value).toFixed(1)} %`,
  score: (value) => typeset(value.toFixed(2)),
  number: (value) => plain(value),
};

export const format = (value, kind) => (Number.isFinite(value) ? FORMATS[kind](value) : "–");
export const countNoun = (count, noun) => `${format(count, "int")} ${noun}${count === 1 ? "" : "s"}`;

const leastAbove = (value, steps) => {
  const decade = 10 ** Math.floor(Math.log10(value));
  return Number((steps.find((s) => s * decade >= value * (1 - 1e-9)) * decade).toPrecision(2));
};

// Limits move in steps, so that a growing maximum seldom rescales what is being looked at.
export const roundUp = (value) => leastAbove(value, [1, 1.5, 2, 3, 4, 5, 6, 8, 10]);

export function multiples(low, high, step) {
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

export const stepFor = (range, room) => leastAbove(range / Math.max(1, room), [1, 2, 5, 10]);

// The place of the value that is nearest to another, or of the one that `far` finds least far.
export const nearest = (values, value, far = (other) => Math.abs(other - value)) =>
  values.reduce((best, other, i) => (far(other) < far(values[best]) ? i : best), 0);

// Whole numbers to print along an axis, at most `room` or so; rows are counted from 1.
export const counts = (low, high, room) => multiples(low, high, Math.max(1, stepFor(high - low, room)));
export const ordinals = (count, room) => [...new Set([1, ...counts(0, count, room).slice(1)])];
