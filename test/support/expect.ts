import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Reply } from './http.ts';

/** Expects a status. Returns the document of the response, or fails with the whole response in the message. */
export function expectStatus<T = Record<string, unknown>>(reply: Reply, status: number): T {
  assert.equal(reply.status, status, `${reply.method} ${reply.url}: ${reply.status} ${reply.text}`);
  return reply.json<T>();
}

/** Expects an error with the fields of the contract. Does not compare its `detail`, which is for people. */
export function expectFault(
  reply: Reply,
  status: number,
  errorCode: string,
  parameters: readonly unknown[] | null = [],
): void {
  const { detail, badRequestDetail: _, ...rest } = expectStatus(reply, status);
  assert.deepEqual(
    rest,
    { error: status, errorCode, parameters, reason: STATUS_CODES[status] },
    `${reply.method} ${reply.url}: ${detail}`,
  );
  assert.ok(typeof detail === 'string' && detail !== '');
  assert.equal(reply.headers.get('x-error-code'), errorCode);
  assert.equal(reply.headers.get('content-type'), 'application/json');
}

const FIRST_STEP_MS = 10;
/** The usual pause between two polls. A request costs both processes some milliseconds of CPU time. */
const USUAL_STEP_MS = 100;
/**
 * The pause during a long wait, as a share of the time waited so far. It grows, since lists have a rate limit of a
 * hundred requests per minute.
 */
const SHARE_OF_WAIT = 0.05;
/**
 * How long to poll by default. This is less than half of a test's time limit, since everything can take ten times as
 * long on a busy machine.
 */
const DEFAULT_LIMIT_MS = 400_000;
/**
 * How much of the duration of one attempt counts towards the time limit. If an attempt takes longer, the
 * whole machine must have been suspended.
 */
const LONGEST_TRY_MS = 5_000;

/** Polls until the result is accepted. Pauses begin with `first` milliseconds and never get shorter. */
export async function until<T>(
  what: string,
  ask: () => Promise<T>,
  fits: (answer: T) => boolean,
  patience = DEFAULT_LIMIT_MS,
  first = FIRST_STEP_MS,
): Promise<T> {
  let left = patience;
  for (let step = first; ; step = longerThan(step, patience - left)) {
    const begun = performance.now();
    const answer = await ask();
    if (fits(answer)) return answer;
    assert.ok(left > 0, `${what} did not happen within ${patience} ms: ${JSON.stringify(answer)}`);
    await setTimeout(step);
    left -= Math.min(performance.now() - begun, LONGEST_TRY_MS);
  }
}

/** Returns the pause that follows a pause of `step` milliseconds, after `waited` milliseconds in total. */
function longerThan(step: number, waited: number): number {
  return Math.max(step, Math.min(step * 1.5, Math.max(USUAL_STEP_MS, waited * SHARE_OF_WAIT)));
}

/** Maximum duration of an attempt. It is less than the minute in which failed attempts are counted. */
const WITHIN_WINDOW_MS = 55_000;

/**
 * Returns the result of `attempt`, whose requests must be counted in the same minute. If they take longer, `attempt` is
 * called again, with a higher number. It must then use another name, because attempts are counted by name.
 */
export async function withinMinute<T>(attempt: (count: number) => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    const begun = performance.now();
    const result = await attempt(count);
    if (performance.now() - begun < WITHIN_WINDOW_MS) return result;
  }
}
