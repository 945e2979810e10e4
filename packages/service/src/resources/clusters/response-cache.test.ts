import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { testClock } from '@portolan/foundation/testing';
import { type DatabaseKind, onEachDatabase } from '@portolan/test-support/databases';
import fc from 'fast-check';
import { accessFaults, type Caller, type Role } from '../../access/index.ts';
import { LARGE_TEXT } from '../../api/answer/response-cache.ts';
import { createApi } from '../../api/index.ts';
import type { ApiOptions } from '../../api/options.ts';
import { type InjectableApi, injectable } from '../../api/testing.ts';
import type { Store } from '../../store/index.ts';
import { loadFamilies } from '../load.ts';
import type { Services } from '../services.ts';
import { deleteCluster, findCluster, updateCluster } from './rows.ts';
import { makeCluster, openClusters } from './testing.ts';

const RUNS = 12;
/** Number of additional clusters. With them, list responses are so large that the cache stores their bytes. */
const OTHERS = 11;
const STEPS = 60;

/** A request whose cached response must equal the response computed without a cache. */
interface ReadRequest {
  readonly caller: string;
  readonly base: string;
  readonly accept: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

type Change = 'pause' | 'grow' | 'remove' | 'make' | 'another table';

const requests: fc.Arbitrary<ReadRequest> = fc.record({
  caller: fc.constantFrom('reader', 'reader', 'owner', 'elsewhere', 'nobody'),
  base: fc.constantFrom('v2', 'v2', 'v2', 'v1.0'),
  accept: fc.constantFrom('2023-01-01', '2024-08-05', '2025-03-12', '2025-03-12'),
  host: fc.constantFrom('127.0.0.1:8443', '127.0.0.1:8443', 'localhost:8443', 'elsewhere.test'),
  path: fc.constantFrom('/c', '/c', '/c', '/absent', ''),
  query: fc.constantFrom(
    '',
    '',
    '?envelope=true',
    '?pretty=true',
    '?envelope=true&pretty=true',
    '?itemsPerPage=1',
  ),
});
const changes: fc.Arbitrary<Change> = fc.constantFrom(
  'pause',
  'grow',
  'remove',
  'make',
  'make',
  'make',
  'another table',
);
const steps = fc.array(fc.oneof({ arbitrary: requests, weight: 12 }, { arbitrary: changes, weight: 1 }), {
  minLength: STEPS,
  maxLength: STEPS,
});

onEachDatabase('a cached response equals a computed one', async (t, database, kind) => {
  const { store, groupId } = await openClusters(t, database);
  for (let index = 0; index < OTHERS; index++) {
    await store.write((tx) => makeCluster(tx, groupId, `other-${index}`));
  }
  const watched = counted(store);
  const { watch: _, ...unwatched } = store;
  const fast = await api(t, watched.store, groupId);
  const slow = await api(t, unwatched, groupId);
  const list = {
    caller: 'owner',
    base: 'v2',
    accept: '2025-03-12',
    host: 'elsewhere.test',
    path: '',
    query: '',
  };
  assert.ok((await send(slow, groupId, list)).body.length > LARGE_TEXT);
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      for (const step of sequence) {
        if (typeof step === 'string') await change(store, groupId, step);
        else {
          const expected = await send(slow, groupId, step);
          if (expected.status !== 401) answers++;
          assert.deepEqual(await send(fast, groupId, step), expected);
        }
      }
    }),
    { numRuns: RUNS },
  );
  assertCached(kind, watched.count(), answers);
});

/**
 * Asserts that responses were cached. With PostgreSQL, nothing is cached, since other processes also write to the
 * database.
 */
function assertCached(kind: DatabaseKind, made: number, answers: number): void {
  if (kind === 'postgres') assert.equal(made, 0);
  else assert.ok(made > 0 && made < answers, `${made} of ${answers} responses were computed`);
}

function counted(store: Store): { store: Store; count(): number } {
  const { watch } = store;
  let count = 0;
  if (watch === undefined) return { store, count: () => count };
  const counting: typeof watch = (work) => {
    count++;
    return watch(work);
  };
  return { store: { ...store, watch: counting }, count: () => count };
}

async function api(t: TestContext, store: Store, groupId: string): Promise<InjectableApi> {
  const families = await loadFamilies();
  const part: Partial<Services> = {
    store,
    machine: testClock(Date.UTC(2025, 3, 1)),
    random: systemRandom(),
    log: silentLog(),
    naming: { tls: false },
    publicUrl: 'https://127.0.0.1:8443',
  };
  const api = createApi({
    operations: families.flatMap((family) => family.operations),
    parameters: Object.assign({}, ...families.map((family) => family.parameters)),
    services: part as Services,
    access: accessOf(groupId),
  });
  t.after(() => api.close());
  return injectable(api);
}

function accessOf(groupId: string): ApiOptions['access'] {
  const rolesOf: Readonly<Record<string, Role | undefined>> = {
    reader: 'GROUP_READ_ONLY',
    owner: 'GROUP_OWNER',
  };
  return {
    async authenticate({ authorization = '' }) {
      if (authorization === 'nobody') throw accessFaults.UNAUTHORIZED();
      const role = rolesOf[authorization];
      const grants: Caller['grants'] = role ? [{ scope: 'group', id: groupId, role }] : [];
      const addresses = authorization === 'elsewhere' ? ['203.0.113.0/24'] : [];
      const names = { id: authorization, name: authorization, orgId: 'org' };
      return { kind: 'apiKey', ...names, grants, addresses, listRequired: false };
    },
    authenticateOperator: () => Promise.reject(accessFaults.UNAUTHORIZED()),
    recordUse() {},
    recordRequest() {},
  };
}

async function send(
  app: InjectableApi,
  groupId: string,
  { caller, base, accept, host, path, query }: ReadRequest,
) {
  const { statusCode, body, headers } = await app.inject({
    url: `/api/service/${base}/groups/${groupId}/clusters${path}${query}`,
    headers: {
      authorization: caller,
      host,
      ...(base === 'v2' ? { accept: `application/vnd.service.${accept}+json` } : {}),
    },
  });
  const { date, 'x-request-id': requestId, ...others } = headers;
  return { status: statusCode, body, headers: others };
}

async function change(store: Store, groupId: string, what: Change): Promise<void> {
  await store.write(async (tx) => {
    const cluster = await findCluster(tx, groupId, 'c');
    if (what === 'another table')
      await tx.from<OtherTables>().updateTable('project').set({ name: 'p' }).execute();
    else if (what === 'make') {
      if (cluster === undefined) await makeCluster(tx, groupId);
    } else if (cluster === undefined) return;
    else if (what === 'remove') await deleteCluster(tx, cluster.id);
    else if (what === 'pause') await updateCluster(tx, { ...cluster, paused: !cluster.paused });
    else {
      const spec = { ...cluster.spec, diskSizeGB: cluster.spec.diskSizeGB + 1 };
      await updateCluster(tx, { ...cluster, spec });
    }
  });
}

interface OtherTables {
  project: { name: string };
}
