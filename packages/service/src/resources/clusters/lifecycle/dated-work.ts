import type { Tx } from '../../../store/index.ts';
import { type ClusterModel, isFree } from '../model/cluster.ts';
import { type ClusterWork, enqueueWork } from './work.ts';

/** What is done about a cluster at a later date, by service time. */

const DAY_MS = 86_400_000;
/** How long a cluster may be paused; then it runs again by itself. */
const MOST_PAUSED_MS = 30 * DAY_MS;
/** A free cluster to which nobody has connected for so long pauses by itself. */
export const MOST_IDLE_MS = 30 * DAY_MS;
/** How often it is looked at: log-ins of the last seven days are known. */
const LOOK_MS = 5 * DAY_MS;

/** `before`: when it was last resumed. A later date says that this pause has ended already. */
export interface Resumption extends ClusterWork {
  readonly before: string | null;
}

/** `used`: when somebody was last connected, ISO 8601. */
export interface IdlenessLook extends ClusterWork {
  readonly used: string;
}

/** `expires`: the date of the pin that ends. A pin with another date is not meant. */
export interface PinExpiry extends ClusterWork {
  readonly expires: string;
}

/** `expires`: when the access of staff ends. Another date says that it was granted anew. */
export interface GrantExpiry extends ClusterWork {
  readonly expires: string;
}

export const EXPIRE_GRANT = { kind: 'cluster.endEmployeeAccess' };
export const RESUME = { kind: 'cluster.resume' };
export const LOOK_FOR_USE = { kind: 'cluster.idle' };
export const EXPIRE_PIN = { kind: 'cluster.unpin' };

export const lastResumed = ({ resumed }: ClusterModel) => resumed?.toISOString() ?? null;

/** Lets a task end a pause that nobody has ended by then. */
export async function resumeLater(tx: Tx, cluster: ClusterModel): Promise<void> {
  await enqueueWork<Resumption>(
    tx,
    RESUME,
    cluster,
    { before: lastResumed(cluster) },
    {
      beside: `pause:${tx.now.getTime()}`,
      runAt: new Date(tx.now.getTime() + MOST_PAUSED_MS),
      anywhere: true,
    },
  );
}

/** Lets tasks look from time to time whether anybody uses a cluster; one that is not free they leave alone. */
export async function watchIdleness(tx: Tx, cluster: ClusterModel, used = tx.now): Promise<void> {
  if (!isFree(cluster.spec)) return;
  const runAt = new Date(Math.min(used.getTime() + MOST_IDLE_MS, tx.now.getTime() + LOOK_MS));
  await enqueueWork<IdlenessLook>(
    tx,
    LOOK_FOR_USE,
    cluster,
    { used: used.toISOString() },
    { beside: `idle:${tx.now.getTime()}`, runAt },
  );
}

/** Lets a task end a pin at its date. */
export async function unpinLater(tx: Tx, cluster: ClusterModel, expires: Date): Promise<void> {
  await enqueueWork<PinExpiry>(
    tx,
    EXPIRE_PIN,
    cluster,
    { expires: expires.toISOString() },
    { beside: `pin:${expires.getTime()}`, runAt: expires, anywhere: true },
  );
}

/** Lets a task end the access of staff at its date. */
export async function endAccessLater(tx: Tx, cluster: ClusterModel, expires: Date): Promise<void> {
  await enqueueWork<GrantExpiry>(
    tx,
    EXPIRE_GRANT,
    cluster,
    { expires: expires.toISOString() },
    { beside: `grant:${expires.getTime()}`, runAt: expires, anywhere: true },
  );
}
