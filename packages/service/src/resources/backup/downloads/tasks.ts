import { createGzip } from 'node:zlib';
import { openSnapshot } from '@portolan/engine/management';
import { PermanentFailure, step, type TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { attemptsFor } from '../chunk-store/attempts.ts';
import { Sources } from '../copies/sources.ts';
import { type Compared, comparedWith } from '../model/compared.ts';
import { type Archive, type DownloadRow, downloadById } from '../model/downloads/rows.ts';
import { type SnapshotRow, snapshotById } from '../model/snapshots/rows.ts';
import { Archives } from './archives.ts';
import {
  beginDownload,
  type DownloadWork,
  endDownload,
  offerDownload,
  PACK,
  REMOVE,
  UNLINK,
} from './changes.ts';
import { type DumpMember, dumpOf } from './dump.ts';

/** With this level, compression is twice as fast as with the default level, and archives are 10% larger. */
const packing = { level: 3 };

interface Packed {
  readonly archives: readonly Archive[];
  readonly compared: Compared;
}

/** Makes the archives of a download. After an interruption, the task starts again and makes equal archives. */
export const packDownload: TaskKind<DownloadWork, Services> = {
  ...PACK,
  attempts: attemptsFor,
  steps: [
    {
      name: 'begin',
      async commit(tx, { payload }) {
        const row = await downloadById(tx, payload.restoreId);
        if (row && row.finished === undefined) await beginDownload(tx, row);
      },
    },
    step({
      name: 'pack',
      async run({ services, store, payload, signal, progress }): Promise<Packed | undefined> {
        const wanted = () =>
          store.read(async (tx) => {
            const row = await downloadById(tx, payload.restoreId);
            return row?.finished === undefined ? row : undefined;
          });
        const row = await wanted();
        const source = row?.source ?? '';
        const snapshot = await store.read((tx) => snapshotById(tx, source));
        if (row === undefined) return undefined;
        if (snapshot === undefined) throw new PermanentFailure('the snapshot was deleted');
        const proceed = async (bytes: number) => {
          progress({ unit: 'bytes', done: bytes });
          if ((await wanted()) === undefined) throw new DownloadCancelled();
        };
        return pack(services, { row, snapshot }, proceed, signal).catch(refine);
      },
      async commit(tx, { payload }, packed) {
        const row = await downloadById(tx, payload.restoreId);
        if (row && row.finished === undefined && packed) await offerDownload(tx, row, packed);
      },
    }),
  ],
  async onFailed(tx, { payload }, _, problem) {
    const row = await downloadById(tx, payload.restoreId);
    if (row && row.finished === undefined) await endDownload(tx, row, { problem });
  },
};

/**
 * Thrown if the download was cancelled or its snapshot was removed. The next task in the queue removes the archives.
 */
class DownloadCancelled extends Error {}

function refine(error: unknown): undefined {
  if (error instanceof DownloadCancelled) return undefined;
  throw error;
}

async function pack(
  services: Services,
  { row, snapshot }: { readonly row: DownloadRow; readonly snapshot: SnapshotRow },
  proceed: (bytes: number) => Promise<void>,
  signal: AbortSignal,
): Promise<Packed> {
  const { snapshots, scratch } = services;
  const kept = new Archives(snapshots, row);
  await kept.remove();
  const sources = await services.store.read((tx) => Sources.of(tx, services, snapshot));
  await using contents = await sources.read(async (chunkStore) => {
    // Refuse an encrypted snapshot, because the archive would contain its data in clear text.
    if ((await chunkStore.manifest(snapshot.id)).key !== undefined)
      throw new PermanentFailure('an encrypted snapshot cannot be downloaded');
    return openSnapshot(chunkStore.frames(snapshot.id), { folder: scratch, signal });
  });
  const archives: Archive[] = [];
  for (const member of membersOf(row, snapshot)) {
    const dump = dumpOf(contents, member, row.timestamp);
    const packed = dump.pipe(createGzip(packing));
    dump.once('error', (error) => packed.destroy(error));
    packed.once('close', () => dump.destroy());
    const before = archives.reduce((sum, { bytes }) => sum + bytes, 0);
    archives.push(await kept.keep(archives.length, packed, (bytes) => proceed(before + bytes)));
  }
  return { archives, compared: comparedWith(contents.digests) };
}

function membersOf(row: DownloadRow, snapshot: SnapshotRow): DumpMember[] {
  const { members, configServers } = snapshot.facts.sharded ?? {};
  if (members === undefined) return [{ shard: '', first: true, configServers: false }];
  const all = members.map(({ replicaSetName: shard }, index) => {
    const last = index === members.length - 1;
    return { shard, first: index === 0, configServers: configServers === 'DEDICATED' && last };
  });
  return all.filter(({ shard }) => row.members?.includes(shard) === true);
}

/** Ends a download when its links expire. */
export const unlinkDownload: TaskKind<DownloadWork, Services> = {
  ...UNLINK,
  steps: [
    {
      name: 'end',
      async commit(tx, { payload }) {
        const row = await downloadById(tx, payload.restoreId);
        if (row && row.finished === undefined) await endDownload(tx, row, 'expired');
      },
    },
  ],
};

export const removeArchives: TaskKind<DownloadWork, Services> = {
  ...REMOVE,
  steps: [
    {
      name: 'remove files',
      async run({ services, payload: { clusterId, restoreId } }) {
        await new Archives(services.snapshots, { clusterId, id: restoreId }).remove();
      },
    },
  ],
};
