import { BucketError, isLasting, type ObjectStore } from '../../objects/object-store.ts';
import type { ReadTx } from '../../store/index.ts';
import { every, recurring, step, type TaskKind } from '../../tasks/index.ts';
import { bucketStore } from '../backup/index.ts';
import { type ClusterWork, clusterById } from '../clusters/index.ts';
import { findProject } from '../projects/index.ts';
import { awsCredentials, findRole } from '../provider-access/index.ts';
import type { Clouds, Services } from '../services.ts';
import { EXPORT_LOGS, exportAll, moveState, VERIFY, type VerifyWork } from './changes.ts';
import { exportPeriod } from './files.ts';
import { exportedUntil, findLogExport, type LogExportRow, markExported } from './rows.ts';
import type { LogExportState } from './states.ts';

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
 * Opens the bucket and passes it to `use`. Returns the state that tells which part failed for good; undefined after
 * success. Throws if a retry may succeed.
 */
async function withBucket(
  clouds: Clouds,
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
    if (error instanceof BucketError && isLasting(error)) return failure;
    throw error;
  }
}

const verify = step<VerifyWork, Services, FailedState | null>({
  name: 'verify',
  async run({ services, store, payload }) {
    const found = await store.read((tx) => configured(tx, payload.groupId));
    if (found === undefined) return null;
    const folder = found.row.prefixPath.split('/').filter((part) => part !== '');
    const key = [...folder, PROBE].join('/');
    return (await withBucket(services.clouds, found, (bucket) => bucket.put(key, new Uint8Array(0)))) ?? null;
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

interface Exported extends VerifyWork {
  readonly failed: FailedState | null;
  readonly until: string;
}

/** Exports the lines that the nodes of a cluster have written since the last export. */
export const exportLogs: TaskKind<ClusterWork, Services> = {
  ...EXPORT_LOGS,
  attempts: ATTEMPTS,
  awaitsExternalServices: true,
  steps: [
    step<ClusterWork, Services, Exported | null>({
      name: 'export',
      async run({ services, store, payload: { clusterId } }) {
        const found = await store.read(async (tx) => {
          const cluster = await clusterById(tx, clusterId);
          const export_ = cluster && (await configured(tx, cluster.groupId));
          const project = cluster && (await findProject(tx, cluster.groupId));
          const until = await exportedUntil(tx, clusterId);
          return export_ && project && { cluster, export: export_, orgId: project.orgId, until };
        });
        if (found === undefined) return null;
        const { cluster, orgId, export: to } = found;
        const { groupId, revision, created, prefixPath } = to.row;
        const until = new Date(services.clock.now().getTime() - DELAY_MS);
        const begin = found.until !== undefined && found.until > created ? found.until : created;
        const engine = services.engines.at(cluster.host);
        const exported = { cluster, orgId, engine, naming: services.naming };
        const period = { from: begin, to: new Date(until.getTime() - 1) };
        const failed =
          period.from > period.to
            ? undefined
            : await withBucket(services.clouds, to, (bucket) =>
                exportPeriod(exported, { bucket, prefixPath }, period),
              );
        return { groupId, revision, failed: failed ?? null, until: until.toISOString() };
      },
      async commit(tx, { payload: { clusterId } }, done) {
        if (done === null || (await clusterById(tx, clusterId)) === undefined) return;
        await moveState(tx, done, done.failed ?? 'ACTIVE');
        if (done.failed === null) await markExported(tx, clusterId, new Date(done.until));
      },
    }),
  ],
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
