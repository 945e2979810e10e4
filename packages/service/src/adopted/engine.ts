import { Readable } from 'node:stream';
import type { Engine } from '@portolan/engine/interface/calls';
import type {
  AccessAttempt,
  AccessHistoryQuery,
  Deployment,
  FoundServers,
} from '@portolan/engine/interface/engine';
import { inBatches } from '@portolan/foundation/in-batches';
import { within } from '@portolan/foundation/wait';
import { type AccountName, applyAccounts, findAccounts, keyOf } from './accounts/index.ts';
import { type AdoptedConnection, ask, clientOf, replyOf } from './connection.ts';
import type { Parts } from './deployment.ts';
import { type DropPermit, dropDatabases, revokeDrops } from './drops.ts';
import { type Contents, contentsOf, inspect } from './inspect.ts';
import type { Names } from './names.ts';
import { type Adoptions, OpenDeployments } from './open-deployments.ts';
import { oplogFrames, type ReplayRequest, replayedFrames } from './point-in-time.ts';
import { answered, reasonOf } from './reasons.ts';
import { attemptIn, linesIn, logLines, selected } from './records.ts';
import { type SearchBook, searchReply } from './search/index.ts';
import { restoreSnapshot, type SnapshotParts, snapshotFrames } from './snapshots.ts';
import { Staging } from './staging.ts';

/** The result of the first inspection of a deployment. */
export type Look = Contents & { readonly found: FoundServers };

