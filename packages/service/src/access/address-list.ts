import type { Caller } from './caller.ts';
import { type Block, contains, parseBlock } from './caller-address.ts';
import { accessFaults } from './faults.ts';

const blocksOf = new WeakMap<Caller, readonly Block[]>();

/**
 * Throws 403 if the caller may not call from `address`. A caller without an access list may call from any address,
 * unless the organization requires an access list (docs/contract/access.md 1.4).
 */
export function assertAddressAllowed(caller: Caller, address: string): void {
  if (caller.addresses.length === 0) {
    if (caller.listRequired) throw accessFaults.ORG_REQUIRES_ACCESS_LIST(address);
    return;
  }
  if (!contains(blocks(caller), address)) throw accessFaults.IP_ADDRESS_NOT_ON_ACCESS_LIST(address);
}

function blocks(caller: Caller): readonly Block[] {
  let known = blocksOf.get(caller);
  if (!known) {
    known = caller.addresses.map(parseBlock);
    blocksOf.set(caller, known);
  }
  return known;
}
