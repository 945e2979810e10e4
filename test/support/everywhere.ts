import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { Reply } from './http.ts';
import type { Setup } from './setups.ts';

/** How long another instance may act on the data before a change: revocation takes effect within one second. */
const WITHIN_MS = 1000;
const STEP_MS = 50;
/** Requests go to the instances in turn; of one instance, too, the first answer is not taken for the rule. */
const LEAST_ANSWERS = 2;

/**
 * Whatever instance a request arrives at, its answer fits when the request begins a second after this call. A busy
 * machine makes answers late, not wrong: what counts is when a request begins. Answers the last reply.
 */
export async function expectEverywhere(
  setup: Setup,
  { client, path }: { readonly client: Client; readonly path: string },
  fits: (status: number) => boolean,
): Promise<Reply> {
  const enough = Math.max(LEAST_ANSWERS, setup.instances.length);
  const changed = performance.now();
  for (let fitting = 0; ; ) {
    const begun = performance.now() - changed;
    const reply = await client.get(path);
    fitting = fits(reply.status) ? fitting + 1 : 0;
    if (fitting === enough) return reply;
    const late = `${path} answered ${reply.status}, asked ${Math.round(begun)} ms after a change`;
    assert.ok(fitting > 0 || begun < WITHIN_MS, late);
    // Wrong credentials are counted; a key that is gone must not run into that bound first.
    if (fitting === 0) await setTimeout(STEP_MS);
  }
}
