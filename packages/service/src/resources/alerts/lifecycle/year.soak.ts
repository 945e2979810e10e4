import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { hook } from './testing.ts';
import { play, randomSpans } from './testing-model.ts';

/**
 * Thousands of random conditions over a year of service time, for every combination of these delays and intervals.
 */
const DELAYS = [0, 1, 7, 120, 1440];
const INTERVALS = [5, 60, 240, 1440];
const CONDITIONS = 3000;
const YEAR_MINUTES = 365 * 24 * 60;
/** The number of conditions played to one store, so that a difference is found early. */
const CHAPTER = 100;

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '10' } },
});
const targets = DELAYS.map((delay) =>
  INTERVALS.map((interval) => hook(`${delay}-${interval}`, delay, interval)),
);

test('a year of conditions produces the notifications of the model', async (t) => {
  const until = performance.now() + Number(values.minutes) * 60_000;
  let [conditions, minutes, told] = [0, 0, 0];
  for (let chapter = 0; performance.now() < until; chapter++) {
    const played = await play(t, targets, randomSpans(Number(values.seed) + chapter, CHAPTER, 3));
    conditions += CHAPTER;
    minutes += played.minutes;
    told += played.due.length;
    if (conditions >= CONDITIONS && minutes >= YEAR_MINUTES) break;
  }
  console.log(
    `${conditions} conditions over ${Math.round(minutes / 1440)} days: ${told} notifications as in the model`,
  );
});
