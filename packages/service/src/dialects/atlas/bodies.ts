import { badValue } from '../../api/faults.ts';
import { isPlainObject } from '../../api/schema/json-schema.ts';

/**
 * This file converts bodies of the vendor's clients to bodies that the operations accept. These clients send
 * every field of a type, even if it is unset.
 */

/** Removes the empty database and collection, which clients send with actions on the whole cluster. */
export function withoutEmptyNamespaces(body: unknown): unknown {
  return changed(body, 'actions', (action) =>
    changed(action, 'resources', (resource) =>
      isPlainObject(resource) && resource.cluster === true && resource.db === '' && resource.collection === ''
        ? { cluster: true }
        : resource,
    ),
  );
}

/** Returns a copy of the document in which each item of one of its lists is changed. */
function changed(document: unknown, list: string, change: (item: unknown) => unknown): unknown {
  if (!isPlainObject(document)) return document;
  const items = document[list];
  return Array.isArray(items) ? { ...document, [list]: items.map(change) } : document;
}

/** Adds an empty list of members, since this dialect allows teams without members. */
export function withUsernames(body: unknown): unknown {
  return isPlainObject(body) ? { usernames: [], ...body } : body;
}

/** Removes the interval 0, which clients send for kinds of notification that have no interval. */
export function withoutZeroIntervals(body: unknown): unknown {
  return changed(body, 'notifications', (notification) => {
    if (!isPlainObject(notification) || notification.intervalMin !== 0) return notification;
    const { intervalMin: _, ...others } = notification;
    return others;
  });
}

/** Trims the line feed that a configuration file adds to the end of a filter. */
export function withTrimmedFilter(body: unknown): unknown {
  if (!isPlainObject(body) || typeof body.auditFilter !== 'string') return body;
  return { ...body, auditFilter: body.auditFilter.trim() };
}

/** Removes the region usage `NONE`, which the Kubernetes operator sends for projects without restrictions. */
export function withoutNoRestriction(body: unknown): unknown {
  if (!isPlainObject(body) || body.regionUsageRestrictions !== 'NONE') return body;
  const { regionUsageRestrictions: _, ...others } = body;
  return others;
}

const TAG_TEXT = /^[\p{L}\p{N} ;@_.+-]*$/u;
const ALLOWED = 'Allowable characters include letters, digits, spaces, and ; @ _ - . +';

/** Throws for tags with characters that only the neutral form allows. */
export function withCheckedTags(body: unknown): unknown {
  if (!isPlainObject(body) || !Array.isArray(body.tags)) return body;
  for (const [index, tag] of body.tags.entries()) {
    for (const name of ['key', 'value'] as const) {
      const text = isPlainObject(tag) ? tag[name] : undefined;
      if (typeof text === 'string' && !TAG_TEXT.test(text))
        throw badValue(`tags.${index}.${name}`, `contains invalid characters. ${ALLOWED}`);
    }
  }
  return body;
}

/**
 * Removes the disk size of half a gigabyte, which clients send when they upgrade a shared cluster. No dedicated cluster
 * has such a small disk.
 */
export function withoutSharedDisk(body: unknown): unknown {
  if (!isPlainObject(body) || typeof body.diskSizeGB !== 'number' || body.diskSizeGB >= 1) return body;
  const { diskSizeGB: _, ...others } = body;
  return others;
}

/**
 * Marks the body, so that the restore window is not checked as long as the cluster has no continuous backup. The window
 * has no effect then, and clients send a window that is longer than the retention of hourly snapshots.
 */
export function withFreeWindow(body: unknown): unknown {
  return marked(body, { isWindowFree: true });
}

/**
 * Removes the number of shards of a cluster in the legacy shape, which clients send together with specifications of
 * zones. The specifications contain the numbers that apply.
 */
export function withoutShardCount(body: unknown): unknown {
  if (!isPlainObject(body) || !Array.isArray(body.replicationSpecs)) return body;
  const { numShards: _, ...others } = body;
  return others;
}

/**
 * Marks the body that creates a cluster in the legacy shape. Clients often omit the disk size. The cluster then gets the
 * default disk of its instance size.
 */
export function withOptionalDisk(body: unknown): unknown {
  return marked(body, { isDiskOptional: true }, ({ replicationSpecs }) => Array.isArray(replicationSpecs));
}

/** Marks the body of a cluster, so that IOPS are ignored for small sizes at AWS, whose IOPS cannot be configured. */
export function withFixedIops(body: unknown): unknown {
  return marked(body, { ignoresFixedIops: true }, ({ replicationSpecs }) => Array.isArray(replicationSpecs));
}

/** Marks the body of a global cluster, which can have smaller sizes than in the neutral form. */
export function withZonesOfAnySize(body: unknown): unknown {
  return marked(body, { hasZonesOfAnySize: true }, ({ clusterType }) => clusterType === 'GEOSHARDED');
}

/**
 * Lets the items of a compliance policy have the interval 0, which clients send if any interval is allowed. The restore
 * window of a policy without continuous backup is not checked, as in `withFreeWindow`.
 */
export function withAnyInterval(body: unknown): unknown {
  return marked(body, { acceptsAnyInterval: true, isWindowFree: true });
}

/**
 * Adds an empty snapshot id, which no snapshot has, to a request that needs a snapshot but names none. MongoDB Atlas
 * rejects it like the id of a missing snapshot.
 */
export function withSnapshotId(body: unknown): unknown {
  const needsSnapshot = isPlainObject(body) && body.deliveryType !== 'pointInTime';
  return needsSnapshot ? { snapshotId: '', ...body } : body;
}

/** Gives new notifications the ids that the request contains. */
export function withChosenIds(body: unknown): unknown {
  return changed(body, 'notifications', (notification) =>
    isPlainObject(notification) && typeof notification.notifierId === 'string'
      ? { ...notification, chosenId: notification.notifierId }
      : notification,
  );
}

/** Lets a grant of access expire at a date in the past, which clients send and MongoDB Atlas accepts. */
export function withAnyExpiry(body: unknown): unknown {
  return marked(body, { acceptsPast: true });
}

/** Lets archives be paused only in the state ACTIVE. */
export function withPauseOfActive(body: unknown): unknown {
  return marked(body, { pausesActiveOnly: true });
}

/** Adds marks, which are no fields of requests, to a body to which they apply. */
function marked(
  body: unknown,
  marks: Readonly<Record<string, true>>,
  applies: (body: Readonly<Record<string, unknown>>) => boolean = () => true,
): unknown {
  return isPlainObject(body) && applies(body) ? { ...body, ...marks } : body;
}
