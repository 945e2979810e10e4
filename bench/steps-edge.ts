import { join } from 'node:path';
import { machineClock, serviceClock } from '../packages/foundation/src/clock.ts';
import { ids } from '../packages/foundation/src/ids.ts';
import { silentLog } from '../packages/foundation/src/log.ts';
import { systemRandom } from '../packages/foundation/src/random.ts';
import { secretBox } from '../packages/foundation/src/secret-box.ts';
import {
  type Access,
  migrations as accessMigrations,
  openAccess,
} from '../packages/service/src/access/index.ts';
import { buildEdge } from '../packages/service/src/api/build-edge.ts';
import { neutralDialect } from '../packages/service/src/api/dialect/dialect.ts';
import type { Edge } from '../packages/service/src/api/edge.ts';
import type { Exchange } from '../packages/service/src/api/exchange.ts';
import { rateMigrations } from '../packages/service/src/api/index.ts';
import { surfaceFinder } from '../packages/service/src/api/routes/surface.ts';
import type { FirstAccess } from '../packages/service/src/boot/bootstrap.ts';
import { firstAccess } from '../packages/service/src/boot/bootstrap.ts';
import { eventMigrations } from '../packages/service/src/events/index.ts';
import { makeCluster } from '../packages/service/src/resources/clusters/testing.ts';
import { announceHost } from '../packages/service/src/resources/engine-hosts/index.ts';
import { handlersOf } from '../packages/service/src/resources/index.ts';
import { loadFamilies } from '../packages/service/src/resources/load.ts';
import type { Services } from '../packages/service/src/resources/services.ts';
import { openStore } from '../packages/service/src/store/index.ts';
import { taskMigrations } from '../packages/service/src/tasks/index.ts';
import { withFolder } from './support.ts';

const PUBLIC_URL = 'https://127.0.0.1:8443';

/**
 * Runs `work` with the HTTP layer on a new database, and with a function that makes requests for an existing cluster.
 * No HTTP server is started.
 */
export function withEdge<T>(work: (edge: Edge, newExchange: () => Exchange) => Promise<T>): Promise<T> {
  return withFolder(async (folder) => {
    const families = await loadFamilies();
    const services = await openServices(folder, families);
    const { access: first } = await firstAccess(services, undefined);
    await services.store.write(async (tx) => {
      const host = { id: 'host', host: '127.0.0.1', port: 1, token: 'token' };
      await announceHost(tx, services.secrets, host, 0);
      await makeCluster(tx, first.groupId);
    });
    const access = await openAccess(services);
    const authorization = `Bearer ${await tokenOf(access, first)}`;
    const { edge, close } = buildEdge({
      operations: families.flatMap((family) => family.operations),
      parameters: Object.assign({}, ...families.map((family) => family.parameters)),
      services,
      access,
    });
    try {
      const route = edge
        .tableOf(neutralDialect)
        .routes.find(({ operation }) => operation.id === 'getCluster');
      return await work(edge, () => ({ ...exchangeOf(first.groupId), authorization, route, headers: {} }));
    } finally {
      close();
      await access.close();
      await services.store.close();
    }
  });
}

async function openServices(
  folder: string,
  families: Awaited<ReturnType<typeof loadFamilies>>,
): Promise<Services> {
  const machine = machineClock();
  const random = systemRandom();
  const common = {
    clock: serviceClock(machine),
    machine,
    random,
    ids: ids(machine.now, random),
    log: silentLog(),
  };
  const own = families.flatMap((family) => family.migrations ?? []);
  const migrations = [...taskMigrations, ...eventMigrations, ...accessMigrations, ...rateMigrations];
  const store = await openStore({
    ...common,
    database: { file: join(folder, 'steps.sqlite') },
    migrations: [...migrations, ...own],
    handlers: handlersOf(families),
  });
  const secrets = secretBox(Buffer.alloc(32, 1), random);
  const part = {
    ...common,
    store,
    secrets,
    naming: { domain: undefined, tls: false },
    publicUrl: PUBLIC_URL,
  };
  // The other services are missing, since no measured step needs deployments or the clock.
  return part as unknown as Services;
}

async function tokenOf({ oauth }: Access, { clientId, clientSecret }: FirstAccess): Promise<string> {
  const { document } = await oauth.token({
    authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
    contentType: 'application/x-www-form-urlencoded',
    body: 'grant_type=client_credentials',
    address: '127.0.0.1',
  });
  return String(document?.access_token);
}

function exchangeOf(groupId: string): Exchange {
  const path = `/api/service/v2/groups/${groupId}/clusters/c`;
  return {
    id: '00000000-0000-4000-8000-000000000000',
    method: 'GET',
    target: path,
    path,
    accept: 'application/vnd.service.2025-03-12+json',
    authorization: undefined,
    cookie: undefined,
    csrfToken: undefined,
    lastEventId: undefined,
    flags: [],
    address: '127.0.0.1',
    isOwn: false,
    surface: surfaceFinder([neutralDialect])(path),
    origin: PUBLIC_URL,
    query: {},
    params: { groupId, clusterName: 'c' },
    route: undefined,
    mount: undefined,
    format: { envelope: false, pretty: false },
    headers: {},
  };
}
