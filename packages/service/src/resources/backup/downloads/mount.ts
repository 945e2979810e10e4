import type { Readable } from 'node:stream';
import { generalFaults, unavailable } from '../../../api/faults.ts';
import { rangeOf } from '../../../api/http/byte-range.ts';
import type { Mount, MountAnswer, MountRequest } from '../../../api/index.ts';
import { BucketError } from '../../../objects/object-store.ts';
import type { Services } from '../../services.ts';
import { BackupDamaged } from '../chunk-store/chunk-store.ts';
import { type DownloadRow, downloadById } from '../model/downloads/rows.ts';
import { Archives } from './archives.ts';
import { endDownload } from './changes.ts';
import { ARCHIVE_PATH, fileOf, isSigned } from './links.ts';

/** Serves the archives of downloads to callers with a link. Supports range requests. */
export function archiveMount(services: Services): Mount {
  const { store, secrets, snapshots, clock, log } = services;
  return {
    id: 'downloadArchive',
    method: 'GET',
    path: ARCHIVE_PATH,
    async handle(request) {
      const { restoreJobId = '', archive: number = '', file = '' } = request.params;
      const absent = () =>
        generalFaults.RESOURCE_NOT_FOUND(`/api/restores/${restoreJobId}/${number}/${file}`);
      const row = await store.read((tx) => downloadById(tx, restoreJobId));
      const index = Number(number);
      const archive = row?.archives?.[index];
      const over = row?.finished !== undefined || clock.now() >= (row?.expires ?? new Date(0));
      // Compare the rest of the path here, since the token does not depend on it.
      const isMade = row && number === String(index) && file === fileOf(row);
      if (!isMade || !archive || over || !isSigned(secrets, row, index, request.query.token)) throw absent();
      const read: Read = (range) => new Archives(snapshots, row).stream(index, archive, range);
      try {
        const answered = await answer(request, { ...archive, file }, read);
        answered.stream?.once('error', (error) => void fail(row, error).catch(() => {}));
        return answered;
      } catch (error) {
        await fail(row, error);
        if (error instanceof BackupDamaged) throw absent();
        if (error instanceof BucketError) throw unavailable(error.message);
        throw error;
      }
    },
  };

  /** Ends the whole download if an archive is damaged, so that no client keeps an incomplete set. */
  async function fail({ id }: DownloadRow, error: unknown): Promise<void> {
    if (!(error instanceof BackupDamaged)) return;
    log.error({ restoreJob: id, reason: error.message }, 'download archive is damaged');
    await store.write(async (tx) => {
      const row = await downloadById(tx, id);
      if (row?.finished === undefined && row) await endDownload(tx, row, { problem: error.message });
    });
  }
}

interface ServedArchive {
  readonly bytes: number;
  readonly hash: string;
  readonly file: string;
}

type Read = (range: { readonly first: number; readonly last: number }) => Promise<Readable>;

async function answer(
  { method, headers }: MountRequest,
  { bytes, hash, file }: ServedArchive,
  read: Read,
): Promise<MountAnswer> {
  const etag = `"${hash}"`;
  const always = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-disposition': `attachment; filename="${file}"`,
    'content-type': 'application/gzip',
  };
  const requestedRange =
    headers['if-range'] === undefined || headers['if-range'] === etag ? headers.range : undefined;
  const range = rangeOf(requestedRange, bytes);
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...always, 'content-range': `bytes */${bytes}` }, body: '' };
  }
  const { first, last } = range ?? { first: 0, last: bytes - 1 };
  const partial = range && { 'content-range': `bytes ${first}-${last}/${bytes}` };
  return {
    status: range === undefined ? 200 : 206,
    headers: { ...always, ...partial, 'content-length': String(last - first + 1) },
    body: '',
    ...(method === 'HEAD' ? {} : { stream: await read({ first, last }) }),
  };
}
