import type { ClockSetting } from '@portolan/foundation/clock';
import type { WrappedKey } from '@portolan/foundation/keys/wrapped-key';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import { type CallClient, type CallsOf, call } from './call.ts';
import type {
  AccessAttempt,
  AccessHistoryQuery,
  AccessSpec,
  Deployment,
  DeploymentDatabases,
  DeploymentSpec,
  LogName,
  MemberSample,
  MemberSamples,
  TroubledDeployment,
  WireFault,
} from './engine.ts';
import type { OplogMark, OplogPosition } from './oplog.ts';
import type { SnapshotEnd } from './snapshot.ts';

/** Answered out of memory. */
const QUICK = { timeoutMs: 30_000 };
/** Reads files of some megabytes. */
const READ = { timeoutMs: 120_000 };
/** Opens or closes databases, each in its turn. */
const CHANGE = { timeoutMs: 600_000 };
/** Takes as long as whoever asks wants it to. */
const ENDLESS = { timeoutMs: Number.POSITIVE_INFINITY };

/**
 * Everything that an engine can be asked. Clients, hosts and threads follow from this table; a new call is an entry
 * here and a method of the part that it names:
 *
 * - `host`: the process with all its threads;
 * - `deployments`: the register of what runs there;
 * - `deployment`: one of them, named by the first argument. Such calls run one after another, get the arguments
 *   behind the first, and answer with the deployment as it is then;
 * - `records`: the files that a deployment has written, named by the first argument, read in a thread of their own.
 *
 * Every call may be repeated: a task that was cut off runs its step again.
 */
export const engineCalls = {
  /** Starts the deployment, or answers the one that is there. Resolves when every member accepts drivers. */
  provision: call<(spec: DeploymentSpec) => Deployment>()('deployments', 'value', CHANGE),
  /** Brings a deployment to the members and version of `spec`; ports of members that stay do not change. */
  reconfigure: call<(spec: DeploymentSpec) => Deployment>()('deployments', 'value', CHANGE),
  /** Closes every port and gives memory and files back; the data stays. */
  pause: call<(id: string) => Deployment>()('deployment', 'value', CHANGE),
  resume: call<(id: string) => Deployment>()('deployment', 'value', CHANGE),
  /** Ends the deployment and deletes its data. A deployment that is not there is already removed. */
  remove: call<(id: string) => void>()('deployments', 'value', CHANGE),
  describe: call<(id: string) => Deployment | undefined>()('deployments', 'value', CHANGE),
  /** Deployments that should run and do not, and why. */
  troubled: call<() => readonly TroubledDeployment[]>()('deployments', 'value', QUICK),
  /** Closes the member's port, over restarts too, until it is started; another one becomes primary if it was. */
  stopMember: call<(id: string, memberId: string) => Deployment>()('deployment', 'value', CHANGE),
  /** Rejects when another program has taken its port meanwhile. */
  startMember: call<(id: string, memberId: string) => Deployment>()('deployment', 'value', CHANGE),
  /**
   * The primary steps down and another member follows it; rejects when none can. With `from` it does so only while
   * that member is primary, so that the call may be repeated; without it in every shard.
   */
  failover: call<(id: string, from?: string) => Deployment>()('deployment', 'value', CHANGE),
  /** What commands meet on every member, over restarts too, in the place of what was declared before. */
  setFaults: call<(id: string, faults: readonly WireFault[]) => Deployment>()('deployment', 'value', CHANGE),
  /** So many search nodes, which search and build in threads of their own; without any the deployment does it itself. */
  setSearchNodes: call<(id: string, count: number) => Deployment>()('deployment', 'value', CHANGE),
  setAccess: call<(id: string, access: AccessSpec) => Deployment>()('deployment', 'value', CHANGE),
  /**
   * Runs a database command (`{insert: 'ports', $db: 'harbour', documents: […]}`, below 16 MB) with every right, and
   * answers what the server answers, also where that is an error. It may have been run although this rejects.
   */
  run: call<(id: string) => void>()('deployments', 'document', ENDLESS),
  /**
   * The deployment's data at this moment as frames (`snapshot.ts`), while it goes on. The content of chunks that the
   * caller has, known by their hashes, is not sent; nothing is, where nothing was written since a former snapshot
   * whose state is among what the caller knows.
   */
  snapshot: call<(id: string, known: readonly string[]) => void>()('deployments', 'download', CHANGE),
  /**
   * The oplog behind an entry as frames (`oplog.ts`), or from now on where none is named or that one is gone. A
   * position alone stands for whatever entry is there.
   */
  oplog: call<(id: string, after: OplogMark | OplogPosition | undefined) => void>()(
    'deployments',
    'download',
    CHANGE,
  ),
  /**
   * Takes the frames of a snapshot, and of the oplog behind it, and, once they have proved to hold what was taken, puts
   * them in the place of the deployment's data; its members are away meanwhile. What goes wrong leaves the data as it
   * was. `key` is that of the snapshot's first frame, where that has one, `oplogKeys` those of the segments.
   */
  restore: call<(id: string, key: WrappedKey | undefined, oplogKeys: readonly WrappedKey[]) => SnapshotEnd>()(
    'deployments',
    'upload',
    CHANGE,
  ),
  /** Log-ins of the last seven days, the newest first; of all members, those that are gone too. */
  accessHistory: call<(id: string, query: AccessHistoryQuery) => readonly AccessAttempt[]>()(
    'records',
    'value',
    READ,
  ),
  /**
   * The lines of a member's log from `from` to `to` (service time, milliseconds since 1970, both count), each a JSON
   * document and a line feed, the oldest first. What is older than some 10 MB is gone.
   */
  logs: call<(id: string, memberId: string, log: LogName, from: number, to: number) => void>()(
    'records',
    'download',
    READ,
  ),
  /** Samples of a member in that time, the oldest first; those of about the last day are kept. */
  metrics: call<(id: string, memberId: string, from: number, to: number) => readonly MemberSample[]>()(
    'records',
    'value',
    READ,
  ),
  /** Samples every member now, as is done every ten seconds; members in a long statement as they were before it. */
  measure: call<() => void>()('host', 'value', QUICK),
  /**
   * The newest samples, at most eight, of every member of these deployments, or of all that there are. Out of memory,
   * so for many at once; those that are not there are left out.
   */
  newestSamples: call<(ids?: readonly string[]) => readonly MemberSamples[]>()('host', 'value', QUICK),
  /** How large the databases of these deployments are, out of memory; those that are not there are left out. */
  databaseSizes: call<(ids: readonly string[]) => readonly DeploymentDatabases[]>()('host', 'value', QUICK),
  /** Service time for the data plane: dates that databases make by themselves follow it. */
  setClock: call<(setting: ClockSetting) => void>()('host', 'value', QUICK),
  /** What members present from here on, where the engine was set up to speak TLS; rejects what cannot be used. */
  setTls: call<(certificate: Certificate) => void>()('host', 'value', QUICK),
};

/** The data plane as the service sees it. */
export type Engine = CallClient<typeof engineCalls>;

export type EngineCalls<P extends string> = CallsOf<typeof engineCalls, P>;
