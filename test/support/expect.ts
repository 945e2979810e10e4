import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Reply } from './http.ts';

/** The document of an answer that has this status; fails with the whole answer otherwise. */
export function expectStatus<T = Record<string, unknown>>(reply: Reply, status: number): T {
  assert.equal(reply.status, status, `${reply.method} ${reply.url}: ${reply.status} ${reply.text}`);
  return reply.json<T>();
}

/** An error in the contract's form; its `detail` is for people and may say anything. */
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
/** Asking costs both sides some milliseconds of processor time. */
const USUAL_STEP_MS = 100;
/** What takes long is asked for less often: else a list that may be asked for a hundred times in a minute would refuse. */
const SHARE_OF_WAIT = 0.05;
/** Half of what a test has: a machine that is busy with other tests takes ten times as long as one that is not. */
const PATIENCE_MS = 45_000;
/** A try that seems to take longer than this is one during which the whole machine stood still. */
const LONGEST_TRY_MS = 5_000;

/** Asks again until the answer fits; work is under way meanwhile. The pauses begin with `first` and do not get shorter. */
export async function until<T>(
  what: string,
  ask: () => Promise<T>,
  fits: (answer: T) => boolean,
  patience = PATIENCE_MS,
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

/** The pause that follows one of `step` milliseconds, after so many altogether. */
function longerThan(step: number, waited: number): number {
  return Math.max(step, Math.min(step * 1.5, Math.max(USUAL_STEP_MS, waited * SHARE_OF_WAIT)));
}
