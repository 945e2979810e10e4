import type { Engine } from '@portolan/engine/interface/calls';
import type { PlainObject } from '@portolan/foundation/plain-object';
import { PermanentFailure, type TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { clusterById } from '../rows.ts';
import { LOAD, type LoadWork } from './changes.ts';
import { type SampleCollection, sampleCollections } from './documents.ts';
import { endLoad } from './rows.ts';

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
        for (const each of sampleCollections()) await writeCollection(engine, cluster.id, each);
      },
      commit: (tx, { payload }) => endLoad(tx, payload.loadId),
    },
  ],
  onFailed: (tx, { payload }, _, reason) => endLoad(tx, payload.loadId, reason),
};

async function writeCollection(engine: Engine, id: string, given: SampleCollection): Promise<void> {
  const { database: $db, collection, documents, indexes } = given;
  const updates = documents.map((document) => ({ q: { _id: document._id }, u: document, upsert: true }));
  expectDone(await engine.run(id, { update: collection, $db, updates }));
  if (indexes) expectDone(await engine.run(id, { createIndexes: collection, $db, indexes }));
}

/** Throws the error message of a command that failed in whole or in part. */
function expectDone({ ok, errmsg, writeErrors }: PlainObject): void {
  const [first] = (writeErrors ?? []) as readonly { readonly errmsg: string }[];
  if (ok !== 1 || first !== undefined) throw new Error(String(first?.errmsg ?? errmsg));
}
