import type { MachineClock, ServiceClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Store, Tx } from '../../store/index.ts';
import { batches, MAX_BATCH } from '../batches.ts';
import type { Caller } from '../caller.ts';
import { contains, parseBlock } from '../caller-address.ts';
import { addressesOf } from '../rows.ts';
import { type AddressUse, addEntryUse, setSecretUse } from './rows.ts';

/** Records the last uses of access list entries and secrets. Writes them in batches rather than at each request. */
export interface LastUses {
  recordAddress(caller: Caller, address: string): void;
  recordSecret(secretId: string): void;
  /** Writes pending uses. */
  close(): Promise<void>;
}

/** A use in a batch, mutable since every request updates it. */
type GatheredUse = { -readonly [Key in keyof AddressUse]: AddressUse[Key] };

export function openLastUses(parts: {
  store: Store;
  machine: MachineClock;
  clock: ServiceClock;
  log: Log;
}): LastUses {
  const { store, clock } = parts;
  let uses = new Map<string, GatheredUse>();
  let secrets = new Map<string, number>();
  const batch = batches(parts, 'last uses', async () => {
    if (uses.size + secrets.size === 0) return;
    const [writtenUses, writtenSecrets] = [[...uses.values()], secrets];
    uses = new Map();
    secrets = new Map();
    const write = async (tx: Tx) => {
      await writeUses(tx, writtenUses);
      for (const [id, at] of writtenSecrets) await setSecretUse(tx, id, at);
    };
    await store.write(write, { synced: false });
  });
  const gathered = (size: number) => void (size < MAX_BATCH ? batch.soon() : batch.flush());
  return {
    recordAddress(caller, address) {
      // A caller without an access list has no entry to update.
      if (caller.addresses.length === 0) return;
      const key = `${caller.id} ${address}`;
      const use = uses.get(key) ?? { principalId: caller.id, address, count: 0, at: 0 };
      use.count++;
      use.at = clock.now().getTime();
      uses.set(key, use);
      gathered(uses.size);
    },
    recordSecret(secretId) {
      secrets.set(secretId, clock.now().getTime());
      gathered(secrets.size);
    },
    close: () => batch.close(),
  };
}

/** Counts requests in access list entries. If overlapping blocks contain an address, the entry of each counts it. */
async function writeUses(tx: Tx, uses: readonly AddressUse[]): Promise<void> {
  for (const [principalId, own] of Map.groupBy(uses, (use) => use.principalId)) {
    const blocks = (await addressesOf(tx, principalId)).map((cidr) => ({ cidr, block: parseBlock(cidr) }));
    for (const use of own) {
      for (const { cidr, block } of blocks) {
        if (contains([block], use.address)) await addEntryUse(tx, cidr, use);
      }
    }
  }
}
