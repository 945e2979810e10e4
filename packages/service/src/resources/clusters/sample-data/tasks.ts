import type { Engine } from '@portolan/engine/interface/calls';
import { EngineUnavailable } from '@portolan/engine/management';
import { inBatches } from '@portolan/foundation/in-batches';
import type { PlainObject } from '@portolan/foundation/plain-object';
import { OVERDUE, PASSING } from '../../../replication/error-codes.ts';
import { PermanentFailure, type TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { clusterById } from '../rows.ts';
import { LOAD, type LoadWork } from './changes.ts';
import { sampleCollections } from './documents.ts';
import type { SampleCollection } from './generated.ts';
import { endLoad } from './rows.ts';
import { vendorCollections } from './vendor-documents.ts';

/**
 * Time limit of each command, in milliseconds. If there were no limit, a server that does not answer, or whose members
 * do not confirm writes, would block later tasks of the cluster.
 */
const LIMIT_MS = 30_000;
const limits = { maxTimeMS: LIMIT_MS, writeConcern: { w: 'majority', wtimeout: LIMIT_MS } };

/**
 * Number of documents in a command. FerretDB 1.24 has 50 connections to PostgreSQL. For each update that finds a
 * document, it occupies one of these connections until the end of the whole command. If no connection is free, it
 * hangs.
 */
const BATCH = 20;

/** Writes the sample data. The documents have fixed ids, so that a repeated load overwrites them. */
export const loadSampleData: TaskKind<LoadWork, Services> = {
  ...LOAD,
  attempts: 5,
  steps: [
    {
      name: 'write',
      async run({ services, store, payload }) {
        const cluster = await store.read((tx) => clusterById(tx, payload.clusterId));
        if (!cluster || cluster.state === 'DELETING') throw new PermanentFailure('the cluster is gone');
        if (cluster.paused) throw new PermanentFailure('the cluster is paused');
        const engine = services.engines.at(cluster.host);
        const collections = payload.isVendorData === true ? vendorCollections() : sampleCollections();
        for (const each of collections) await writeCollection(engine, cluster.id, each);
      },
      commit: (tx, { payload }) => endLoad(tx, payload.loadId),
    },
  ],
  onFailed: (tx, { payload }, _, reason) => endLoad(tx, payload.loadId, reason),
};

async function writeCollection(engine: Engine, id: string, given: SampleCollection): Promise<void> {
  const { database: $db, collection, documents, indexes } = given;
  const updates = documents.map((document) => ({ q: { _id: document._id }, u: document, upsert: true }));
  for (const batch of inBatches(updates, BATCH)) {
    const command = { update: collection, $db, updates: batch, ...limits };
    expectDone(await engine.run(id, command).catch((error) => unwritten(given, error)));
  }
  if (indexes === undefined) return;
  const command = { createIndexes: collection, $db, indexes, ...limits };
  expectDone(await engine.run(id, command), `The servers did not create the indexes of ${$db}.${collection}`);
}

/** Throws the error of a connection that ended, with the data that the servers may be unable to store. */
function unwritten({ database, collection, documents }: SampleCollection, error: unknown): never {
  if (!(error instanceof EngineUnavailable)) throw error;
  const decimals = JSON.stringify(documents).includes('$numberDecimal')
    ? ', whose documents contain numbers of type Decimal128'
    : '';
  const what = `The servers did not reply to a write to ${database}.${collection}${decimals}`;
  throw new EngineUnavailable(`${what}: ${error.message}`, { cause: error });
}

interface CommandError {
  readonly code?: unknown;
  readonly errmsg?: unknown;
}

/**
 * Throws the error message of a command that has failed completely or in part, after `what`. The failure counts
 * as permanent if a retry cannot succeed.
 */
export function expectDone(reply: PlainObject, what?: string): void {
  const [first] = (reply.writeErrors ?? []) as readonly CommandError[];
  const failed = reply.ok === 1 ? (first ?? (reply.writeConcernError as CommandError | undefined)) : reply;
  if (failed === undefined) return;
  const message = what === undefined ? String(failed.errmsg) : `${what}: ${failed.errmsg}`;
  const code = Number(failed.code);
  throw PASSING.has(code) || OVERDUE.has(code) ? new Error(message) : new PermanentFailure(message);
}
