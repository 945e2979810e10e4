import { canonicalBlock } from '../../access/index.ts';
import { generalFaults } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { accessListFaults } from './faults.ts';
import { type EntryRow, findEntry } from './rows.ts';
import { type AccessListEntry, MAX_COMMENT } from './schema.ts';

const MAX_DAYS = 7;

/** One entry of a request in canonical form. */
export interface NewEntry {
  readonly cidr: string;
  readonly address: string | undefined;
  readonly comment: string;
  readonly deleteAfter: Date | undefined;
}

export function readEntries(body: readonly AccessListEntry[], now: Date): NewEntry[] {
  const entries = body.map((entry) => readEntry(entry, now));
  if (new Set(entries.map((entry) => entry.cidr)).size < entries.length) {
    throw accessListFaults.DUPLICATE_ADDRESSES_IN_INPUT();
  }
  return entries;
}

function readEntry(entry: AccessListEntry, now: Date): NewEntry {
  const given = [entry.ipAddress, entry.cidrBlock, entry.awsSecurityGroup].filter(
    (value) => value !== undefined,
  );
  if (given.length > 1 && !isSameBlock(entry)) {
    throw accessListFaults.MULTIPLE_VALUES_SPECIFIED_FOR_ONE_NETWORK_PERMISSION_ENTRY();
  }
  if (given.length === 0) {
    throw generalFaults.MISSING_ONE_OF_MANY_ATTRIBUTES(['ipAddress', 'cidrBlock', 'awsSecurityGroup']);
  }
  if (entry.awsSecurityGroup !== undefined) {
    if (entry.deleteAfterDate !== undefined) {
      throw accessListFaults.NETWORK_PERMISSION_EXPIRATION_NOT_SUPPORTED();
    }
    throw accessListFaults.CANNOT_USE_AWS_SECURITY_GROUP_WITHOUT_VPC_PEERING_CONNECTION();
  }
  const comment = entry.comment ?? '';
  if ([...comment].length > MAX_COMMENT) throw accessListFaults.INVALID_NETWORK_PERMISSION_COMMENT();
  return { ...readBlock(entry), comment, deleteAfter: readDeletion(entry.deleteAfterDate, now) };
}

/**
 * Returns whether the address and the block of an entry mean the same. Clients send back entries that contain both,
 * and such entries are valid.
 */
function isSameBlock(entry: AccessListEntry): boolean {
  if (entry.awsSecurityGroup !== undefined) return false;
  const block = canonicalBlock(entry.ipAddress ?? '');
  return block !== undefined && block === canonicalBlock(entry.cidrBlock ?? '');
}

function readBlock(entry: AccessListEntry): Pick<NewEntry, 'cidr' | 'address'> {
  const text = entry.ipAddress ?? entry.cidrBlock ?? '';
  const cidr = canonicalBlock(text);
  if (cidr === undefined || (entry.ipAddress !== undefined && text.includes('/'))) {
    throw generalFaults
      .INVALID_IP_ADDRESS_OR_CIDR_NOTATION(text)
      .at(entry.ipAddress === undefined ? 'cidrBlock' : 'ipAddress');
  }
  return { cidr, address: entry.ipAddress };
}

const MS_PER_DAY = 86_400_000;

/** Reads the time at which a temporary entry or user expires. It must be within the next seven days. */
export function readDeletion(date: string | Date | undefined, now: Date): Date | undefined {
  if (date === undefined) return undefined;
  const at = new Date(date);
  if (at <= now) throw generalFaults.EXPIRATION_DATE_IN_PAST().at('deleteAfterDate');
  if (at.getTime() > now.getTime() + MAX_DAYS * MS_PER_DAY)
    throw generalFaults.EXPIRATION_DATE_EXCEEDS_MAX(MAX_DAYS).at('deleteAfterDate');
  return at;
}

/** Returns the entry that a path names. Throws PLATFORM_NETWORK_PERMISSION_ENTRY_NOT_FOUND. */
export async function requireEntry(
  tx: ReadTx,
  at: { groupId: string; entryValue: string },
): Promise<EntryRow> {
  const cidr = canonicalBlock(at.entryValue);
  const row = cidr === undefined ? undefined : await findEntry(tx, at.groupId, cidr);
  if (!row) throw accessListFaults.PLATFORM_NETWORK_PERMISSION_ENTRY_NOT_FOUND(at.entryValue, at.groupId);
  return row;
}
