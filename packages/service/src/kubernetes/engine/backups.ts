import { NotYet, PermanentFailure } from '../../tasks/index.ts';
import {
  backupName,
  backupOf,
  requireEnd,
  restoreName,
  restoreOf,
  SNAPSHOT_LABEL,
  takenOf,
} from './backup-resources.ts';
import { storageFor } from './backup-storage.ts';
import { call, Refused, WORK_MS } from './calls.ts';
import type { Deployments } from './deployments.ts';
import { KIND_MISSING } from './kinds.ts';
import { CLUSTER_LABEL, placeOf, selectorOf } from './names.ts';
import type { Parts, StoredCluster } from './parts.ts';
import type { KubernetesApi } from './port.ts';

/** A snapshot that the operator has taken. */
export interface TakenBackup {
  /** The size of the snapshot's files, if the operator reports it; otherwise 0. */
  readonly bytes: number;
  /** The time of the last write that the snapshot contains, in seconds since 1970. */
  readonly seconds: number;
}

export interface WantedRestore {
  readonly restoreId: string;
  readonly snapshotId: string;
  /** The cluster to which the snapshot is restored. */
  readonly clusterId: string;
  /** The last second whose writes are restored, since 1970; absent for the state of the snapshot. */
  readonly until?: number | undefined;
}

/**
 * Snapshots that an engine stores itself. These functions throw while the result is not available, and tasks
 * then call them again.
 */
export interface EngineBackups {
  take(clusterId: string, snapshotId: string): Promise<TakenBackup>;
  restore(wanted: WantedRestore): Promise<void>;
  /** Deletes the snapshots of a cluster that are not in `kept`. The cluster may have been removed. */
  forgetAllBut(clusterId: string, kept: ReadonlySet<string>): Promise<void>;
}

/**
 * Snapshots and restores as resources of the operator. The functions write a resource, and throw `NotYet` until the
 * operator reports the result. If the operator reports an error, they throw `PermanentFailure`, since the operator does
 * not try again.
 */
export class Backups implements EngineBackups {
  readonly #parts: Parts;
  readonly #deployments: Deployments;

  constructor(parts: Parts, deployments: Deployments) {
    this.#parts = parts;
    this.#deployments = deployments;
  }

  async take(clusterId: string, snapshotId: string): Promise<TakenBackup> {
    const { settings } = this.#parts;
    const { wanted } = await this.#stored(clusterId);
    const place = placeOf(settings, wanted);
    const found = await this.#call((api) =>
      api.get('PerconaServerMongoDBBackup', place.namespace, backupName(snapshotId)),
    );
    if (found === undefined) {
      if (settings.backups === undefined)
        throw new PermanentFailure('the setting --kubernetes-backups names no storage');
      // The operator rejects a snapshot of a cluster that is not ready.
      await this.#deployments.settled(clusterId, 'running');
      const buckets = await this.#parts.clusters.exportBuckets(wanted.projectId);
      const storageName = storageFor(wanted, settings.backups, buckets);
      await this.#call((api) => api.apply(backupOf(place, { clusterId, snapshotId, storageName })));
      throw new NotYet(WORK_MS, 'the operator has not seen the snapshot');
    }
    requireEnd(found);
    return takenOf(found);
  }

  async restore({ restoreId, snapshotId, clusterId, until }: WantedRestore): Promise<void> {
    const place = placeOf(this.#parts.settings, (await this.#stored(clusterId)).wanted);
    const { namespace } = place;
    const found = await this.#call((api) =>
      api.get('PerconaServerMongoDBRestore', namespace, restoreName(restoreId)),
    );
    if (found === undefined) {
      const backup = await this.#call((api) =>
        api.get('PerconaServerMongoDBBackup', namespace, backupName(snapshotId)),
      );
      if (backup === undefined)
        throw new PermanentFailure(`the resource ${backupName(snapshotId)} of the snapshot is missing`);
      await this.#deployments.settled(clusterId, 'running');
      await this.#call((api) => api.apply(restoreOf(place, { clusterId, restoreId, until }, backup)));
      throw new NotYet(WORK_MS, 'the operator has not seen the restore');
    }
    requireEnd(found);
    // The operator stops routers during a restore, and starts them again after it.
    await this.#deployments.settled(clusterId, 'running');
  }

  async forgetAllBut(clusterId: string, kept: ReadonlySet<string>): Promise<void> {
    const selector = selectorOf({ [CLUSTER_LABEL]: clusterId });
    const all = await this.#call((api) => api.list('PerconaServerMongoDBBackup', selector)).catch((error) => {
      if (error instanceof Refused && error.reason === KIND_MISSING) return [];
      throw error;
    });
    for (const { metadata } of all) {
      const { name = '', namespace = '', labels, deletionTimestamp } = metadata ?? {};
      if (deletionTimestamp !== undefined || kept.has(labels?.[SNAPSHOT_LABEL] ?? '')) continue;
      await this.#call((api) => api.delete('PerconaServerMongoDBBackup', namespace, name));
    }
  }

  async #stored(clusterId: string): Promise<StoredCluster> {
    const stored = await this.#parts.clusters.find(clusterId);
    if (stored === undefined) throw new PermanentFailure('the cluster was removed');
    return stored;
  }

  #call<T>(send: (api: KubernetesApi) => Promise<T>): Promise<T> {
    return call(this.#parts.api, send);
  }
}
