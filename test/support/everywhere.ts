import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { Reply } from './http.ts';
import type { Setup } from './setups.ts';

/** How long another instance may use the previous data: revocation takes effect within one second. */
const WITHIN_MS = 1000;
const STEP_MS = 50;
/** Requests go to the instances in turn; at least two must match, also with one instance. */
const MIN_ANSWERS = 2;

/**
 * Sends requests until every instance returns a fitting status, which it must for all requests that begin a second
 * after this call. On a busy machine responses may be late, so the start of a request counts. Returns the last reply.
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
    // Failed authentications are limited; a deleted key must not exceed that limit first.
    if (fitting === 0) await setTimeout(STEP_MS);
  }
}
