import { createHash } from 'node:crypto';
import { Binary } from 'bson';
import { bsonTypes } from '../../bson/bson-types.ts';
import { RawDocument } from '../../bson/raw.ts';
import { steps } from '../../bson/turns.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileSort } from '../../language/sort.ts';
import { sortedWithin } from '../../language/spill/sorted.ts';
import { documentsOf } from '../../planner/plan.ts';
import { BUCKETS } from '../../storage/buckets/layout.ts';
import { CappedCollection } from '../../storage/collection/capped.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { timelessEnvironment } from '../shared/environment.ts';
import { listOf, text } from '../shared/field-builders.ts';
import type { FieldType } from '../shared/fields.ts';
import { addressOf } from '../shared/members.ts';
import { onDatabase } from '../shared/namespace.ts';
import { inspecting, reading } from '../shared/presets.ts';
import { usageOf } from '../shared/usage.ts';
import { viewsOf } from '../views/view.ts';

/** This file contains the commands that inspect stored data. */

const nameList = listOf(text(() => new ServerError('BadValue', 'collections entries have to be strings')));

/** Names of collections. Values of other types have no effect. */
const chosenNames: FieldType<readonly string[]> = {
  read: (value, ...at) => (value.type === bsonTypes.array ? nameList.read(value, ...at) : []),
};

const dbHash = command({
  name: 'dbHash',
  aliases: ['dbhash'],
  ...reading,
  privileges: onDatabase('dbHash'),
  lenient: true,
  fields: { dbHash: 'any', collections: chosenNames },
  run({ collections: names = [] }, { database }, cluster) {
    const {
      clock,
      topology: { members },
      store,
    } = cluster;
    const began = clock.elapsed();
    const chosen = store
      .collections(database)
      .filter(({ name }) => names.length === 0 || names.includes(name));
    const wanted = chosen.map((collection) => ({
      ...hashOf(store.collection(database, shownName(collection)) ?? collection, cluster),
      name: shownName(collection),
      uuid: collection.uuid,
    }));
    const capped = chosen.filter((each) => each instanceof CappedCollection);
    const all = createHash('md5');
    for (const { digest } of wanted) all.update(digest);
    return {
      host: members[0] === undefined ? '' : addressOf(members[0]),
      collections: Object.fromEntries(wanted.map(({ name, digest }) => [name, digest])),
      capped: capped.map(({ name }) => name),
      uuids: Object.fromEntries(
        wanted.map(({ name, uuid }) => [name, new Binary(uuid, Binary.SUBTYPE_UUID)]),
      ),
      md5: all.digest('hex'),
      timeMillis: Math.round(clock.elapsed() - began),
    };
  },
});

/** Returns the name to report. For a time series, this is the name of its buckets collection. */
function shownName({ name, options }: Collection): string {
  return options.has('timeseries') ? `${BUCKETS}${name}` : name;
}

/** Number of bytes that are hashed at a time, which takes about 2 ms, and number of bytes per step. */
const HASHED_AT_ONCE = 1_048_576;
const HASHED_PER_STEP = 256;

/** Returns a hash of all documents in `_id` order. */
function hashOf(collection: Collection, cluster: ClusterContext): { digest: string } {
  const hash = createHash('md5');
  const records = collection.scan({ kind: 'byId', reverse: false });
  const documents = documentsOf(records, collection.running);
  const environment = timelessEnvironment(cluster);
  // Sort the buckets of a time series by `_id`, because they are stored in the order in which they were
  // closed.
  const ordered = collection.identified
    ? documents
    : sortedWithin(documents, compileSort(byId, environment), environment);
  for (const document of ordered) {
    const bytes = document.toBytes();
    for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
      const piece = bytes.subarray(at, at + HASHED_AT_ONCE);
      steps(piece.length / HASHED_PER_STEP);
      hash.update(piece);
    }
  }
  return { digest: hash.digest('hex') };
}

const byId = RawDocument.from({ _id: 1 });

const top = command({
  name: 'top',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'top' }],
  lenient: true,
  fields: { top: 'any' },
  run(_args, _request, cluster) {
    const usage = usageOf(cluster);
    const { store } = cluster;
    const namespaces = store
      .databases()
      .flatMap((database) => [
        ...store.collections(database).map(({ namespace }) => namespace),
        ...viewsOf(store, database).map(({ name }) => `${database}.${name}`),
      ]);
    const used = namespaces.flatMap((namespace) => {
      const found = usage.get(namespace);
      return found === undefined ? [] : [[namespace, found.toDocument()] as const];
    });
    return { totals: { note: 'all times in microseconds', ...Object.fromEntries(used) } };
  },
});

export const inspectionCommands: readonly Command[] = [dbHash, top];
