import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { hook } from './testing.ts';
import { play, randomSpans } from './testing-model.ts';

/**
 * Delays and intervals in minutes. Every combination is tested with thousands of random conditions over a year of
 * service time.
 */
const DELAYS = [0, 1, 7, 120, 1440];
const INTERVALS = [5, 60, 240, 1440];
const CONDITIONS = 3000;
const YEAR_MINUTES = 365 * 24 * 60;
/** The number of conditions per store. It is small, so that a failure shows early. */
const BATCH = 100;

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '10' } },
});
const targets = DELAYS.map((delay) =>
  INTERVALS.map((interval) => hook(`${delay}-${interval}`, delay, interval)),
);

test('over a year of random conditions, the notifications equal those of the model', async (t) => {
  const until = performance.now() + Number(values.minutes) * 60_000;
  let [conditions, minutes, told] = [0, 0, 0];
  for (let batch = 0; performance.now() < until; batch++) {
    const played = await play(t, targets, randomSpans(Number(values.seed) + batch, BATCH, 3));
    conditions += BATCH;
    minutes += played.minutes;
    told += played.due.length;
    if (conditions >= CONDITIONS && minutes >= YEAR_MINUTES) break;
  }
  console.log(
    `${conditions} conditions over ${Math.round(minutes / 1440)} days: ${told} notifications as in the model`,
  );
});
