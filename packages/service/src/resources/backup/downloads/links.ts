import { sameText } from '@portolan/foundation/secret-box';
import type { Services } from '../../services.ts';
import type { DownloadRow } from '../model/downloads/rows.ts';

/**
 * This file makes download links. A link needs no credentials: it contains a token that the service has
 * signed, and that is valid until the download ends.
 */

export const ARCHIVE_PATH = '/api/restores/{restoreJobId}/{archive}/{file}';
const CONTEXT = 'download';

type Linking = Pick<Services, 'publicUrl' | 'secrets'>;

/** Every archive of a download has the same file name. */
export const fileOf = ({ snapshotId }: DownloadRow) => `restore-${snapshotId}.tgz`;

/** Returns the token of an archive's link. It depends on the expiry, so a new expiry invalidates old links. */
function tokenOf(secrets: Services['secrets'], { id, expires }: DownloadRow, index: number): string {
  return secrets.sign(`${id} ${index} ${expires?.toISOString()}`, CONTEXT);
}

/**
 * Returns the links of all archives in member order. Empty before the archives are ready and after the download has
 * ended.
 */
export function linksOf({ publicUrl, secrets }: Linking, row: DownloadRow): string[] {
  if (row.archives === undefined || row.finished !== undefined) return [];
  return row.archives.map((_, index) => {
    const url = new URL(`/api/restores/${row.id}/${index}/${fileOf(row)}`, publicUrl);
    // The token is in the query, since queries are never logged.
    url.searchParams.set('token', tokenOf(secrets, row, index));
    return url.href;
  });
}

export function isSigned(
  secrets: Services['secrets'],
  row: DownloadRow,
  index: number,
  token: unknown,
): boolean {
  return typeof token === 'string' && sameText(token, tokenOf(secrets, row, index));
}
