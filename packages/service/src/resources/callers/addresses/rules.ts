import { canonicalBlock } from '../../../access/index.ts';
import { generalFaults } from '../../../api/faults.ts';
import { callerFaults } from '../faults.ts';

export interface EntryBody {
  readonly ipAddress?: string;
  readonly cidrBlock?: string;
}

/** Returns the blocks of a request, in canonical form. */
export function readBlocks(body: readonly EntryBody[]): string[] {
  const blocks = body.map(readBlock);
  if (new Set(blocks).size < blocks.length) throw callerFaults.DUPLICATE_ADDRESSES_IN_INPUT();
  return blocks;
}

function readBlock({ ipAddress, cidrBlock }: EntryBody): string {
  const text = ipAddress ?? cidrBlock;
  if (text === undefined) throw generalFaults.MISSING_ONE_OF_ATTRIBUTES('ipAddress', 'cidrBlock');
  const block = canonicalBlock(text);
  const isAddress = ipAddress !== undefined;
  if (block === undefined || isAddress === text.includes('/')) {
    throw generalFaults.INVALID_IP_ADDRESS_OR_CIDR_NOTATION(text).at(isAddress ? 'ipAddress' : 'cidrBlock');
  }
  // Clients send back entries that they have read, which have both an address and a block. Accept the entry if both
  // denote the same block.
  if (isAddress && cidrBlock !== undefined && canonicalBlock(cidrBlock) !== block) {
    throw callerFaults.BAD_ACCESS_LIST_ADD_REQUEST();
  }
  return block;
}
