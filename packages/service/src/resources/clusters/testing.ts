import type { TestContext } from 'node:test';
import { ids } from '@portolan/foundation/ids';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import { testClock } from '@portolan/foundation/testing';
import { accessFaults } from '../../access/index.ts';
import { createApi } from '../../api/index.ts';
import { injectable } from '../../api/testing.ts';
import { eventMigrations, system } from '../../events/index.ts';
import type { DatabaseLocation, Migration, Store, Tx } from '../../store/index.ts';
import type { StoreOptions } from '../../store/open.ts';
import { type Ending, openTestStore } from '../../store/testing.ts';
import { taskMigrations } from '../../tasks/index.ts';
import { announceHost } from '../engine-hosts/index.ts';
import type { Family } from '../family.ts';
import { handlersOf } from '../index.ts';
import { loadFamilies } from '../load.ts';
import { addOrganization } from '../organizations/index.ts';
import { addProject } from '../projects/index.ts';
import type { Services } from '../services.ts';
import { addCluster } from './lifecycle/changes.ts';
import { deployed } from './lifecycle/deployments.ts';
import { applyAccess } from './lifecycle/tasks.ts';
import type { ClusterModel } from './model/cluster.ts';
import { updateCluster } from './rows.ts';
import { readNewCluster } from './shapes/contract/read.ts';

export { applyAccess, deployed, readNewCluster, updateCluster };

const secrets = secretBox(Buffer.alloc(32, 1), systemRandom());

/** Opens a store with the tables and hooks of all families, including `others`, and creates a project in it. */
export async function openClusters(
  t: Ending,
  database: DatabaseLocation,
  others: readonly Family[] = [],
  clocks: Partial<Pick<StoreOptions, 'clock' | 'machine'>> = {},
) {
  const families = await loadFamilies();
  const store = await openTestStore(t, database, {
    ...clocks,
    migrations: migrationsOf(families),
    handlers: handlersOf([...families, ...others]),
  });
  return { store, groupId: await makeProject(store) };
}

function migrationsOf(families: readonly Family[]): readonly Migration[] {
  const own = families.flatMap((family) => family.migrations ?? []);
  return [...taskMigrations, ...eventMigrations, ...own];
}

/**
 * Opens a store in which the migrations `lacking` have not run, and creates a project in it. The result has a function
 * that opens the store again with all migrations.
 */
export async function openFormer(t: Ending, database: DatabaseLocation, lacking: readonly number[]) {
  const families = await loadFamilies();
  const [migrations, handlers] = [migrationsOf(families), handlersOf(families)];
  const former = migrations.filter(({ number }) => !lacking.includes(number));
  const store = await openTestStore(t, database, { migrations: former, handlers });
  const groupId = await makeProject(store);
  return {
    groupId,
    store,
    async opened(): Promise<Store> {
      await store.close();
      return openTestStore(t, database, { migrations, handlers });
    },
  };
}

function makeProject(store: Store): Promise<string> {
  return store.write(async (tx) => {
    await announceHost(tx, secrets, { id: 'host', host: '127.0.0.1', port: 1, token: 'token' }, 0);
    const { id: orgId } = await addOrganization(tx, system, { name: 'org', skipDefaultAlerts: true });
    const project = {
      orgId,
      name: 'project',
      regionUsage: 'COMMERCIAL_FEDRAMP_REGIONS_ONLY',
      tags: [],
    } as const;
    return (await addProject(tx, system, project)).id;
  });
}

/** Adds a cluster of three M10 nodes, without an engine. */
export function makeCluster(tx: Tx, groupId: string, name = 'c'): Promise<ClusterModel> {
  const settings = { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' } as const;
  const created = readNewCluster({ name, providerSettings: settings }, () => tx.id());
  return addCluster(tx, { groupId, ...created, host: 'host', mark: 'abcdef' }, system);
}

/** Sends requests to the operations of all families as an owner of the project. The store has no engine. */
export async function clusterApi(t: TestContext, store: Store, groupId: string) {
  const families = await loadFamilies();
  const machine = testClock(Date.UTC(2025, 3, 1));
  const random = systemRandom();
  const part: Partial<Services> = {
    store,
    machine,
    random,
    ids: ids(machine.now, random),
    log: silentLog(),
    naming: { tls: false },
    publicUrl: 'https://127.0.0.1:8443',
    engines: { forNew: () => ({ host: 'h' }) } as unknown as Services['engines'],
  };
  const grants = [{ scope: 'group', id: groupId, role: 'GROUP_OWNER' }] as const;
  const names = { id: 'owner', name: 'owner', orgId: 'org' };
  const api = createApi({
    operations: families.flatMap((family) => family.operations),
    parameters: Object.assign({}, ...families.map((family) => family.parameters)),
    services: part as Services,
    access: {
      authenticate: async () => ({ kind: 'apiKey', ...names, grants, addresses: [], listRequired: false }),
      authenticateOperator: () => Promise.reject(accessFaults.UNAUTHORIZED()),
      recordUse() {},
      recordRequest() {},
    },
  });
  t.after(() => api.close());
  const app = injectable(api);
  /** Sends a request. `version` is a date, or `v1.0` for the legacy path. `path` is relative to the project. */
  const send = (version: string, method: 'GET' | 'PATCH' | 'POST', path: string, body?: object) => {
    const base = version === 'v1.0' ? version : 'v2';
    const accept = version === 'v1.0' ? 'application/json' : `application/vnd.service.${version}+json`;
    const url = `/api/service/${base}/groups/${groupId}/${path}`;
    return app.inject({ method, url, headers: { accept }, ...(body === undefined ? {} : { payload: body }) });
  };
  return { send };
}
