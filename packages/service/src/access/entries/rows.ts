import { codec, fetchPage, type PageRange, type ReadTx, type Tx } from '../../store/index.ts';
import { type AccessTables, insertAddress } from '../rows.ts';

/** An access list entry of an API key or service account. */
export interface AddressEntry {
  /** The CIDR block in canonical form. A single address is a block of size one. */
  readonly cidr: string;
  readonly created: Date;
  /** Number of requests from this block, accurate to about one second. */
  readonly count: number;
  /** Time of the last request, in service time. */
  readonly lastUsed: Date | undefined;
  readonly lastUsedAddress: string | undefined;
}

function readEntryRow(row: AccessTables['access_list_entry']): AddressEntry {
  return {
    cidr: row.cidr_block,
    created: codec.date.read(row.created_at),
    count: row.request_count,
    lastUsed: codec.optionalDate.read(row.last_used_at),
    lastUsedAddress: row.last_used_address ?? undefined,
  };
}

function entriesOf(tx: ReadTx, principalId: string) {
  const query = tx.from<AccessTables>().selectFrom('access_list_entry');
  return query.where('principal_id', '=', principalId);
}

export async function insertEntry(tx: Tx, principalId: string, cidr: string): Promise<void> {
  await insertAddress(tx, {
    principal_id: principalId,
    cidr_block: cidr,
    created_at: codec.date.write(tx.now),
    request_count: 0,
    last_used_at: null,
    last_used_address: null,
  });
}

export async function deleteEntry(tx: Tx, principalId: string, cidr: string): Promise<void> {
  const query = tx.from<AccessTables>().deleteFrom('access_list_entry');
  await query.where('principal_id', '=', principalId).where('cidr_block', '=', cidr).execute();
}

export async function findEntry(
  tx: ReadTx,
  principalId: string,
  cidr: string,
): Promise<AddressEntry | undefined> {
  const row = await entriesOf(tx, principalId).selectAll().where('cidr_block', '=', cidr).executeTakeFirst();
  return row && readEntryRow(row);
}

export async function pageOfEntries(tx: ReadTx, principalId: string, range: PageRange) {
  const { rows, next } = await fetchPage(entriesOf(tx, principalId).selectAll(), 'cidr_block', range);
  return { entries: rows.map(readEntryRow), next };
}

export async function countEntries(tx: ReadTx, principalId: string): Promise<number> {
  const query = entriesOf(tx, principalId).select((row) => row.fn.countAll<number>().as('count'));
  return (await query.executeTakeFirstOrThrow()).count;
}
