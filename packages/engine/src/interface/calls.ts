import type { ClockSetting } from '@portolan/foundation/clock';
import type { WrappedKey } from '@portolan/foundation/keys/wrapped-key';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import { type CallClient, type CallsOf, call } from './call.ts';
import type {
  AccessAttempt,
  AccessHistoryQuery,
  AccessSpec,
  ActingUser,
  Deployment,
  DeploymentDatabases,
  DeploymentProblem,
  DeploymentSpec,
  LogName,
  MemberSample,
  MemberSamples,
  WireFault,
} from './engine.ts';
import type { OplogMark, OplogPosition } from './oplog.ts';
import type { SnapshotEnd } from './snapshot.ts';

/** Served from memory. */
const QUICK = { timeoutMs: 30_000 };
/** Reads files of some megabytes. */
const READ = { timeoutMs: 120_000 };
/** Bounded by the `maxTimeMS` of the command. */
const COMMAND = { timeoutMs: 60_000 };
/** Opens or closes databases, one change at a time. */
const CHANGE = { timeoutMs: 600_000 };
/** Without a time limit. */
const ENDLESS = { timeoutMs: Number.POSITIVE_INFINITY };

/**
 * All calls of an engine. Clients, hosts and threads derive from this table: a new call is an entry here and a method
 * of the part that it names:
 *
 * - `host`: the process with all its threads;
 * - `deployments`: the deployments of the host;
 * - `deployment`: the deployment that the first argument names. Such calls run one after another, receive the other
 *   arguments, and return the new description of the deployment;
 * - `records`: the log and metrics files of the deployment that the first argument names, read in their own thread.
 *
 * Every call but `runAs` may be repeated: an interrupted task runs its step again.
 */
export const engineCalls = {
  /** Starts the deployment, or returns the existing one. Resolves when every member accepts drivers. */
  provision: call<(spec: DeploymentSpec) => Deployment>()('deployments', 'value', CHANGE),
  /** Changes a deployment to the members and version of `spec`; remaining members keep their ports. */
  reconfigure: call<(spec: DeploymentSpec) => Deployment>()('deployments', 'value', CHANGE),
  /** Closes every port and releases memory and files; the data stays. */
  pause: call<(id: string) => Deployment>()('deployment', 'value', CHANGE),
  resume: call<(id: string) => Deployment>()('deployment', 'value', CHANGE),
  /** Ends the deployment and deletes its data. Succeeds if the deployment does not exist. */
  remove: call<(id: string) => void>()('deployments', 'value', CHANGE),
  describe: call<(id: string) => Deployment | undefined>()('deployments', 'value', CHANGE),
  /** Deployments that should run but do not, with the reason. */
  troubled: call<() => readonly DeploymentProblem[]>()('deployments', 'value', QUICK),
  /**
   * Closes the member's port until the member is started, even if the host restarts. If it was primary, another member is
   * elected.
   */
  stopMember: call<(id: string, memberId: string) => Deployment>()('deployment', 'value', CHANGE),
  /** Rejects if another program uses its port. */
  startMember: call<(id: string, memberId: string) => Deployment>()('deployment', 'value', CHANGE),
  /**
   * Makes the primary step down; rejects if no other member can be elected. With `from` it acts only while that member
   * is primary, so that the call may be repeated; without it, in every shard.
   */
  failover: call<(id: string, from?: string) => Deployment>()('deployment', 'value', CHANGE),
  /** Replaces the declared faults of every member. They survive restarts. */
  setFaults: call<(id: string, faults: readonly WireFault[]) => Deployment>()('deployment', 'value', CHANGE),
  /**
   * Sets the number of search nodes, which are threads that only search. With any, another thread builds the cluster's
   * indexes; with none, shared threads do both.
   */
  setSearchNodes: call<(id: string, count: number) => Deployment>()('deployment', 'value', CHANGE),
  setAccess: call<(id: string, access: AccessSpec) => Deployment>()('deployment', 'value', CHANGE),
  /**
   * Runs a database command (`{insert: 'ports', $db: 'harbour', documents: […]}`, below 16 MB) with all privileges, and
   * returns the server's reply, also if that is an error. If this rejects, the command may have run.
   */
  run: call<(id: string) => void>()('deployments', 'document', ENDLESS),
  /**
   * Like `run`, with the privileges of the roles of `user`. Numbers of the reply keep their BSON types. Never sent twice: a
   * person sees the error and decides.
   */
  runAs: call<(id: string, user: ActingUser) => void>()('deployments', 'document', {
    ...COMMAND,
    repeatable: false,
    exact: true,
  }),
  /**
   * The deployment's data at this moment as frames (`snapshot.ts`), while it keeps running. Chunks whose hashes the
   * caller knows are sent without content; if nothing was written since a snapshot whose state the caller knows, only
   * that is sent.
   */
  snapshot: call<(id: string, known: readonly string[]) => void>()('deployments', 'download', CHANGE),
  /**
   * The oplog after an entry as frames (`oplog.ts`); without an entry, or if that has been removed, from the newest
   * entry on. A position without a digest stands for any entry there.
   */
  oplog: call<(id: string, after: OplogMark | OplogPosition | undefined) => void>()(
    'deployments',
    'download',
    CHANGE,
  ),
  /**
   * Receives the frames of a snapshot, optionally followed by its oplog, verifies the result, and replaces the
   * deployment's data with it. Members are unavailable during the replacement; an error leaves the data unchanged.
   * `key` is the key in the snapshot's first frame, if any; `oplogKeys` are those of the segments.
   */
  restore: call<(id: string, key: WrappedKey | undefined, oplogKeys: readonly WrappedKey[]) => SnapshotEnd>()(
    'deployments',
    'upload',
    CHANGE,
  ),
  /** Logins of the last seven days, newest first, of all members, including removed ones. */
  accessHistory: call<(id: string, query: AccessHistoryQuery) => readonly AccessAttempt[]>()(
    'records',
    'value',
    READ,
  ),
  /**
   * The lines of a member's log from `from` to `to` (service time, milliseconds since 1970, inclusive), each a JSON
   * document and a line feed, oldest first. Only the last 10 MB or so are kept.
   */
  logs: call<(id: string, memberId: string, log: LogName, from: number, to: number) => void>()(
    'records',
    'download',
    READ,
  ),
  /** Samples of a member in that time, oldest first; those of about the last day are kept. */
  metrics: call<(id: string, memberId: string, from: number, to: number) => readonly MemberSample[]>()(
    'records',
    'value',
    READ,
  ),
  /**
   * Samples every member now instead of at the next ten-second interval; a member in a long statement reports its state
   * before it.
   */
  measure: call<() => void>()('host', 'value', QUICK),
  /**
   * The newest samples, at most eight, of every member of these deployments, or of all. Served from memory; unknown
   * deployments are left out.
   */
  newestSamples: call<(ids?: readonly string[]) => readonly MemberSamples[]>()('host', 'value', QUICK),
  /** Database sizes of these deployments, served from memory; unknown deployments are left out. */
  databaseSizes: call<(ids: readonly string[]) => readonly DeploymentDatabases[]>()('host', 'value', QUICK),
  /** Sets the service time of the data plane: dates that databases generate follow it. */
  setClock: call<(setting: ClockSetting) => void>()('host', 'value', QUICK),
  /** Sets the certificate of members, if the engine uses TLS; rejects an invalid one. */
  setTls: call<(certificate: Certificate) => void>()('host', 'value', QUICK),
};

/** The data plane as the service uses it. */
export type Engine = CallClient<typeof engineCalls>;

export type EngineCalls<P extends string> = CallsOf<typeof engineCalls, P>;
