import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ObjectId } from 'bson';
import { ConfigError } from './config.ts';
import { EngineError, EngineUnavailable } from './engine/index.ts';
import type { OwnAnswer } from './own-calls.ts';
import { writeAtomically } from './runtime/atomic-file.ts';
import { machineClock } from './runtime/clock.ts';
import { poll } from './runtime/wait.ts';
import { documentsOf, type Seed, type SeedCluster, type SeedData, type SeedProject } from './seed-file.ts';
import type { Service } from './service.ts';

type Body = Readonly<Record<string, unknown>>;

const USUAL_CLUSTER = {
  providerSettings: { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' },
};
/** Upserts of one command. */
const BATCH = 500;
const READY = { step: 10, limit: 120_000 };
const NOT_FOUND = 404;

/**
 * Makes what is missing of a seed by requests of the API, so that every check, event and task is that of any caller;
 * what is there by its name stays as it is. Resolves when clusters are `IDLE` and hold the data. Throws a `ConfigError`
 * that names the place whose request was refused.
 */
export async function applySeed(service: Service, seed: Seed, file?: string): Promise<void> {
  const { apiKeys = [], projects = [] } = seed;
  await makeKeys(service, apiKeys);
  for (const [index, project] of projects.entries())
    await makeProject(service, project, `projects[${index}]`, file);
}

/** Private keys are told once: they are kept beside `bootstrap.json`, for whoever starts the service. */
async function makeKeys({ call, bootstrap, dataDirectory }: Service, wanted: readonly Body[]): Promise<void> {
  const path = `/orgs/${bootstrap.orgId}/apiKeys`;
  const { results } = done(await call('GET', `${path}?itemsPerPage=500`), 'apiKeys');
  const known = (results as readonly Body[]).map(({ desc }) => desc);
  const made: Body[] = [];
  for (const [index, key] of wanted.entries()) {
    if (known.includes(key.desc)) continue;
    const { id, publicKey, privateKey, desc } = done(await call('POST', path, key), `apiKeys[${index}]`);
    made.push({ id, desc, publicKey, privateKey });
  }
  if (made.length === 0) return;
  await writeAtomically(join(dataDirectory, 'seed-keys.json'), `${JSON.stringify(made, null, 2)}\n`);
}

async function makeProject(
  service: Service,
  project: SeedProject,
  place: string,
  file: string | undefined,
): Promise<void> {
  const { call } = service;
  const { accessList = [], databaseUsers = [], clusters = [], ...body } = project;
  const found = await call('GET', `/groups/byName/${encodeURIComponent(project.name)}`);
  const orgId = service.bootstrap.orgId;
  const there = found.status === NOT_FOUND ? await call('POST', '/groups', { orgId, ...body }) : found;
  const path = `/groups/${done(there, place).id}`;
  if (accessList.length > 0)
    done(await call('POST', `${path}/accessList`, accessList), `${place}.accessList`);
  for (const [index, user] of databaseUsers.entries()) {
    const { databaseName = 'admin', username } = user as Body & { readonly username: string };
    const own = `${path}/databaseUsers/${databaseName}/${encodeURIComponent(username)}`;
    const make = () => call('POST', `${path}/databaseUsers`, { databaseName, ...user });
    await makeMissing(service, own, make, `${place}.databaseUsers[${index}]`);
  }
  for (const [index, { data: _, ...cluster }] of clusters.entries()) {
    const own = `${path}/clusters/${encodeURIComponent(cluster.name)}`;
    const make = () => call('POST', `${path}/clusters`, { ...USUAL_CLUSTER, ...cluster });
    await makeMissing(service, own, make, `${place}.clusters[${index}]`);
  }
  for (const [index, cluster] of clusters.entries())
    await fillCluster(service, { path, cluster, place: `${place}.clusters[${index}]`, file });
}

async function makeMissing(
  { call }: Service,
  path: string,
  make: () => Promise<OwnAnswer>,
  place: string,
): Promise<void> {
  const found = await call('GET', path);
  done(found.status === NOT_FOUND ? await make() : found, place);
}

async function fillCluster(
  service: Service,
  at: {
    readonly path: string;
    readonly cluster: SeedCluster;
    readonly place: string;
    readonly file: string | undefined;
  },
): Promise<void> {
  const { path, cluster, place, file } = at;
  const { name, data = [] } = cluster;
  const own = `${path}/clusters/${encodeURIComponent(name)}`;
  const id = await poll(machineClock(), READY, async () => {
    const found = done(await service.call('GET', own), place);
    // A paused one takes no data, and has had them.
    return found.stateName === 'IDLE' || found.paused === true
      ? { id: found.id, paused: found.paused }
      : undefined;
  });
  if (id === undefined) throw new ConfigError(`${place}: the cluster is not IDLE`);
  if (id.paused === true) return;
  for (const [index, each] of data.entries())
    await fill(service, String(id.id), each, `${place}.data[${index}]`, file);
}

/** Documents that are there stay as they are; those without an id have one that follows from their place. */
async function fill(
  { run }: Service,
  clusterId: string,
  data: SeedData,
  place: string,
  file: string | undefined,
): Promise<void> {
  const { database: $db, collection } = data;
  const updates = documentsOf(data, file).map((document, index) => {
    const { _id = derivedId(`${$db}.${collection}[${index}]`), ...fields } = document as Body;
    const u = Object.keys(fields).length === 0 ? { $setOnInsert: { _id } } : { $setOnInsert: fields };
    return { q: { _id }, u, upsert: true };
  });
  for (let from = 0; from < updates.length; from += BATCH) {
    const command = { update: collection, $db, updates: updates.slice(from, from + BATCH) };
    const answer = await poll(machineClock(), READY, () => run(clusterId, command).catch(notYet));
    if (answer === undefined) throw new ConfigError(`${place}: the cluster takes no commands`);
    const { ok, errmsg, writeErrors = [] } = answer;
    const [first] = writeErrors as readonly { readonly errmsg: string }[];
    if (ok !== 1 || first !== undefined) throw new ConfigError(`${place}: ${first?.errmsg ?? errmsg}`);
  }
}

/** After a start its databases are opened while the service begins. */
function notYet(error: Error): undefined {
  if (!(error instanceof EngineError || error instanceof EngineUnavailable)) throw error;
}

function derivedId(place: string): ObjectId {
  return new ObjectId(createHash('sha256').update(place).digest().subarray(0, 12));
}

function done({ status, body }: OwnAnswer, place: string): Body {
  if (status < 300) return body;
  throw new ConfigError(`${place}: ${body.errorCode}: ${body.detail}`);
}
