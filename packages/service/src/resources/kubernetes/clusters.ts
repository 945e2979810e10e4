import type { Clusters, ExportBucket } from '../../kubernetes/index.ts';
import { type BucketLocation, exportBucketsOf } from '../backup/index.ts';
import { accessOf, clusterById, runningOn } from '../clusters/index.ts';
import { KUBERNETES_HOST } from '../engine-hosts/index.ts';
import type { Services } from '../services.ts';
import { insertUsers, userNames } from './rows.ts';
import { requestComparison } from './tasks.ts';
import { wantedOf } from './wanted.ts';

/** Gives the engine for Kubernetes access to the rows of its clusters. */
export function clustersOnKubernetes({ store, secrets }: Pick<Services, 'store' | 'secrets'>): Clusters {
  return {
    running: () => store.read(async (tx) => (await runningOn(tx, KUBERNETES_HOST)).map(({ id }) => id)),
    find: (id) =>
      store.read(async (tx) => {
        const cluster = await clusterById(tx, id);
        if (cluster?.host !== KUBERNETES_HOST) return undefined;
        return {
          wanted: wantedOf(cluster),
          isSettled: cluster.state === 'IDLE',
          isDeleting: cluster.state === 'DELETING',
          accessRevision: cluster.accessRevision,
        };
      }),
    access: (id) =>
      store.read(async (tx) => {
        const cluster = await clusterById(tx, id);
        if (cluster === undefined) throw new Error(`there is no cluster with the id ${id}`);
        const closed = (name: string) =>
          secrets.sign(JSON.stringify([id, name]), 'closed user on Kubernetes');
        const names = await userNames(tx, id);
        return {
          ...(await accessOf(tx, secrets, cluster)),
          known: names.map((name) => ({ name, closed: closed(name) })),
        };
      }),
    exportBuckets: (projectId) =>
      store.read(async (tx) => (await exportBucketsOf(tx, projectId)).flatMap(bucketOf)),
    async recordUsers(id, names) {
      const known = new Set(await store.read((tx) => userNames(tx, id)));
      const fresh = names.filter((name) => !known.has(name));
      if (fresh.length > 0) await store.write((tx) => insertUsers(tx, id, fresh));
    },
    changed: (id) => store.write((tx) => requestComparison(tx, id)),
  };
}

/** Returns a bucket in the terms of the operator. Empty if the operator has no such storages. */
function bucketOf({ provider, bucketName: bucket, azure }: BucketLocation): ExportBucket[] {
  if (provider === 'AWS') return [{ type: 's3', bucket }];
  return azure === undefined ? [] : [{ type: 'azure', bucket, account: azure.account }];
}
