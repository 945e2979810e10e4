import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { Reply } from './http.ts';
import type { Setup } from './setups.ts';

/** For how long another instance may use old data, since revocation takes effect within one second. */
const WITHIN_MS = 1000;
const STEP_MS = 50;
/**
 * How many consecutive replies must match. Requests go to the instances in turn, so with two instances, each of them
 * must send a matching reply.
 */
const MIN_ANSWERS = 2;

/**
 * Sends requests until every instance responds with an accepted status. All requests that begin a second or more after
 * this call must get such a status. The time at which a request begins counts, since a response may be late on a busy
 * machine. Returns the last reply.
 */
export async function expectEverywhere(
  setup: Setup,
  { client, path }: { readonly client: Client; readonly path: string },
  fits: (status: number) => boolean,
): Promise<Reply> {
  const enough = Math.max(MIN_ANSWERS, setup.instances.length);
  const changed = performance.now();
  for (let fitting = 0; ; ) {
    const begun = performance.now() - changed;
    const reply = await client.get(path);
    fitting = fits(reply.status) ? fitting + 1 : 0;
    if (fitting === enough) return reply;
    const late = `${path} answered ${reply.status}, asked ${Math.round(begun)} ms after a change`;
    assert.ok(fitting > 0 || begun < WITHIN_MS, late);
    // Pause, since failed authentications are limited. Requests with a deleted key must not reach that limit.
    if (fitting === 0) await setTimeout(STEP_MS);
  }
}
