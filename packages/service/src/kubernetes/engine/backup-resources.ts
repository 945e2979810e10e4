import { NotYet, PermanentFailure } from '../../tasks/index.ts';
import { WORK_MS } from './calls.ts';
import { kinds } from './kinds.ts';
import { CLUSTER_LABEL, MANAGED, type Place } from './names.ts';
import type { KubernetesObject } from './port.ts';

/** This file contains the resources of snapshots and restores, and what their statuses mean. */

const BACKUP = 'PerconaServerMongoDBBackup';
const RESTORE = 'PerconaServerMongoDBRestore';

/** The name of the label with the id of the snapshot. */
export const SNAPSHOT_LABEL = 'portolan/snapshot';

/** A finalizer, with which the operator deletes the files of a snapshot before it deletes the resource. */
const WITH_FILES = 'percona.com/delete-backup';

export const backupName = (snapshotId: string): string => `snapshot-${snapshotId}`;
export const restoreName = (restoreId: string): string => `restore-${restoreId}`;

interface SnapshotRequest {
  readonly clusterId: string;
  readonly snapshotId: string;
  readonly storageName: string;
}

/** Returns the resource of a snapshot. The first argument is the place of the resource of its cluster. */
export function backupOf(
  { namespace, name: clusterName }: Place,
  { clusterId, snapshotId, storageName }: SnapshotRequest,
): KubernetesObject {
  return {
    ...{ apiVersion: kinds[BACKUP].apiVersion, kind: BACKUP },
    metadata: {
      ...{ name: backupName(snapshotId), namespace },
      labels: { ...MANAGED, [CLUSTER_LABEL]: clusterId, [SNAPSHOT_LABEL]: snapshotId },
      finalizers: [WITH_FILES],
    },
    spec: { clusterName, storageName, type: 'logical' },
  };
}

interface RestoreRequest {
  readonly clusterId: string;
  readonly restoreId: string;
  readonly until?: number | undefined;
}

/**
 * Returns the resource of a restore of a snapshot. The first argument is the place of the resource of the restored
 * cluster.
 */
export function restoreOf(
  { namespace, name: clusterName }: Place,
  { clusterId, restoreId, until }: RestoreRequest,
  backup: KubernetesObject,
): KubernetesObject {
  return {
    ...{ apiVersion: kinds[RESTORE].apiVersion, kind: RESTORE },
    metadata: {
      ...{ name: restoreName(restoreId), namespace },
      labels: { ...MANAGED, [CLUSTER_LABEL]: clusterId },
    },
    spec: {
      clusterName,
      ...sourceOf(clusterName, backup),
      ...(until === undefined ? {} : { pitr: { type: 'date', date: dateAfter(until) } }),
    },
  };
}

/** The fields of a status that describe where the files of a snapshot are. */
const placeFields = ['type', 'destination', 's3', 'azure'] as const;

/**
 * Returns the source of a restore: the name of the snapshot or, for a restore to another cluster, the place of its
 * files. The operator looks for a named snapshot only below the prefix of the restored cluster, and each cluster has
 * its own prefix.
 */
function sourceOf(clusterName: string, { metadata, spec, status = {} }: KubernetesObject) {
  if (spec?.clusterName === clusterName) return { backupName: metadata?.name };
  const given = placeFields.filter((field) => status[field] !== undefined);
  return { backupSource: Object.fromEntries(given.map((field) => [field, status[field]])) };
}

/**
 * Returns the start of the next second, in the format of the resource. The operator restores all writes before this
 * time, and the contract requires the writes of the whole second.
 */
function dateAfter(seconds: number): string {
  const text = new Date((seconds + 1) * 1000).toISOString();
  return text.slice(0, 19).replace('T', ' ');
}

interface BackupStatus {
  readonly state?: string;
  readonly error?: string;
  readonly size?: string;
  readonly lastWriteAt?: string;
  readonly completed?: string;
}

const statusOf = ({ status = {} }: KubernetesObject): BackupStatus => status;

/** Throws unless the operator reports that a snapshot or restore is complete. */
export function requireEnd(object: KubernetesObject): void {
  const { state = '', error = '' } = statusOf(object);
  if (state === 'ready') return;
  if (state === 'error' || state === 'rejected')
    throw new PermanentFailure(
      `the operator reports an error: ${error === '' ? 'it gives no reason' : error}`,
    );
  const progress = state === '' ? 'has not begun' : `reports the state ${state}`;
  throw new NotYet(WORK_MS, `the operator ${progress}`);
}

export function takenOf(object: KubernetesObject) {
  const { size = '', lastWriteAt, completed } = statusOf(object);
  const time = lastWriteAt ?? completed ?? '';
  return { bytes: bytesOf(size), seconds: Math.floor(Date.parse(time) / 1000) };
}

const UNITS = ['', 'K', 'M', 'G', 'T', 'P'];

/** Reads a size such as `29.42KB`. */
function bytesOf(text: string): number {
  const [, number, unit = ''] = /^([\d.]+) ?([KMGTP]?)i?B$/.exec(text) ?? [];
  return number === undefined ? 0 : Math.round(Number(number) * 1024 ** UNITS.indexOf(unit));
}
