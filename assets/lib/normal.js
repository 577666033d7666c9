// The normal distribution.

// The share below x: Abramowitz and Stegun, 26.2.17, to 7.5e-8.
const TERMS = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153];
export function shareBelow(x) {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const above = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * TERMS.reduce((sum, factor) => sum * t + factor, 0) * t;
  return x > 0 ? 1 - above : above;
}