export interface AdoptedEngine extends Engine {
  /** Inspects a deployment that need not be in the store. Throws the reason if it is unreachable. */
  look(connection: AdoptedConnection): Promise<Look>;
  /** Inspects an adopted deployment now. Throws the reason if it is unreachable. */
  refresh(id: string): Promise<FoundServers>;
  /** See `dropDatabases` and `revokeDrops` in `drops.ts`. */
  dropDatabases(connection: AdoptedConnection, permit: DropPermit): Promise<void>;
  revokeDrops(connection: AdoptedConnection): Promise<void>;
  /**
   * Finds a cluster of the project whose servers have this account, although the service has not created the account
   * there. Returns undefined if there is none, or if the servers do not reply soon. Searches the clusters whose names
   * `includes` selects.
   */
  takenIn(
    groupId: string,
    account: AccountName,
    includes: (clusterName: string) => boolean,
  ): Promise<string | undefined>;
  /** See `replayedFrames`. */
  replayed(request: ReplayRequest): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

/** The folder for the copies of deployments, and the versions that the copies have. */
type CopySettings = Pick<ConstructorParameters<typeof Staging>[0], 'folder' | 'versionOfCopy'>;

/** Number of samples that `newestSamples` returns for each member. */
const NEWEST = 8;

/** Number of logs that are read at the same time. A log can have 17 MB. */
const LOGS_AT_ONCE = 4;

/**
 * The engine for deployments that run outside Portolan. It connects to them with their connection strings, and never
 * starts, stops or deletes them; `remove` only disconnects. Only `dropDatabases` deletes databases that the service has
 * not created.
 */
export function adoptedEngine(
  stored: Adoptions,
  parts: Parts & { readonly copies: CopySettings; readonly names?: Names | undefined },
): AdoptedEngine {
  const { names } = parts;
  const adoptions = withNames(stored, names);
  const deployments = new OpenDeployments(adoptions, parts);
  const staging = new Staging({ ...parts, ...parts.copies });
  return {
    ...unsupported,
    ...stateCalls(deployments, adoptions.searchIndexes),
    remove: (id) => remove(id, deployments, adoptions, parts),
    ...accountCalls(deployments, adoptions, parts),
    ...sampleCalls(deployments),
    ...recordCalls(deployments),
    ...snapshotCalls(deployments, { ...parts, staging }),
    replayed: (request) => replayedFrames(request, { ...parts, staging }),
    look: (connection) => look({ ...connection, names }),
    dropDatabases: (connection, permit) => dropDatabases({ ...connection, names }, permit, parts.random),
    revokeDrops: (connection) => revokeDrops({ ...connection, names }),
    async close() {
      await Promise.all([deployments.closeAll(), staging.close()]);
    },
  };
}

/** Adds the resolver of host names to the connections from the store. */
function withNames(adoptions: Adoptions, names: Names | undefined): Adoptions {
  return {
    ...adoptions,
    async find(id) {
      const found = await adoptions.find(id);
      return found && { ...found, connection: { ...found.connection, names } };
    },
  };
}

async function look(connection: AdoptedConnection): Promise<Look> {
  const client = await clientOf(connection);
  try {
    return { found: await inspect(client, { connection }), ...(await contentsOf(client)) };
  } catch (error) {
    throw new Error(reasonOf(error));
  } finally {
    await client.close();
  }
}

/**
 * Disconnects from a deployment. First ends a drop that another instance has begun and not ended, because the
 * deployment no longer belongs to the service. If the servers do not respond, disconnects nevertheless.
 */
async function remove(
  id: string,
  deployments: OpenDeployments,
  adoptions: Adoptions,
  { log }: Pick<Parts, 'log'>,
): Promise<void> {
  const stored = await adoptions.find(id);
  if (stored?.isDropped === true) {
    await revokeDrops(stored.connection).catch((error: Error) =>
      log.warn({ deployment: id, reason: error.message }, 'an interrupted drop could not be ended'),
    );
  }
  await deployments.close(id);
}

function stateCalls(deployments: OpenDeployments, book: SearchBook) {
  /** Returns the present state of a deployment. Throws the reason if it is unreachable. */
  async function answering(id: string): Promise<Deployment & { readonly found: FoundServers }> {
    const deployment = await deployments.require(id);
    return deployment.reachable();
  }

  return {
    provision: ({ id }) => answering(id),
    async reconfigure({ id, ...wanted }) {
      const deployment = await deployments.require(id);
      await deployment.configure(wanted);
      return answering(id);
    },
    resume: answering,
    refresh: async (id) => (await answering(id)).found,
    async failover(id, from) {
      const deployment = await deployments.require(id);
      await deployment.stepDown(from);
      return deployment.describe();
    },
    describe: async (id) => (await deployments.find(id))?.describe(),
    async troubled() {
      const all = await deployments.chosen(undefined);
      return all.flatMap(({ id, failure }) => (failure === undefined ? [] : [{ id, message: failure }]));
    },
    async run(id, { $db, ...command }) {
      const client = await (await deployments.require(id)).worker();
      const search = searchReply({ client, book, deploymentId: id, database: String($db) }, command);
      return answered(search ?? replyOf(client, command, String($db)));
    },
  } satisfies Partial<AdoptedEngine>;
}

/** Time limit for finding out whether a deployment has an account. */
const TAKEN_MS = 8_000;

function accountCalls(deployments: OpenDeployments, adoptions: Adoptions, { random, machine }: Parts) {
  async function has(id: string, account: AccountName): Promise<boolean> {
    const deployment = await deployments.find(id);
    if (deployment?.managesUsers !== true) return false;
    const asked = findAccounts(await deployment.client(), [account]).catch(() => undefined);
    const found = await within(machine, TAKEN_MS, asked);
    return found !== undefined && found.size > 0;
  }

  return {
    async setAccess(id, access) {
      const deployment = await deployments.require(id);
      await deployment.look();
      const { accounts: book } = adoptions;
      if (!deployment.managesUsers)
        throw new Error('The user of the connection string may not manage users.');
      await applyAccounts({ deploymentId: id, client: await deployment.client(), book, random }, access);
      return deployment.describe(access.revision);
    },
    async takenIn(groupId, account, includes) {
      const clusters = (await adoptions.inProject(groupId)).filter(({ name }) => includes(name));
      for (const { id, name } of clusters)
        if (!(await isKnown(adoptions, id, account)) && (await has(id, account))) return name;
      return undefined;
    },
  } satisfies Partial<AdoptedEngine>;
}

/** Whether the service has created an account, or may have created it. */
async function isKnown({ accounts }: Adoptions, id: string, account: AccountName): Promise<boolean> {
  const key = keyOf(account);
  return (await accounts.of(id)).some((record) => record.state !== 'NONE' && keyOf(record) === key);
}

function sampleCalls(deployments: OpenDeployments) {
  return {
    async metrics(id, memberId, from, to) {
      const samples = (await deployments.find(id))?.samplesOf(memberId) ?? [];
      return samples.filter(({ time }) => time >= from && time <= to);
    },
    async measure() {
      await Promise.all((await deployments.chosen(undefined)).map((deployment) => deployment.measure()));
    },
    async newestSamples(ids) {
      const chosen = await deployments.chosen(ids);
      const described = await Promise.all(chosen.map((deployment) => deployment.describe()));
      return chosen.flatMap((deployment, index) =>
        (described[index]?.members ?? []).map(({ id: memberId }) => ({
          ...{ id: deployment.id, memberId },
          samples: deployment.samplesOf(memberId).slice(-NEWEST),
        })),
      );
    },
    async databaseSizes(ids) {
      return (await deployments.chosen(ids)).map(({ id, databases }) => ({ id, databases }));
    },
  } satisfies Partial<Engine>;
}

function recordCalls(deployments: OpenDeployments) {
  async function linesOf(id: string, memberId: string): Promise<readonly string[]> {
    await using reader = await (await deployments.require(id)).logReader(memberId);
    return logLines(await ask(reader, { getLog: 'global' }));
  }

  /** Returns the selected login attempts at the reachable members. Reads the logs of few members at the same time. */
  async function attempts(id: string, query: AccessHistoryQuery): Promise<AccessAttempt[]> {
    const { members } = await (await deployments.require(id)).describe();
    let found: AccessAttempt[] = [];
    for (const batch of inBatches(members, LOGS_AT_ONCE)) {
      const read = batch.map(async ({ id: memberId, host, port }) => {
        const lines = await linesOf(id, memberId).catch(() => []);
        return lines.flatMap((line) => attemptIn(line, { memberId, host: `${host}:${port}` }) ?? []);
      });
      found = selected([...found, ...(await Promise.all(read)).flat()], query);
    }
    return found;
  }

  return {
    accessHistory: attempts,
    logs(id, memberId, _log, from, to) {
      const lines = async function* () {
        for (const line of linesIn(await linesOf(id, memberId), from, to)) yield Buffer.from(`${line}\n`);
      };
      return Readable.from(lines());
    },
  } satisfies Partial<Engine>;
}

function snapshotCalls(deployments: OpenDeployments, parts: SnapshotParts) {
  return {
    snapshot: (id, known) =>
      endingWith(async function* (signal) {
        yield* snapshotFrames(await deployments.require(id), known, { ...parts, signal });
      }),
    oplog: (id, after) =>
      endingWith(async function* (signal) {
        yield* oplogFrames(await deployments.require(id), after, { ...parts, signal });
      }),
    restore: async (id, ...given) => restoreSnapshot(await deployments.require(id), given, parts),
  } satisfies Partial<Engine>;
}

/**
 * Returns a stream of the results of `work`. The end of the stream aborts the signal of `work`. Otherwise, `work` would
 * continue until its next result.
 */
function endingWith(work: (signal: AbortSignal) => AsyncGenerator<Uint8Array>): Readable {
  const gone = new AbortController();
  const stream = Readable.from(work(gone.signal));
  const destroy = stream._destroy.bind(stream);
  stream._destroy = (error, done) => {
    gone.abort(error ?? new Error('the caller has cancelled the call'));
    destroy(error, done);
  };
  return stream;
}

/** Rejects calls of functions that this engine does not support. No operation makes such a call. */
const refuse = async (): Promise<never> => {
  throw new Error('the engine adopted does not support this call');
};
const unsupported = {
  pause: refuse,
  stopMember: refuse,
  startMember: refuse,
  setFaults: refuse,
  setSearchNodes: refuse,
  runAs: refuse,
  setClock: async () => {},
  setTls: async () => {},
};
