import { BucketError, isLasting, type ObjectStore } from '../../objects/object-store.ts';
import type { ReadTx, Tx } from '../../store/index.ts';
import { every, recurring, step, type TaskContext, type TaskKind } from '../../tasks/index.ts';
import { bucketStore } from '../backup/index.ts';
import { type ClusterWork, clusterById } from '../clusters/index.ts';
import { findProject } from '../projects/index.ts';
import { awsCredentials, findRole } from '../provider-access/index.ts';
import type { Services } from '../services.ts';
import { EXPORT_LOGS, exportAll, moveState, VERIFY, type VerifyWork } from './changes.ts';
import { exportPeriod, foldersOf } from './files.ts';
import { type BegunPeriod, exportMark, findLogExport, type LogExportRow, saveMark } from './rows.ts';
import { isStarted, type LogExportState } from './states.ts';

/** Interval between exports, in milliseconds of service time. */
const INTERVAL_MS = 300_000;
/** Nodes write log lines with a delay. Lines of the last second are exported with the next export. */
const DELAY_MS = 1000;
/** Number of attempts to write to an unavailable bucket. The last attempt is about a minute after the first one. */
const ATTEMPTS = 10;
/** Name of the empty file with which the service checks that it can write to the bucket. */
const PROBE = '.permissioncheck';

type FailedState = Extract<LogExportState, 'ASSUME_ROLE_FAILED' | 'BUCKET_VERIFICATION_FAILED'>;

interface Configured {
  readonly row: LogExportRow;
  readonly role: Awaited<ReturnType<typeof findRole>>;
}

async function configured(tx: ReadTx, groupId: string): Promise<Configured | undefined> {
  const row = await findLogExport(tx, groupId);
  return row && { row, role: await findRole(tx, groupId, row.roleId) };
}

/**
 * Opens the bucket and passes it to `use`. Returns undefined if this succeeds. If a retry may help, throws,
 * so that the task retries. Otherwise returns the state of the log export that says whether the role or the
 * bucket failed.
 */
async function withBucket(
  { services: { clouds }, attempt }: Pick<TaskContext<Services, unknown>, 'services' | 'attempt'>,
  { row, role }: Configured,
  use: (bucket: ObjectStore) => Promise<unknown>,
): Promise<FailedState | undefined> {
  if (role?.identity.provider !== 'AWS') return 'ASSUME_ROLE_FAILED';
  let failure: FailedState = 'ASSUME_ROLE_FAILED';
  try {
    await awsCredentials(clouds, role.identity)?.();
    failure = 'BUCKET_VERIFICATION_FAILED';
    await use(bucketStore(clouds, { provider: 'AWS', bucketName: row.bucketName }, role));
    return undefined;
  } catch (error) {
    // Return the failure instead of throwing it. Otherwise the task would fail without a change of the state, and each
    // later export would leave another failed task.
    if (error instanceof BucketError && (isLasting(error) || attempt >= ATTEMPTS)) return failure;
    throw error;
  }
}

const verify = step<VerifyWork, Services, FailedState | null>({
  name: 'verify',
  async run(context) {
    const { store, payload } = context;
    const found = await store.read((tx) => configured(tx, payload.groupId));
    if (found === undefined) return null;
    const key = [...foldersOf(found.row.prefixPath), PROBE].join('/');
    return (await withBucket(context, found, (bucket) => bucket.put(key, new Uint8Array(0)))) ?? null;
  },
  commit: (tx, { payload }, failed) => moveState(tx, payload, failed ?? 'BUCKET_VERIFIED'),
});

/** Checks that the service can write to the bucket. */
export const verifyBucket: TaskKind<VerifyWork, Services> = {
  ...VERIFY,
  attempts: ATTEMPTS,
  awaitsExternalServices: true,
  steps: [
    verify,
    {
      name: 'activate',
      async commit(tx, { payload }) {
        const row = await findLogExport(tx, payload.groupId);
        if (row?.state === 'BUCKET_VERIFIED') await moveState(tx, payload, 'ACTIVE');
      },
    },
  ],
  onFailed: (tx, { payload }) => moveState(tx, payload, 'BUCKET_VERIFICATION_FAILED'),
};

