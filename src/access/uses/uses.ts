import type { MachineClock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Store, Tx } from '../../store/index.ts';
import { batches, MAX_BATCH } from '../batches.ts';
import type { Caller } from '../caller.ts';
import { contains, parseBlock } from '../caller-address.ts';
import { blocksOf, noteEntryUse, noteSecretUse } from './rows.ts';

/** Requests of one caller from one address since the last writing. */
export interface Use {
  readonly principalId: string;
  readonly address: string;
  count: number;
  /** Machine time. */
  at: number;
}

/** When and from where address list entries and secrets were last used, without a write per request. */
export interface Uses {
  ofCaller(caller: Caller, address: string): void;
  ofSecret(secretId: string): void;
  close(): Promise<void>;
}

export function openUses(parts: { store: Store; machine: MachineClock; log: Log }): Uses {
  const { store, machine } = parts;
  let uses = new Map<string, Use>();
  let secrets = new Map<string, number>();
  const batch = batches(parts, 'last uses', async () => {
    if (uses.size + secrets.size === 0) return;
    const [writtenUses, writtenSecrets] = [[...uses.values()], secrets];
    uses = new Map();
    secrets = new Map();
    await store.write(async (tx) => {
      await noteUses(tx, writtenUses);
      for (const [id, at] of writtenSecrets) await noteSecretUse(tx, id, at);
    });
  });
  const gathered = (size: number) => void (size < MAX_BATCH ? batch.soon() : batch.flush());
  return {
    ofCaller(caller, address) {
      // Who has no list has nothing to note it at.
      if (caller.addresses.length === 0) return;
      const key = `${caller.id} ${address}`;
      const use = uses.get(key) ?? { principalId: caller.id, address, count: 0, at: 0 };
      use.count++;
      use.at = machine.now();
      uses.set(key, use);
      gathered(uses.size);
    },
    ofSecret(secretId) {
      secrets.set(secretId, machine.now());
      gathered(secrets.size);
    },
    close: () => batch.close(),
  };
}

/** Every entry that holds the address counts the requests: blocks may overlap. */
async function noteUses(tx: Tx, uses: readonly Use[]): Promise<void> {
  for (const [principalId, own] of Map.groupBy(uses, (use) => use.principalId)) {
    const blocks = (await blocksOf(tx, principalId)).map((cidr) => ({ cidr, block: parseBlock(cidr) }));
    for (const use of own) {
      for (const { cidr, block } of blocks) {
        if (contains([block], use.address)) await noteEntryUse(tx, cidr, use);
      }
    }
  }
}
