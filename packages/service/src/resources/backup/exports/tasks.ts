import { openSnapshot, type SnapshotCollection, type SnapshotContents } from '@portolan/engine/management';
import { unwrapKey } from '@portolan/foundation/keys/wrapped-key';
import { BucketError, type ObjectStore } from '../../../objects/object-store.ts';
import type { Store } from '../../../store/index.ts';
import { type ReportProgress, resultOf, step, type TaskKind } from '../../../tasks/index.ts';
import { findRole } from '../../provider-access/index.ts';
import type { Services } from '../../services.ts';
import { bucketStore, probe } from '../buckets/bucket-store.ts';
import { findBucket } from '../buckets/rows.ts';
import { attemptsFor } from '../chunk-store/attempts.ts';
import { Sources } from '../copies/sources.ts';
import { type ExportRow, exportById, isActive } from '../model/exports/rows.ts';
import { changeExport, EXPORT, type ExportWork, endExport } from './changes.ts';
import { exportCollection, isExported } from './files.ts';

/** Thrown if the export was cancelled. Files in the bucket stay, but the final file `.complete` is not written. */
class Cancelled extends Error {}

/** Writes the files of an export. Returns their number; undefined if the export was cancelled. */
const writeFiles = step<ExportWork, Services, number | undefined>({
  name: 'export',
  run: ({ services, store, payload, signal, progress }) =>
    unlessCancelled(async () => {
      const row = await requireActive(store, payload.exportId);
      return exportAll(services, store, row, { signal, progress });
    }),
});

/**
 * Exports a snapshot. After an interruption, the task writes the same files again. The file `.complete` is written
 * last.
 */
export const exportSnapshot: TaskKind<ExportWork, Services> = {
  ...EXPORT,
  attempts: attemptsFor,
  steps: [
    {
      name: 'begin',
      async commit(tx, { payload }) {
        const row = await exportById(tx, payload.exportId);
        if (row?.state === 'Queued') await changeExport(tx, row, { state: 'InProgress' });
      },
    },
    writeFiles,
    {
      name: 'complete',
      run: (context) =>
        unlessCancelled(async () => {
          const { services, store, payload } = context;
          const files = resultOf(context, writeFiles);
          if (files === undefined) return;
          const row = await requireActive(store, payload.exportId);
          const last = JSON.stringify(summaryOf(row, files));
          await (await openBucket(services, store, row)).put(`${row.prefix}/.complete`, Buffer.from(last));
        }),
      async commit(tx, { payload }) {
        const row = await exportById(tx, payload.exportId);
        if (row && isActive(row)) await endExport(tx, row);
      },
    },
  ],
  async onFailed(tx, { payload }, error, message) {
    const row = await exportById(tx, payload.exportId);
    if (row && isActive(row)) await endExport(tx, row, { errorCode: codeOf(error), message });
  },
};

/** Resolves with undefined if the export has been cancelled. */
async function unlessCancelled<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

async function requireActive(store: Store, exportId: string): Promise<ExportRow> {
  const row = await store.read((tx) => exportById(tx, exportId));
  if (row === undefined || !isActive(row)) throw new Cancelled();
  return row;
}

async function openBucket({ clouds }: Services, store: Store, row: ExportRow): Promise<ObjectStore> {
  const { bucket, role } = await store.read(async (tx) => {
    const bucket = await findBucket(tx, row.groupId, row.bucketId);
    return { bucket, role: bucket && (await findRole(tx, row.groupId, bucket.facts.roleId)) };
  });
  if (bucket === undefined || role === undefined)
    throw new BucketError('absent', 'the export bucket was removed');
  await probe(clouds, bucket.facts, role);
  return bucketStore(clouds, bucket.facts, role);
}

/** Writes all files and returns their number. */
async function exportAll(
  services: Services,
  store: Store,
  row: ExportRow,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: ReportProgress },
): Promise<number> {
  const { prefix, clusterName } = row;
  const bucket = await openBucket(services, store, row);
  await using contents = await open(services, store, row, signal);
  const collections = contents.collections.filter(isExported);
  const total = collections.length;
  let files = 0;
  const written = documentCounter(contents, collections, progress);
  await storeExported(store, row.id, { exported: 0, total });
  for (const [index, collection] of collections.entries()) {
    signal.throwIfAborted();
    files += await exportCollection(contents, collection, { bucket, prefix, clusterName }, written);
    await storeExported(store, row.id, { exported: index + 1, total });
  }
  return files;
}

/** Returns a function that counts exported documents and reports their number so far. */
function documentCounter(
  { digests }: SnapshotContents,
  collections: readonly SnapshotCollection[],
  progress: ReportProgress,
): (documents: number) => void {
  const names = new Set(collections.map(({ database, name }) => `${database}.${name}`));
  const exported = digests.filter(({ database, name }) => names.has(`${database}.${name}`));
  const total = exported.reduce((sum, { documents }) => sum + documents, 0);
  let done = 0;
  return (documents) => {
    done += documents;
    progress({ unit: 'documents', done, total });
  };
}

/**
 * Opens the snapshot, or a copy if the original is damaged. Encrypted data is decrypted, since access to the bucket
 * protects the exported files.
 */
async function open(
  services: Services,
  store: Store,
  { snapshotId, clusterId }: ExportRow,
  signal: AbortSignal,
): Promise<SnapshotContents> {
  const sources = await store.read((tx) => Sources.of(tx, services, { id: snapshotId, clusterId }));
  return sources.read(async (chunkStore) => {
    const { key: wrapped } = await chunkStore.manifest(snapshotId);
    const key = wrapped && (await unwrapKey(services.keys, wrapped));
    const options = { folder: services.scratch, signal, ...(key && { key }) };
    return openSnapshot(chunkStore.frames(snapshotId), options);
  });
}

/** Throws `Cancelled` if the export has been cancelled. */
async function storeExported(
  store: Store,
  exportId: string,
  done: { readonly exported: number; readonly total: number },
): Promise<void> {
  await store.write(async (tx) => {
    const row = await exportById(tx, exportId);
    if (row === undefined || !isActive(row)) throw new Cancelled();
    await changeExport(tx, row, done);
  });
}

/** Returns the content of the file `.complete` (docs/contract/clusters.md 3.6). */
function summaryOf(row: ExportRow, totalFiles: number) {
  const { groupId, clusterId, clusterName, customData, origin } = row;
  const { orgId, orgName, groupName, labels, snapshotDate } = origin;
  return {
    orgId,
    orgName,
    groupId,
    groupName,
    clusterUniqueId: clusterId,
    clusterName,
    snapshotInitiationDate: snapshotDate,
    totalFiles,
    labels,
    customData,
  };
}

/** docs/contract/clusters.md 3.6 has no codes for failed exports. These codes come from other operations. */
const codes: Readonly<Partial<Record<BucketError['trouble'], string>>> = {
  denied: 'CLOUD_PROVIDER_ACCESS_ROLE_NOT_AUTHORIZED',
  absent: 'EXPORT_BUCKET_NOT_FOUND',
};

function codeOf(error: Error): string {
  return (error instanceof BucketError ? codes[error.trouble] : undefined) ?? 'UNEXPECTED_ERROR';
}
