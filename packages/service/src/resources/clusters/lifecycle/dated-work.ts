import type { Tx } from '../../../store/index.ts';
import { type ClusterModel, isFree } from '../model/cluster.ts';
import { type ClusterWork, enqueueWork } from './work.ts';

/** This file enqueues work on clusters that is due at a service time. */

const DAY_MS = 86_400_000;
/** Maximum duration of a pause. After it, the cluster resumes automatically. */
const MAX_PAUSE_MS = 30 * DAY_MS;
/** A free cluster is paused automatically after this time without connections. */
export const MAX_IDLE_MS = 30 * DAY_MS;
/**
 * Interval of the idleness checks. It must be shorter than seven days, because the service keeps records of logins for
 * seven days.
 */
const CHECK_MS = 5 * DAY_MS;

/**
 * The payload of the task that ends a pause. `before` is the time of the last resumption before this pause. If the row
 * has a later time, the pause has already ended.
 */
export interface Resumption extends ClusterWork {
  readonly before: string | null;
}

/** `used` is the time of the last known connection, in ISO 8601. */
export interface IdlenessCheck extends ClusterWork {
  readonly used: string;
}

/** `expires` is the end of the version pin. If the stored end differs, another task ends the pin. */
export interface PinExpiry extends ClusterWork {
  readonly expires: string;
}

/**
 * `expires` is the end of the employee access. If the stored end differs, access was granted again, and this task does
 * nothing.
 */
export interface GrantExpiry extends ClusterWork {
  readonly expires: string;
}

export const EXPIRE_GRANT = { kind: 'cluster.endEmployeeAccess' };
export const RESUME = { kind: 'cluster.resume' };
export const CHECK_IDLENESS = { kind: 'cluster.idle' };
export const EXPIRE_PIN = { kind: 'cluster.unpin' };

export const lastResumed = ({ resumed }: ClusterModel) => resumed?.toISOString() ?? null;

/** Enqueues the task that ends a pause. */
export async function scheduleResumption(tx: Tx, cluster: ClusterModel): Promise<void> {
  await enqueueWork<Resumption>(
    tx,
    RESUME,
    cluster,
    { before: lastResumed(cluster) },
    {
      queue: `pause:${tx.now.getTime()}`,
      runAt: new Date(tx.now.getTime() + MAX_PAUSE_MS),
      onAnyInstance: true,
    },
  );
}

/** Enqueues the next check of whether a free cluster is used. Does nothing for other clusters. */
export async function scheduleIdlenessCheck(tx: Tx, cluster: ClusterModel, used = tx.now): Promise<void> {
  if (!isFree(cluster.spec)) return;
  const runAt = new Date(Math.min(used.getTime() + MAX_IDLE_MS, tx.now.getTime() + CHECK_MS));
  await enqueueWork<IdlenessCheck>(
    tx,
    CHECK_IDLENESS,
    cluster,
    { used: used.toISOString() },
    { queue: `idle:${tx.now.getTime()}`, runAt },
  );
}

/** Enqueues the task that ends a pin. */
export async function schedulePinExpiry(tx: Tx, cluster: ClusterModel, expires: Date): Promise<void> {
  await enqueueWork<PinExpiry>(
    tx,
    EXPIRE_PIN,
    cluster,
    { expires: expires.toISOString() },
    { queue: `pin:${expires.getTime()}`, runAt: expires, onAnyInstance: true },
  );
}

/** Enqueues the task that ends employee access. */
export async function scheduleGrantExpiry(tx: Tx, cluster: ClusterModel, expires: Date): Promise<void> {
  await enqueueWork<GrantExpiry>(
    tx,
    EXPIRE_GRANT,
    cluster,
    { expires: expires.toISOString() },
    { queue: `grant:${expires.getTime()}`, runAt: expires, onAnyInstance: true },
  );
}
