import { Readable } from 'node:stream';
import type { Engine } from '@portolan/engine/interface/calls';
import type { ServerFact } from '@portolan/engine/interface/capabilities';
import type { Deployment } from '@portolan/engine/interface/engine';
import { Backups, type EngineBackups } from './backups.ts';
import { Deployments } from './deployments.ts';
import type { ForeignChange, Parts } from './parts.ts';

export interface KubernetesEngine extends Engine {
  /**
   * Returns the change that another client has made to the resource of a cluster. Undefined if there is none, or
   * while the service itself changes the cluster.
   */
  foreignChange(id: string): Promise<ForeignChange | undefined>;
  /** Writes the resource again, and thereby undoes changes by other clients. */
  putBack(id: string): Promise<void>;
  readonly backups: EngineBackups;
  /** The settings on which capabilities of its clusters depend. */
  readonly engineFacts: readonly ServerFact[];
  close(): Promise<void>;
}

/**
 * The engine of clusters that the Percona operator runs on Kubernetes. Each cluster is a resource. The engine writes
 * the resources from the rows of the clusters, ignores the specifications in calls, and reads the status of the
 * resources. It does not connect to the servers.
 */
export function kubernetesEngine(parts: Parts): KubernetesEngine {
  const deployments = new Deployments(parts);
  const applied = async ({ id }: { readonly id: string }): Promise<Deployment> => {
    await deployments.apply(id);
    return deployments.require(id);
  };
  return {
    ...unsupported,
    provision: applied,
    reconfigure: ({ id }) => deployments.require(id),
    pause: (id) => deployments.settled(id, 'paused'),
    resume: (id) => deployments.settled(id, 'running'),
    remove: (id) => deployments.remove(id),
    describe: (id) => deployments.describe(id),
    setAccess: (id) => deployments.setAccess(id),
    troubled: () => deployments.troubled(),
    foreignChange: (id) => deployments.foreignChange(id),
    putBack: (id) => deployments.apply(id),
    backups: new Backups(parts, deployments),
    engineFacts: parts.settings.backups === undefined ? [] : ['backupStorage'],
    close: () => deployments.close(),
  };
}

/** Rejects calls of functions that this engine does not support. No operation makes such a call. */
const refuse = async (): Promise<never> => {
  throw new Error('the engine kubernetes does not support this call');
};
const unsupported = {
  stopMember: refuse,
  startMember: refuse,
  failover: refuse,
  setFaults: refuse,
  setSearchNodes: refuse,
  run: refuse,
  runAs: refuse,
  restore: refuse,
  snapshot: () => Readable.from(fail()),
  oplog: () => Readable.from(fail()),
  logs: () => Readable.from(fail()),
  accessHistory: async () => [],
  metrics: async () => [],
  measure: async () => {},
  newestSamples: async () => [],
  databaseSizes: async () => [],
  setClock: async () => {},
  setTls: async () => {},
};

// biome-ignore lint/correctness/useYield: it fails before its first byte
async function* fail(): AsyncGenerator<Uint8Array> {
  await refuse();
}
