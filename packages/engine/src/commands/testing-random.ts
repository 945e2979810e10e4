import assert from 'node:assert/strict';
import type { Document } from 'bson';
import fc from 'fast-check';
import { requests } from '../language/testing/requests.ts';
import { TestCluster } from '../worker/testing.ts';

/** The code of `InternalError`. */
const INTERNAL = 1;
/** Number of commands after which the collection is emptied, so that it stays small. */
const ROUND = 200;

/**
 * Runs random commands, for tests, and returns the number of accepted commands. Throws if a command causes an internal
 * error.
 */
export function tryRandomly(count: number, seed: number, shouldContinue: () => boolean = () => true): number {
  const cluster = new TestCluster();
  let accepted = 0;
  try {
    for (let done = 0; done < count && shouldContinue(); done += ROUND) {
      cluster.run({ drop: 'c' });
      const commands = fc.sample(requests, { numRuns: Math.min(ROUND, count - done), seed: seed + done });
      for (const command of commands) if (isAccepted(command, cluster)) accepted++;
    }
    return accepted;
  } finally {
    cluster.remove();
  }
}

function isAccepted(command: Document, cluster: TestCluster): boolean {
  const reply = cluster.run(command);
  const errors: readonly Document[] = reply.ok === 1 ? (reply.writeErrors ?? []) : [reply];
  for (const { code, errmsg } of errors) {
    assert.ok(typeof code === 'number' && code !== INTERNAL, `${errmsg}: ${describe(command)}`);
  }
  return errors.length === 0;
}

function describe(command: Document): string {
  return JSON.stringify(command, (_name, value) => (typeof value === 'bigint' ? `${value}n` : value));
}
