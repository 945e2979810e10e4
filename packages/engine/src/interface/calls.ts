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

/** Time limit of calls that return values from memory. */
const QUICK = { timeoutMs: 30_000 };
/** Time limit of calls that read files of some megabytes. */
const READ = { timeoutMs: 120_000 };
/** Time limit of commands of users, which can also have a time limit of their own (`maxTimeMS`). */
const COMMAND = { timeoutMs: 60_000 };
/** Time limit of calls that open or close databases, transfer data, or wait for such calls. They can take minutes. */
const CHANGE = { timeoutMs: 600_000 };
/** For calls without a time limit. */
const ENDLESS = { timeoutMs: Number.POSITIVE_INFINITY };

/**
 * All calls of an engine. The types of clients, hosts and threads derive from this table. A new call needs an entry
 * here, and a method of the part of the engine that implements it. The parts are:
 * - `host`: the process with all its threads;
 * - `deployments`: the deployments of the host;
 * - `deployment`: the deployment in the first argument. Such calls run one after another, receive the other arguments,
 *   and return the new description of the deployment;
 * - `records`: the log and metrics files of the deployment in the first argument. A separate thread reads them.
 *
 * Every call except `runAs` may be sent again, because a task of the service that was interrupted repeats its last
 * step.
 */
export const engineCalls = {
  /** Starts the deployment, or returns the existing deployment. Resolves when every member accepts drivers. */
  provision: call<(spec: DeploymentSpec) => Deployment>()('deployments', 'value', CHANGE),
  /** Changes a deployment to the members and version of `spec`. Remaining members keep their ports. */
  reconfigure: call<(spec: DeploymentSpec) => Deployment>()('deployments', 'value', CHANGE),
  /** Closes all ports and releases memory and files. The data stays. */
  pause: call<(id: string) => Deployment>()('deployment', 'value', CHANGE),
  resume: call<(id: string) => Deployment>()('deployment', 'value', CHANGE),
  /** Ends the deployment and deletes its data. Succeeds if the deployment does not exist. */
  remove: call<(id: string) => void>()('deployments', 'value', CHANGE),
  describe: call<(id: string) => Deployment | undefined>()('deployments', 'value', CHANGE),
  /** Returns the deployments that should be running but are not, and the reason for each. */
  troubled: call<() => readonly DeploymentProblem[]>()('deployments', 'value', QUICK),
  /**
   * Closes the port of a member. The port stays closed until the member is started, even if the host restarts. If the
   * member was primary, another member is elected.
   */
  stopMember: call<(id: string, memberId: string) => Deployment>()('deployment', 'value', CHANGE),
  /** Rejects if another program uses the member's port. */
  startMember: call<(id: string, memberId: string) => Deployment>()('deployment', 'value', CHANGE),
  /**
   * Makes the primary step down. Rejects if no other member can be elected. With `from`, has an effect only while that
   * member is primary, so that the call may be repeated. Without `from`, applies to every shard.
   */
  failover: call<(id: string, from?: string) => Deployment>()('deployment', 'value', CHANGE),
  /**
   * Replaces the declared faults of every member. The faults are stored, so they remain after a restart of the host.
   */
  setFaults: call<(id: string, faults: readonly WireFault[]) => Deployment>()('deployment', 'value', CHANGE),
  /**
   * Sets the number of search nodes, which are threads that only run searches. With search nodes, another thread of the
   * cluster builds its indexes. Without search nodes, the cluster shares the threads for indexes and searches with
   * other clusters.
   */
  setSearchNodes: call<(id: string, count: number) => Deployment>()('deployment', 'value', CHANGE),
  setAccess: call<(id: string, access: AccessSpec) => Deployment>()('deployment', 'value', CHANGE),
  /**
   * Runs a database command, such as `{insert: 'ports', $db: 'harbour', documents: […]}`, with all privileges. The
   * command must be below 16 MB. Resolves to the server's reply, even if the reply is an error. If the call rejects,
   * the command may have run.
   */
  run: call<(id: string) => void>()('deployments', 'document', ENDLESS),
  /**
   * Like `run`, but runs the command with the privileges of the roles of `user`. Resolves to the bytes of the reply.
   * They may be 16 MB, so the caller converts them in pieces. The call is never sent twice. If it fails, the person who
   * has sent the command decides whether to repeat it.
   */
  runAs: call<(id: string, user: ActingUser) => void>()('deployments', 'bson', {
    ...COMMAND,
    repeatable: false,
  }),
  /**
   * Returns the current data of the deployment as frames (`snapshot.ts`), while the deployment keeps running. Chunks
   * whose hashes are in `known` are sent without content. `known` may also contain the state of an earlier snapshot. If
   * nothing was written since that snapshot, the only frame says so.
   */
  snapshot: call<(id: string, known: readonly string[]) => void>()('deployments', 'download', CHANGE),
  /**
   * Returns the oplog entries after an entry as frames (`oplog.ts`). Begins at the newest entry if `after` is absent,
   * or if the oplog no longer contains that entry. If `after` has no digest, it means any entry at its position.
   */
  oplog: call<(id: string, after: OplogMark | OplogPosition | undefined) => void>()(
    'deployments',
    'download',
    CHANGE,
  ),
  /**
   * Receives the frames of a snapshot, and possibly of the oplog after it. Verifies the restored data, and then
   * replaces the data of the deployment. Members are unavailable during the replacement. An error leaves the data
   * unchanged. `key` is the key in the first frame of the snapshot, and `oplogKeys` are the keys of the oplog segments.
   */
  restore: call<(id: string, key: WrappedKey | undefined, oplogKeys: readonly WrappedKey[]) => SnapshotEnd>()(
    'deployments',
    'upload',
    CHANGE,
  ),
  /** Returns the logins to all members in the last seven days, newest first. Removed members are included. */
  accessHistory: call<(id: string, query: AccessHistoryQuery) => readonly AccessAttempt[]>()(
    'records',
    'list',
    READ,
  ),
  /**
   * Returns the lines of a member's log from `from` to `to`, inclusive, oldest first. Both are service times in
   * milliseconds since 1970. Each line is a JSON document and a line feed. The engine keeps about the last 10 MB of a
   * log.
   */
  logs: call<(id: string, memberId: string, log: LogName, from: number, to: number) => void>()(
    'records',
    'download',
    READ,
  ),
  /**
   * Returns the samples of a member from `from` to `to`, oldest first. The engine keeps the samples of about one day.
   */
  metrics: call<(id: string, memberId: string, from: number, to: number) => readonly MemberSample[]>()(
    'records',
    'list',
    READ,
  ),
  /**
   * Takes a sample of every member immediately, rather than at the next ten-second interval. If a member is running a
   * long statement, its sample describes its state before the statement.
   */
  measure: call<() => void>()('host', 'value', QUICK),
  /**
   * Returns the newest samples, at most eight, of every member of the deployments in `ids`. Without `ids`, returns the
   * samples of all deployments. Reads only memory. Unknown deployments are omitted.
   */
  newestSamples: call<(ids?: readonly string[]) => readonly MemberSamples[]>()('host', 'value', QUICK),
  /** Returns the database sizes of the deployments in `ids`. Reads only memory. Unknown deployments are omitted. */
  databaseSizes: call<(ids: readonly string[]) => readonly DeploymentDatabases[]>()('host', 'value', QUICK),
  /** Sets the service time of the engine. The dates that databases generate follow this time. */
  setClock: call<(setting: ClockSetting) => void>()('host', 'value', QUICK),
  /**
   * Sets the certificate of members. Has an effect only if the engine uses TLS. Rejects if the certificate is invalid.
   */
  setTls: call<(certificate: Certificate) => void>()('host', 'value', QUICK),
};

/** An engine as the service uses it. */
export type Engine = CallClient<typeof engineCalls>;

export type EngineCalls<P extends string> = CallsOf<typeof engineCalls, P>;