/** Records the period of an export before the first file is written. A repeated export has the same period. */
async function beginPeriod(tx: Tx, clusterId: string): Promise<void> {
  const cluster = await clusterById(tx, clusterId);
  const row = cluster && (await findLogExport(tx, cluster.groupId));
  if (row === undefined || !isStarted(row.state)) return;
  const { created, revision } = row;
  const mark = await exportMark(tx, clusterId);
  const exported = mark !== undefined && mark.exported > created ? mark.exported : created;
  const begun = mark?.begun;
  if (begun !== undefined && new Date(begun.until) > exported) {
    // The configuration has changed, so the files must be written again, possibly to another bucket or prefix.
    if (begun.revision !== revision)
      await saveMark(tx, clusterId, { exported, begun: { ...begun, revision, written: [] } });
    return;
  }
  const until = new Date(tx.now.getTime() - DELAY_MS);
  if (until <= exported) return;
  await saveMark(tx, clusterId, {
    exported,
    begun: { until: until.toISOString(), revision, written: [] },
  });
}

interface Exported {
  readonly groupId: string;
  readonly failed: FailedState | null;
  readonly begun: BegunPeriod;
}

const exportBegun = step<ClusterWork, Services, Exported | null>({
  name: 'export',
  async run(context) {
    const { services, store, payload } = context;
    const found = await store.read(async (tx) => {
      const cluster = await clusterById(tx, payload.clusterId);
      const to = cluster && (await configured(tx, cluster.groupId));
      const project = cluster && (await findProject(tx, cluster.groupId));
      const mark = await exportMark(tx, payload.clusterId);
      return to && project && mark && { cluster, to, orgId: project.orgId, mark };
    });
    const begun = found?.mark.begun;
    // Write nothing while the bucket is being verified, or if the configuration has changed. The next export covers
    // this period.
    if (!found || !begun || !isStarted(found.to.row.state) || found.to.row.revision !== begun.revision)
      return null;
    const { cluster, orgId, to, mark } = found;
    const { groupId, prefixPath } = to.row;
    const engine = services.engines.at(cluster.host);
    const exported = { cluster, orgId, engine, naming: services.naming };
    const period = { from: mark.exported, to: new Date(Date.parse(begun.until) - 1) };
    const written = new Set(begun.written);
    const failed = await withBucket(context, to, (bucket) =>
      exportPeriod(exported, { bucket, prefixPath }, period, written),
    );
    return { groupId, failed: failed ?? null, begun: { ...begun, written: [...written] } };
  },
  async commit(tx, { payload: { clusterId } }, done) {
    if (done === null || (await clusterById(tx, clusterId)) === undefined) return;
    const { groupId, failed, begun } = done;
    await moveState(tx, { groupId, revision: begun.revision }, failed ?? 'ACTIVE');
    const mark = await exportMark(tx, clusterId);
    if (failed === null) await saveMark(tx, clusterId, { exported: new Date(begun.until) });
    else if (mark !== undefined) await saveMark(tx, clusterId, { ...mark, begun });
  },
});

/** Exports the lines that the nodes of a cluster have written since the last export. */
export const exportLogs: TaskKind<ClusterWork, Services> = {
  ...EXPORT_LOGS,
  attempts: ATTEMPTS,
  awaitsExternalServices: true,
  steps: [{ name: 'begin', commit: (tx, { payload }) => beginPeriod(tx, payload.clusterId) }, exportBegun],
};

const START = { kind: 'logExport.start' };

export const startExports: TaskKind<null, Services> = {
  ...START,
  steps: [{ name: 'start', commit: (tx) => exportAll(tx) }],
};

export const exportTimetable = recurring({
  name: 'logExport.start',
  kind: START,
  payload: null,
  next: every(INTERVAL_MS),
});
