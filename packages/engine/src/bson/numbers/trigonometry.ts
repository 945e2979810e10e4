// JavaScript leaves the last digit of sine and cosine to its implementation. Distances between places that are close to
// each other are differences of such numbers, thus a last digit that is wrong becomes visible.

/** Steps of the table in 1. */
const STEPS = 128;

/** Digits of the table while it is made, in bits. */
const BITS = 160n;

/** Pi / 2 in three parts. Products of the first two with a small integer are exact. */
const HALF_PI = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21] as const;

/** Arguments up to this can be reduced with the three parts. */
const GREATEST = 1e5;

/** A sine and a cosine, each as the sum of two numbers. */
interface Entry {
  readonly sine: number;
  readonly sineRest: number;
  readonly cosine: number;
  readonly cosineRest: number;
}

let table: readonly Entry[] | undefined;

/** Returns the sine, rounded to the nearest number except in rare cases that are close to the middle of two. */
export function sineOf(x: number): number {
  return x !== 0 && Math.abs(x) <= GREATEST ? quarter(x, 0) : Math.sin(x);
}

/** Returns the cosine, as exact as `sineOf`. */
export function cosineOf(x: number): number {
  return Math.abs(x) <= GREATEST ? quarter(x, 1) : Math.cos(x);
}

/** Returns the sine of x plus a number of quarter turns. */
function quarter(x: number, turns: number): number {
  const count = Math.round(x / (Math.PI / 2));
  const first = x - count * HALF_PI[0];
  const second = count * HALF_PI[1];
  const angle = first - second;
  const rest = restOfSum(first, -second, angle) - count * HALF_PI[2];
  switch ((count + turns) & 3) {
    case 0:
      return smallSine(angle, rest);
    case 1:
      return smallCosine(angle, rest);
    case 2:
      return -smallSine(angle, rest);
    default:
      return -smallCosine(angle, rest);
  }
}

/** Returns what `sum` lacks to be exactly a + b. */
function restOfSum(a: number, b: number, sum: number): number {
  const part = sum - a;
  return a - (sum - part) + (b - part);
}

function smallSine(angle: number, rest: number): number {
  if (angle < 0) return -smallSine(-angle, -rest);
  const { at, beyond } = split(angle);
  const square = beyond * beyond;
  const { sine, sineRest, cosine, cosineRest } = at;
  const sum = sine + beyond;
  // The sine of `beyond` without its first term.
  const further = beyond * square * (-1 / 6 + square * (1 / 120 - square / 5040)) + rest;
  const turned = (cosine - 1) * beyond + cosineRest * beyond + cosine * further + sine * lessThanOne(square);
  return sum + (restOfSum(sine, beyond, sum) + sineRest + turned - sine * beyond * rest);
}

function smallCosine(angle: number, rest: number): number {
  if (angle < 0) return smallCosine(-angle, -rest);
  const { at, beyond } = split(angle);
  const square = beyond * beyond;
  const { sine, sineRest, cosine, cosineRest } = at;
  const turned = beyond + beyond * square * (-1 / 6 + square * (1 / 120 - square / 5040)) + rest;
  return (
    cosine + (cosineRest - sineRest * beyond - sine * turned + cosine * (lessThanOne(square) - beyond * rest))
  );
}

/** Returns the cosine of a small angle minus 1. */
function lessThanOne(square: number): number {
  return square * (-1 / 2 + square * (1 / 24 - square / 720));
}

function split(angle: number): { at: Entry; beyond: number } {
  table ??= makeTable();
  const step = Math.round(angle * STEPS);
  return { at: table[step] as Entry, beyond: angle - step / STEPS };
}

/** Returns sine and cosine of 0, 1/128, 2/128 and so on up to pi / 4. */
function makeTable(): Entry[] {
  const one = 1n << BITS;
  const steps = BigInt(STEPS);
  let [sineOfStep, cosineOfStep] = [0n, 0n];
  for (let [term, i] = [one, 0n]; term !== 0n; i++, term = term / (steps * i)) {
    const signed = i % 4n < 2n ? term : -term;
    if (i % 2n === 0n) cosineOfStep += signed;
    else sineOfStep += signed;
  }
  const entries: Entry[] = [];
  let [sine, cosine] = [0n, one];
  for (let i = 0; i <= Math.ceil((Math.PI / 4) * STEPS); i++) {
    const [s, c] = [Number(sine), Number(cosine)];
    entries.push({
      sine: scaled(s),
      sineRest: scaled(Number(sine - BigInt(s))),
      cosine: scaled(c),
      cosineRest: scaled(Number(cosine - BigInt(c))),
    });
    [sine, cosine] = [
      (sine * cosineOfStep + cosine * sineOfStep) >> BITS,
      (cosine * cosineOfStep - sine * sineOfStep) >> BITS,
    ];
  }
  return entries;
}

function scaled(value: number): number {
  return value / 2 ** Number(BITS);
}
