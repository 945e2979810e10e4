import { sameText } from '@portolan/foundation/secret-box';
import type { Services } from '../../services.ts';
import type { RestoreRow } from '../restores/rows.ts';

/** Whoever has the link needs nothing else: it tells that the service has made it, until the download is over. */

export const ARCHIVE_PATH = '/api/restores/{restoreJobId}/{archive}/{file}';
const CONTEXT = 'download';

type Linking = Pick<Services, 'publicUrl' | 'secrets'>;

/** The name of every archive of a download. */
export const fileOf = ({ facts }: RestoreRow) => `restore-${facts.snapshotId}.tgz`;

/** What is said of an archive in its links; a later date of the same job would make others. */
function tokenOf(secrets: Services['secrets'], { id, facts }: RestoreRow, index: number): string {
  return secrets.sign(`${id} ${index} ${facts.download?.expiresAt}`, CONTEXT);
}

/** The links of all archives, in the order of members; none before they are ready and after they are gone. */
export function linksOf({ publicUrl, secrets }: Linking, row: RestoreRow): string[] {
  const { download } = row.facts;
  if (download?.archives === undefined || row.finished !== undefined) return [];
  return download.archives.map((_, index) => {
    const url = new URL(`/api/restores/${row.id}/${index}/${fileOf(row)}`, publicUrl);
    // In the query, which is never written to a log.
    url.searchParams.set('token', tokenOf(secrets, row, index));
    return url.href;
  });
}

export function isSigned(
  secrets: Services['secrets'],
  row: RestoreRow,
  index: number,
  token: unknown,
): boolean {
  return typeof token === 'string' && sameText(token, tokenOf(secrets, row, index));
}
