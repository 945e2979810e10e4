import type { Deployment, DeploymentProblem } from '@portolan/engine/interface/engine';
import { type Repetition, repeat } from '@portolan/foundation/repeat';
import { errorMessage } from '@portolan/foundation/thrown';
import { NotYet } from '../../tasks/index.ts';
import { accountsOf, secretName, secretOf } from './accounts.ts';
import { storageSecretsOf } from './backup-storage.ts';
import { AWAY_MS, call, Refused, WORK_MS } from './calls.ts';
import { differences, managersOf, pathText } from './differences.ts';
import { Fleet } from './fleet.ts';
import { KIND_MISSING } from './kinds.ts';
import { MANAGED, type Place, placeOf, podsOf } from './names.ts';
import type { ForeignChange, Parts, StoredCluster } from './parts.ts';
import type { KubernetesObject } from './port.ts';
import { FIELD_MANAGER, KIND, ORDERLY, type Resource, resourceOf, WITH_VOLUMES } from './resource.ts';
import { type Addresses, deploymentOf, stateOf } from './states.ts';
import type { WantedCluster } from './wanted.ts';

/**
 * Time between two comparisons of a changed resource with the row of its cluster, while the cluster is being changed.
 */
const COMPARE_MS = 2_000;

/** Writes, reads and deletes the Kubernetes resources of clusters. */
export class Deployments {
  readonly #parts: Parts;
  readonly #fleet: Fleet;
  /** Clusters whose resources have changed and have not been compared with their rows yet. */
  readonly #changed = new Set<string>();
  readonly #comparisons: Repetition;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#comparisons = repeat({
      machine: parts.machine,
      run: () => this.#compareAll(),
      interval: () => (this.#changed.size === 0 ? Number.POSITIVE_INFINITY : COMPARE_MS),
      onError: (error) => parts.log.debug({ reason: error.message }, 'resources could not be compared'),
    });
    this.#fleet = new Fleet(parts.api, parts.machine, (id) => {
      this.#changed.add(id);
      this.#comparisons.wake();
    });
  }

  /**
   * Writes the resource of a cluster according to the cluster's row. Throws if the definition of the resource lacks a
   * field. Throws `NotYet` while an old resource is being deleted. If the cluster is deleted meanwhile, deletes the
   * resource again.
   */
  async apply(id: string): Promise<void> {
    const { wanted } = await this.#stored(id);
    const before = await this.#read(wanted);
    if (before?.metadata?.deletionTimestamp !== undefined)
      throw new NotYet(WORK_MS, 'the resource is being deleted');
    const { resource, accounts } = await this.#wantedResource(wanted);
    const { namespace } = resource.metadata;
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: MANAGED } };
    await this.#call((api) => api.apply(space));
    await this.#parts.clusters.recordUsers(id, accounts.names);
    // Write the secrets first, because the resource refers to them.
    if (accounts.passwords.size > 0) await this.#call((api) => api.apply(secretOf(resource, accounts)));
    for (const secret of storageSecretsOf(wanted, this.#parts.settings))
      await this.#call((api) => api.apply(secret));
    const applied = await this.#call((api) => api.apply(resource));
    if ((await this.#parts.clusters.find(id))?.isDeleting !== false) {
      // Delete the resource here, since the deletion of the cluster may have run before this resource existed.
      await this.#call((api) => api.delete(KIND, namespace, resource.metadata.name));
      throw new Error('the cluster is being deleted');
    }
    const missing = changesOf(resource, applied);
    if (missing.length > 0) {
      throw new Error(
        `the installed operator does not have these fields: ${missing.map(pathText).join(', ')}`,
      );
    }
    this.#fleet.store(id, applied);
  }

  /**
   * Writes the users and roles. Does not wait for the operator, because this would delay other changes of the cluster.
   * When the operator reports a change, the service calls this again until the servers have the current revision.
   */
  async setAccess(id: string): Promise<Deployment> {
    await this.apply(id);
    return this.#withProblem(id, await this.require(id));
  }

  /** Adds the reason why the servers do not get all users and roles. */
  async #withProblem(id: string, deployment: Deployment): Promise<Deployment> {
    const { wanted } = await this.#stored(id);
    const { accounts } = await this.#wantedResource(wanted);
    return { ...deployment, accessProblem: accounts.problem ?? null };
  }

  /** Returns the resource of a cluster with its users and roles. */
  async #wantedResource(wanted: WantedCluster) {
    const access = await this.#parts.clusters.access(wanted.id);
    const accounts = accountsOf(this.#place(wanted).name, access);
    const { fields } = accounts;
    const { revision } = access;
    return { accounts, revision, resource: resourceOf(wanted, this.#parts.settings, { revision, fields }) };
  }

  /**
   * Returns the resource that a cluster should have now. While a change of users and roles is being applied
   * (`isBehind`), the resource lacks the fields of users and roles.
   */
  async #presentResource({ wanted, accessRevision }: StoredCluster) {
    const { resource, revision } = await this.#wantedResource(wanted);
    const isBehind = accessRevision < revision;
    return { isBehind, resource: isBehind ? resourceOf(wanted, this.#parts.settings) : resource };
  }

  /** Returns the deployment once the operator has applied the resource. Until then, throws `NotYet` with the reason. */
  async settled(id: string, state: 'running' | 'paused'): Promise<Deployment> {
    const { wanted } = await this.#stored(id);
    const object = await this.#read(wanted);
    if (object === undefined) throw new NotYet(WORK_MS, missingReason(this.#place(wanted)));
    const current = stateOf(object);
    if (current.state === 'failed') throw new Error(current.reason);
    if (current.state !== state) {
      throw new NotYet(
        WORK_MS,
        current.reason ?? `the operator reports that the cluster is ${current.state}`,
      );
    }
    return this.#withProblem(id, deploymentOf(wanted, object, await this.#addresses(wanted, state)));
  }

  async require(id: string): Promise<Deployment> {
    const deployment = await this.describe(id);
    if (deployment === undefined) throw new Error(`there is no cluster with the id ${id}`);
    return deployment;
  }

  /**
   * Returns the deployment according to the watch. Its state is `failed` if the API does not respond, or if the
   * resource does not exist.
   */
  async describe(id: string): Promise<Deployment | undefined> {
    const stored = await this.#parts.clusters.find(id);
    if (stored === undefined) return undefined;
    const { wanted } = stored;
    await this.#fleet.ready();
    const object = this.#fleet.find(id);
    const message =
      this.#fleet.failure ?? (object === undefined ? missingReason(this.#place(wanted)) : undefined);
    if (message !== undefined || object === undefined) {
      return {
        id,
        state: 'failed',
        members: [],
        accessRevision: 0,
        primaries: [],
        ...(message && { message }),
      };
    }
    return deploymentOf(wanted, object, await this.#addresses(wanted, 'any').catch(() => undefined));
  }

  /** Returns the clusters that should run but do not, each with the reason. */
  async troubled(): Promise<DeploymentProblem[]> {
    await this.#fleet.ready();
    const ids = await this.#parts.clusters.running();
    const problems = await Promise.all(ids.map((id) => this.#problemOf(id)));
    return problems.flatMap((problem) => problem ?? []);
  }

  async #problemOf(id: string): Promise<DeploymentProblem | undefined> {
    const away = this.#fleet.failure;
    if (away !== undefined) return { id, message: away };
    const object = this.#fleet.find(id);
    if (object === undefined) {
      const stored = await this.#parts.clusters.find(id);
      return stored && { id, message: missingReason(this.#place(stored.wanted)) };
    }
    const { state, reason = '' } = stateOf(object);
    return state === 'failed' || state === 'waiting' ? { id, message: reason } : undefined;
  }

  /**
   * Returns the fields that another client has changed. Reads the resource from the API, since the watch may lag
   * behind.
   */
  async foreignChange(id: string): Promise<ForeignChange | undefined> {
    const stored = await this.#parts.clusters.find(id);
    if (stored?.isSettled !== true) return undefined;
    const object = await this.#read(stored.wanted);
    if (object === undefined) return undefined;
    const { resource } = await this.#presentResource(stored);
    const paths = changesOf(resource, object);
    if (paths.length === 0) return undefined;
    return {
      fields: paths.map(pathText),
      managers: managersOf(paths, object.metadata?.managedFields ?? [], FIELD_MANAGER),
    };
  }

  /**
   * Deletes the resource, and then the secret with the passwords of users. Throws `NotYet` until the operator has
   * stopped the nodes, and if the API refuses the deletion.
   */
  async remove(id: string): Promise<void> {
    try {
      await this.#remove(id);
    } catch (error) {
      throw error instanceof Refused ? new NotYet(AWAY_MS, error.message) : error;
    }
  }

  async #remove(id: string): Promise<void> {
    const stored = await this.#parts.clusters.find(id);
    if (stored === undefined) return;
    const { wanted } = stored;
    const { settings } = this.#parts;
    // No resource exists if Kubernetes does not have the custom resource definition.
    const object = await this.#read(wanted).catch((error) => {
      if (error instanceof Refused && error.reason === KIND_MISSING) return undefined;
      throw error;
    });
    if (object === undefined) {
      const { namespace, name } = this.#place(wanted);
      await this.#call((api) => api.delete('Secret', namespace, secretName(name)));
      return;
    }
    if (object.metadata?.deletionTimestamp === undefined) {
      if (settings.deletesVolumes) {
        const resource = resourceOf(wanted, settings);
        const metadata = { ...resource.metadata, finalizers: [ORDERLY, WITH_VOLUMES] };
        await this.#call((api) => api.apply({ ...resource, metadata }));
      }
      const { namespace, name } = this.#place(wanted);
      await this.#call((api) => api.delete(KIND, namespace, name));
    }
    throw new NotYet(WORK_MS, 'the operator is deleting the nodes');
  }

  async close(): Promise<void> {
    const { api } = this.#parts;
    api.close();
    await this.#fleet.close();
    await this.#comparisons.stop();
  }

  async #compareAll(): Promise<void> {
    for (const id of [...this.#changed]) {
      // Delete the id first: the watch can report another change during the comparison.
      this.#changed.delete(id);
      try {
        if (!(await this.#compare(id))) this.#changed.add(id);
      } catch (error) {
        this.#changed.add(id);
        this.#parts.log.warn(
          { cluster: id, reason: errorMessage(error) },
          'a resource could not be compared',
        );
      }
    }
  }

  /**
   * Reports a change by another client, or users and roles that the servers lack. Returns false while the cluster
   * itself is being changed, so that the resource is compared again later.
   */
  async #compare(id: string): Promise<boolean> {
    const stored = await this.#parts.clusters.find(id);
    const object = this.#fleet.find(id);
    if (stored === undefined || object === undefined) return true;
    const { isBehind, resource } = await this.#presentResource(stored);
    const isDue = isBehind && stateOf(object).state === 'running';
    if (!isDue && changesOf(resource, object).length === 0) return true;
    if (stored.isSettled) await this.#parts.clusters.changed(id);
    return stored.isSettled;
  }

  async #stored(id: string): Promise<StoredCluster> {
    const stored = await this.#parts.clusters.find(id);
    if (stored === undefined) throw new Error(`there is no cluster with the id ${id}`);
    return stored;
  }

  #place(wanted: WantedCluster): Place {
    return placeOf(this.#parts.settings, wanted);
  }

  #read(wanted: WantedCluster): Promise<KubernetesObject | undefined> {
    const { namespace, name } = this.#place(wanted);
    return this.#call((api) => api.get(KIND, namespace, name));
  }

  /**
   * Returns the external addresses of exposed nodes. In the state `running`, throws `NotYet` until every node has one.
   */
  async #addresses(
    wanted: WantedCluster,
    state: 'running' | 'paused' | 'any',
  ): Promise<Addresses | undefined> {
    if (this.#parts.settings.expose === 'none') return undefined;
    const { namespace, name } = this.#place(wanted);
    const addresses = new Map<string, string>();
    for (const { pod } of podsOf(name, wanted)) {
      const address = addressOf(await this.#call((api) => api.get('Service', namespace, pod)));
      if (address !== undefined) addresses.set(pod, address);
      else if (state === 'running') throw new NotYet(WORK_MS, `the service ${pod} has no external address`);
    }
    return addresses;
  }

  #call<T>(send: (api: Parts['api']) => Promise<T>): Promise<T> {
    return call(this.#parts.api, send);
  }
}

function changesOf({ metadata, spec }: Resource, found: KubernetesObject) {
  const { labels, annotations } = metadata;
  return differences({ metadata: { labels, annotations }, spec }, found);
}

function addressOf(service: KubernetesObject | undefined): string | undefined {
  const { loadBalancer } = (service?.status ?? {}) as {
    readonly loadBalancer?: {
      readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
    };
  };
  const [first] = loadBalancer?.ingress ?? [];
  return first?.ip ?? first?.hostname;
}

const missingReason = ({ namespace, name }: Place): string =>
  `the resource ${name} in the namespace ${namespace} is missing`;
