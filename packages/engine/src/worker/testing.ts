import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { type TestClock, testClock } from '@portolan/foundation/testing';
import { type Document, deserialize, serialize, type Timestamp } from 'bson';
import type { WireCaller, WireUser } from '../access/caller.ts';
import type { ClusterMember } from '../commands/context/topology.ts';
import { body, sequence } from '../wire/testing.ts';
import type { WorkerDependencies } from './dependencies.ts';
import type { ClusterInfo } from './protocol.ts';
import { QueryWorker } from './query-worker.ts';

/**
 * This file runs the worker of a query thread with one cluster in a temporary directory. Tests call the worker
 * without threads or sockets.
 */

export const CLUSTER_ID = '65f0c0ffee65f0c0ffee0001';

export const info: ClusterInfo = {
  replicaSetName: 'rs-test',
  version: '8.0.29',
  configVersion: 1,
  term: 1,
  members: [
    testMember(0, { state: 'PRIMARY', priority: 7 }),
    testMember(1, { state: 'SECONDARY', priority: 7 }),
    testMember(2, { state: 'SECONDARY', priority: 6 }),
  ],
};

export function testMember(index: number, more: Pick<ClusterMember, 'state' | 'priority'>): ClusterMember {
  const place = { shard: 0, kind: 'electable', provider: 'AWS', region: 'EU_WEST_1' } as const;
  return { id: `m${index}`, host: '127.0.0.1', port: 27100 + index, ...place, ...more };
}

export const admin: WireUser = {
  username: 'alice',
  database: 'admin',
  roles: [{ role: 'platformAdmin', database: 'admin' }],
};

export interface SendOptions {
  /** Document sequences by name. */
  readonly sequences?: Readonly<Record<string, readonly Document[]>>;
  /** The user of the caller; null if the caller is not authenticated. */
  readonly user?: WireUser | null;
  readonly connectionId?: number;
  readonly member?: string;
  /** True if the client expects no reply. */
  readonly moreToCome?: boolean;
  /** The cluster of the request, if the worker has several. */
  readonly clusterId?: string;
}

export interface Sent {
  /** The reply; absent until it is sent. It does not contain the times of the cluster, which are the fields below. */
  reply?: Document;
  operationTime?: Timestamp;
  clusterTime?: Document;
}

export class TestCluster {
  readonly clock: TestClock = testClock();
  readonly dir = mkdtempSync(join(tmpdir(), 'worker-'));
  /** Returns the random numbers that commands use, from 0 to 1, exclusive. */
  fraction = systemRandom().fraction;
  worker: QueryWorker;
  readonly #dependencies: Partial<WorkerDependencies>;
  /** True if replies do not wait for the disk. */
  readonly unsynced: boolean;
  #requestId = 0;

  constructor(dependencies: Partial<WorkerDependencies> = {}, { unsynced = false } = {}) {
    this.#dependencies = dependencies;
    this.unsynced = unsynced;
    this.worker = this.#start();
  }

  #start(): QueryWorker {
    const service = serviceClock(this.clock);
    const worker = new QueryWorker({
      machine: this.clock,
      service,
      random: { ...systemRandom(), fraction: () => this.fraction() },
      log: silentLog(),
      ...this.#dependencies,
    });
    worker.open(CLUSTER_ID, this, info);
    return worker;
  }

  /**
   * Submits a command for the next turn. The reply is stored in `sent`. Without `$db`, the command runs on the database
   * `test`.
   */
  send(command: Document, options: SendOptions = {}, sent: Sent = {}): Sent {
    const wire = {
      requestId: ++this.#requestId,
      clusterId: options.clusterId ?? CLUSTER_ID,
      caller: callerOf(options),
      sections: sectionsOf(command, options),
      moreToCome: options.moreToCome ?? false,
    };
    this.worker.submit(wire, (document) => {
      const { operationTime, $clusterTime, ...reply } = deserialize(document, {
        useBigInt64: true,
        bsonRegExp: true,
      });
      Object.assign(sent, { reply, operationTime, clusterTime: $clusterTime });
    });
    return sent;
  }

  /** Runs a command and returns its reply. */
  run(command: Document, options: SendOptions = {}): Document {
    const sent = this.send(command, options);
    this.worker.runTurn();
    if (sent.reply === undefined) throw new Error('no answer');
    return sent.reply;
  }

  /** Returns all documents of a collection in natural order. */
  documents(collection: string): Document[] {
    return this.run({ find: collection, batchSize: 1_000_000 }).cursor.firstBatch;
  }

  configure(changes: Partial<ClusterInfo>): void {
    this.worker.configure(CLUSTER_ID, { ...info, ...changes });
  }

  /** Closes the file and opens it again. */
  reopen(): void {
    this.worker.closeAll();
    this.worker = this.#start();
  }

  remove(): void {
    this.worker.closeAll();
    rmSync(this.dir, { recursive: true });
  }
}

function callerOf({ user = admin, connectionId = 1, member = 'm0' }: SendOptions): WireCaller {
  return { connectionId, remote: '127.0.0.1:50000', member, ...(user === null ? {} : { user }) };
}

export function sectionsOf(command: Document, { sequences = {} }: SendOptions = {}): Uint8Array {
  const { $db = 'test', ...rest } = command;
  const parts = [body(serialize({ ...rest, $db }))];
  for (const [name, documents] of Object.entries(sequences)) {
    parts.push(
      sequence(
        name,
        documents.map((document) => serialize(document)),
      ),
    );
  }
  return Buffer.concat(parts);
}
