import { type Document, deserialize } from 'bson';
import type { WireUser } from '../../packages/engine/src/access/caller.ts';
import { nullValue, type Value } from '../../packages/engine/src/bson/value.ts';
import { body } from '../../packages/engine/src/wire/testing.ts';
import { CLUSTER_ID, info, TestCluster, testMember } from '../../packages/engine/src/worker/testing.ts';
import { probe } from './probes/command-templates.ts';
import { filled, type Shape, type Subject } from './subject.ts';
import { samples } from './values.ts';

/**
 * The error code for each sample, in the order of `samples`: 0 for success, `WAITS` for a command that does not end.
 */
export type Outcome = readonly number[];

export const WAITS = -1;

/** A command that has not ended after this many turns of the event loop is waiting for something. */
const TURNS = 50;

/**
 * The error of a command that was disconnected while it waited for members of the replica set, or for an interpreter of
 * scripts.
 */
const DISCONNECTED = 279;
/**
 * Whether a command waits for members of the replica set. Other commands wait only for interpreters, which become
 * available after some time.
 */
const waits = (command: Shape) => 'replSetStepDown' in command;

const root: WireUser = {
  username: 'root',
  database: 'admin',
  roles: ['root', '__system'].map((role) => ({ role, database: 'admin' })),
};

const contents: readonly Shape[] = [
  ...probe,
  { insert: 'changed', documents: [{ _id: 1, a: 1, b: 'x', c: [1, 2] }] },
  { create: 'written' },
  { create: 'indexed' },
  { create: 'series', timeseries: { timeField: 't' } },
];

/** An engine that answers the commands of the matrix. It has a small collection. */
export class Respondent {
  readonly #cluster = new TestCluster({}, { unsynced: true });
  #requestId = 0;

  private constructor() {}

  /** Resolves when the engine has the collection, and has started the runtime for scripts. */
  static async start({ router = false } = {}): Promise<Respondent> {
    const started = new Respondent();
    if (router) {
      started.#cluster.configure({
        shardNames: ['set-0', 'set-1'],
        members: [...info.members, { ...testMember(3, { state: 'PRIMARY', priority: 0 }), kind: 'router' }],
      });
    }
    const script = { find: 'probe', filter: { $where: 'true' } };
    for (const command of contents) await started.#answer(command, nullValue, router);
    while ((await started.#answer(script, nullValue)) === WAITS) {}
    return started;
  }

  /** Returns the engine's answer to each sample. */
  async outcome(subject: Subject): Promise<Outcome> {
    const codes: number[] = [];
    for (const { value } of samples) {
      let code = await this.#answer(subject.command, value, subject.router);
      while (code === DISCONNECTED && !waits(subject.command))
        code = await this.#answer(subject.command, value, subject.router);
      if (code === 0) {
        for (const command of subject.after ?? []) await this.#answer(command, nullValue, subject.router);
      }
      codes.push(code);
    }
    return codes;
  }

  end(): void {
    this.#cluster.remove();
  }

  async #answer(command: Shape, value: Value, router = false): Promise<number> {
    const { $db = 'test', ...rest } = command;
    const connectionId = ++this.#requestId;
    const caller = { connectionId, remote: '127.0.0.1:50000', member: router ? 'm3' : 'm0', user: root };
    const sections = body(filled({ ...rest, $db }, value));
    const { worker } = this.#cluster;
    let code = WAITS;
    worker.submit({ requestId: connectionId, clusterId: CLUSTER_ID, caller, sections }, (reply) => {
      code = codeOf(deserialize(reply));
    });
    worker.runTurn();
    for (let turn = 0; code === WAITS && turn < TURNS; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      worker.runTurn();
    }
    // Disconnect, since a waiting command would block the next ones.
    if (code === WAITS) worker.disconnected(new Set([connectionId]));
    return code;
  }
}

function codeOf(answer: Document): number {
  const { code, writeErrors, nErrors, cursor } = answer;
  const failed = nErrors > 0 ? cursor?.firstBatch.find((one: Document) => one.code !== undefined) : undefined;
  return Number(code ?? writeErrors?.[0]?.code ?? failed?.code ?? 0);
}
