import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Store, Tx } from '../../store/index.ts';
import { batches } from '../batches.ts';
import { appendRequests, type TrailEntry } from './rows.ts';

/**
 * Maximum number of requests per write. A write of this size takes half a millisecond, which does not noticeably delay
 * responses.
 */
const CHUNK = 500;

/** Records the last requests of each organization's callers. */
export interface RequestTrail {
  record(orgId: string, entry: TrailEntry): void;
  close(): Promise<void>;
}

export function openTrail(parts: { store: Store; machine: MachineClock; log: Log }): RequestTrail {
  let pending = new Map<string, TrailEntry[]>();
  let size = 0;
  const batch = batches(parts, 'the request trail', async () => {
    if (size === 0) return;
    const written = pending;
    pending = new Map();
    size = 0;
    const append = async (tx: Tx) => {
      for (const [orgId, entries] of written) await appendRequests(tx, orgId, entries);
    };
    await parts.store.write(append, { synced: false });
  });
  return {
    record(orgId, entry) {
      const own = pending.get(orgId);
      if (own) own.push(entry);
      else pending.set(orgId, [entry]);
      if (++size < CHUNK) batch.soon();
      else void batch.flush();
    },
    close: () => batch.close(),
  };
}
