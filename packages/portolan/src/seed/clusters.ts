import { createHash } from 'node:crypto';
import { EngineError, EngineUnavailable } from '@portolan/engine/management';
import { machineClock } from '@portolan/foundation/clock';
import { ConfigError } from '@portolan/foundation/command-line';
import { inBatches } from '@portolan/foundation/in-batches';
import { poll } from '@portolan/foundation/wait';
import { ObjectId } from 'bson';
import { documentsOf } from './documents.ts';
import type { SeedCluster, SeedData } from './file.ts';
import { DataRejected, done, named, type Seeding } from './requests.ts';

/** Number of upserts in one command. */
const BATCH = 500;
const READY = { step: 10, limit: 120_000 };

/** Waits until a cluster is ready, and inserts its data. */
export async function fillCluster(
  seeding: Seeding,
  path: string,
  { name, data = [] }: SeedCluster,
  place: string,
): Promise<void> {
  const own = `${path}/clusters/${named(name)}`;
  const id = await poll(machineClock(), READY, async () => {
    const found = done(await seeding.call('GET', own), place);
    // A paused cluster accepts no data. It was filled before it was paused.
    return found.stateName === 'IDLE' || found.paused === true
      ? { id: found.id, paused: found.paused }
      : undefined;
  });
  if (id === undefined) throw new ConfigError(`${place}: the cluster is not IDLE`);
  if (id.paused === true) return;
  for (const [index, each] of data.entries())
    await fill(seeding, String(id.id), each, `${place}.data[${index}]`);
}

/**
 * Inserts documents; existing ones stay unchanged. A document without an id gets one that is derived from its position.
 */
async function fill(
  { service, file, report }: Seeding,
  clusterId: string,
  data: SeedData,
  place: string,
): Promise<void> {
  const { database: $db, collection } = data;
  const documents = documentsOf(data, place, file);
  const updates = documents.map(({ document, place: of }, index) => {
    const { _id = derivedId(`${$db}.${collection}[${index}]`), ...fields } = document;
    const u = Object.keys(fields).length === 0 ? { $setOnInsert: { _id } } : { $setOnInsert: fields };
    return { place: of, update: { q: { _id }, u, upsert: true } };
  });
  let missing = 0;
  for (const batch of inBatches(updates, BATCH)) {
    const command = { update: collection, $db, updates: batch.map(({ update }) => update) };
    const answer = await poll(machineClock(), READY, () => service.run(clusterId, command).catch(notYet));
    if (answer === undefined) throw new ConfigError(`${place}: the cluster accepts no commands`);
    const { ok, upserted = [], writeErrors = [] } = answer;
    const [first] = writeErrors as readonly {
      readonly index: number;
      readonly code?: unknown;
      readonly errmsg?: unknown;
    }[];
    if (first !== undefined) throw new DataRejected(batch[first.index]?.place ?? place, first);
    if (ok !== 1) throw new DataRejected(place, answer);
    missing += (upserted as readonly unknown[]).length;
  }
  report({ place, created: missing, existing: updates.length - missing });
}

/**
 * Returns undefined, so that the caller tries again: after a start, the service accepts requests before the databases
 * are open.
 */
function notYet(error: Error): undefined {
  if (!(error instanceof EngineError || error instanceof EngineUnavailable)) throw error;
}

function derivedId(place: string): ObjectId {
  return new ObjectId(createHash('sha256').update(place).digest().subarray(0, 12));
}
