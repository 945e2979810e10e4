import type { MachineClock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Store } from '../../store/index.ts';
import { batches } from '../batches.ts';
import type { Caller } from '../caller.ts';
import { appendRequests } from './rows.ts';

/** Written at once at most: half a millisecond of work, so that nobody's answer waits for it. */
const CHUNK = 500;

/** One request of a caller that was recognised: who called what from where, with which result. */
export interface TrailEntry {
  readonly requestId: string;
  /** Machine time in milliseconds. */
  readonly at: number;
  readonly caller: { readonly kind: Caller['kind']; readonly id: string; readonly name: string };
  readonly address: string;
  /** The operation's id; `none` where path or method fit none. */
  readonly operation: string;
  readonly method: string;
  /** Without the query, which may hold what is nobody's business. */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** Keeps the last requests of each organization's callers. */
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
    await parts.store.write(async (tx) => {
      for (const [orgId, entries] of written) await appendRequests(tx, orgId, entries);
    });
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
