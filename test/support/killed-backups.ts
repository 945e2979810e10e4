import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { EJSON } from 'bson';
import type { Document, MongoClient, Timestamp } from 'mongodb';
import { BackupFiles } from './backup-files.ts';
import { backedUp, into } from './backups.ts';
import { type CrashPlan, endCrashPlan, hasCrashed, planCrash } from './crashes.ts';
import { allowAccess, driverFor, LONG_TIMEOUTS } from './drivers.ts';
import { expectStatus, until } from './expect.ts';
import type { GoogleStorage } from './google-storage.ts';
import type { Setup } from './setups.ts';
import { idle, type ListDocument, newCluster, newProject } from './stage.ts';

/** Kills the service or the engine host at a step of backup work, and checks the result. */

export const backupWorks = [
  'snapshot',
  'archive',
  'automated',
  'pointInTime',
  'download',
  'export',
  'policy',
] as const;
export type Work = (typeof backupWorks)[number];

const ARCHIVE_S = 31;

/** A cluster with continuous backup and numbered documents, and which of them its last snapshot contains. */
interface Stage {
  readonly project: string;
  readonly cluster: string;
  readonly driver: MongoClient;
  readonly bucketId: string;
  snapshot: { readonly id: string; readonly held: readonly number[] };
}

interface Round {
  /** The steps until the crash. The last one was interrupted. */
  readonly steps: readonly string[];
  readonly crashed: boolean;
}

export class KilledBackups {
  readonly #setup: Setup;
  readonly #google: GoogleStorage;
  readonly #folder: string;
  readonly #stage: Stage;
  #next = 1;

  private constructor(setup: Setup, google: GoogleStorage, folder: string, stage: Stage) {
    this.#setup = setup;
    this.#google = google;
    this.#folder = folder;
    this.#stage = stage;
  }

  /** Uses a service that was started with `withCrashes(folder)`. The caller must close the result. */
  static async begin(setup: Setup, google: GoogleStorage, folder: string): Promise<KilledBackups> {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'fleet', { ...backedUp, pitEnabled: true });
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
    const role = await setup.owner.post(`${project}/cloudProviderAccess`, { providerName: 'GCP' });
    const { roleId } = expectStatus(role, 200);
    const bucket = { bucketName: google.bucket, cloudProvider: 'GCP', roleId };
    const { _id } = expectStatus(await setup.owner.post(`${project}/backup/exportBuckets`, bucket), 200);
    const snapshot = { id: '', held: [] };
    const stage = { project, cluster, driver, bucketId: String(_id), snapshot };
    const all = new KilledBackups(setup, google, folder, stage);
    await all.write();
    await all.round('snapshot', { role: 'service', at: Number.MAX_SAFE_INTEGER });
    return all;
  }

  close(): Promise<void> {
    return this.#stage.driver.close();
  }

  /** Runs one kind of work with a planned crash. Returns the steps until the crash. */
  async round(work: Work, plan: CrashPlan): Promise<Round> {
    const before = await this.#documentIds();
    const moment = await this.#moment();
    if (work === 'archive' || work === 'automated' || work === 'pointInTime') await this.write();
    let later = await this.#documentIds();
    const segments = this.#files().segments();
    // Archiving begins only after the clock has moved.
    const isOver = async () => (work !== 'archive' || this.#files().segments() > segments) && this.#isIdle();
    planCrash(this.#folder, plan);
    await this.#start(work, moment).catch(() => undefined);
    await until('a death, or the end', async () => hasCrashed(this.#folder) || isOver(), Boolean);
    const died = hasCrashed(this.#folder);
    const steps = endCrashPlan(this.#folder);
    const description = `${work} without its ${plan.role} before ${steps.at(-1)} (${steps.length})`;
    if (died && plan.role === 'service') {
      await this.#ended();
      // Change the data, so that the retried work reads other data than the interrupted attempt.
      if (work === 'archive') {
        await this.write();
        later = await this.#documentIds();
      }
      await this.#setup.start();
    }
    await until(`the end of ${description}`, isOver, Boolean);
    await idle(this.#setup.owner, this.#stage.cluster);
    try {
      await this.#check(work, { before, later });
      this.#files().expectNoneLost();
    } catch (error) {
      throw new Error(description, { cause: error });
    }
    return { steps, crashed: died };
  }

  async #ended(): Promise<void> {
    const [instance] = this.#setup.instances;
    const runs = async () => instance?.isRunning();
    await until('the end of the service', runs, (still) => still === false);
  }

  async #start(work: Work, moment: Timestamp): Promise<unknown> {
    const { project, cluster, bucketId, snapshot } = this.#stage;
    const { owner, operator } = this.#setup;
    const job = (body: object) => owner.post(`${cluster}/backup/restoreJobs`, body);
    const target = into(project, 'fleet', snapshot.id);
    const { snapshotId, ...cluster_ } = target;
    switch (work) {
      case 'snapshot':
        return owner.post(`${cluster}/backup/snapshots`, { retentionInDays: 3 });
      case 'archive':
        return operator.patch('/operator/v1/clock', { advanceSeconds: ARCHIVE_S });
      case 'automated':
        return job({ deliveryType: 'automated', ...target });
      case 'pointInTime':
        return job({ deliveryType: 'pointInTime', ...cluster_, oplogTs: moment.t, oplogInc: moment.i });
      case 'download':
        return job({ deliveryType: 'download', snapshotId });
      case 'export':
        return owner.post(`${cluster}/backup/exports`, { snapshotId, exportBucketId: bucketId });
      case 'policy':
        return owner.send('PUT', `${project}/backupCompliancePolicy`, policy(this.#next++));
    }
  }

  /** Whether no backup tasks are left. */
  async #isIdle(): Promise<boolean> {
    if (this.#setup.instances[0]?.isRunning() !== true) return false;
    const downloads = await this.#offered().catch(() => undefined);
    return downloads !== undefined && this.#files().tasks().length === 0;
  }

  async #check(work: Work, held: { before: readonly number[]; later: readonly number[] }): Promise<void> {
    const now = await this.#documentIds();
    const restores = work === 'automated' || work === 'pointInTime';
    if (!restores) assert.deepEqual(now, held.later, 'the cluster holds what it held');
    if (work === 'snapshot') await this.#checkSnapshots(now);
    if (work === 'download') await this.#cancelDownloads();
    if (work === 'export') await this.#checkExport();
    if (work === 'policy') await this.#checkPolicy();
    if (restores) await this.#checkRestore(work, now, held);
  }

  async #checkRestore(
    work: Work,
    now: readonly number[],
    { before, later }: { readonly before: readonly number[]; readonly later: readonly number[] },
  ): Promise<void> {
    const last = (await this.#list('restoreJobs')).at(-1);
    const restored = work === 'automated' ? this.#stage.snapshot.held : before;
    if (last?.deliveryType !== work) assert.deepEqual(now, later, 'no restore job exists');
    else if (last.failed) assert.deepEqual(now, later, 'the old data');
    else assert.deepEqual(now, restored, 'the new data');
    assert.equal(last?.failed ?? false, false, JSON.stringify(last));
  }

  async #checkSnapshots(now: readonly number[]): Promise<void> {
    const all = await this.#list('snapshots');
    assert.deepEqual(
      all.filter(({ status }) => status !== 'completed'),
      [],
    );
    const last = String(all.at(-1)?.id ?? '');
    if (last !== this.#stage.snapshot.id) this.#stage.snapshot = { id: last, held: now };
  }

  async #checkExport(): Promise<void> {
    const last = (await this.#list('exports')).at(-1);
    if (last === undefined) return;
    const prefix = `${last.prefix}/`;
    const names = [...this.#google.objects.keys()].filter((name) => name.startsWith(prefix));
    assert.deepEqual(
      [last.state, ...names.map((name) => name.slice(prefix.length)).sort()],
      ['Successful', '.complete', 'harbour/ports/fleet.0.json.gz', 'harbour/ports/metadata.json'],
    );
    const lines = gunzipSync(this.#google.objects.get(`${prefix}harbour/ports/fleet.0.json.gz`) ?? '');
    const ids = lines
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => Number(EJSON.parse(line)._id));
    assert.deepEqual(
      ids.sort((a, b) => a - b),
      this.#stage.snapshot.held,
    );
  }

  async #checkPolicy(): Promise<void> {
    const { project, cluster } = this.#stage;
    const { state, scheduledPolicyItems = [] } = expectStatus<Document>(
      await this.#setup.owner.get(`${project}/backupCompliancePolicy`),
      200,
    );
    if (state === undefined) return;
    assert.equal(state, 'ACTIVE');
    const schedule = expectStatus<Document>(await this.#setup.owner.get(`${cluster}/backup/schedule`), 200);
    const items: Document[] = schedule.policies[0].policyItems;
    const wanted = scheduledPolicyItems[0];
    const own = items.find(({ frequencyType }) => frequencyType === wanted.frequencyType);
    assert.ok(own?.retentionValue >= wanted.retentionValue, 'the schedule is as strong as the policy');
  }

  /** Cancels downloads. Otherwise, their archives would stay for an hour. */
  async #cancelDownloads(): Promise<void> {
    const { owner } = this.#setup;
    for (const { id } of await this.#offered())
      expectStatus(await owner.delete(`${this.#stage.cluster}/backup/restoreJobs/${id}`), 204);
    await until('the archives gone', () => this.#isIdle(), Boolean);
  }

  async #offered() {
    const jobs = await this.#list('restoreJobs');
    return jobs.filter(
      ({ deliveryType, cancelled, expired, failed }) =>
        deliveryType === 'download' && !cancelled && !expired && !failed,
    );
  }

  async #list(kind: string) {
    const path = `${this.#stage.cluster}/backup/${kind}?itemsPerPage=500`;
    return expectStatus<ListDocument>(await this.#setup.owner.get(path), 200).results;
  }

  /** Inserts some documents. */
  async write(): Promise<void> {
    const documents = Array.from({ length: 5 }, () => ({ _id: this.#next++, text: 'x'.repeat(500) }));
    await this.#ports().insertMany(documents);
  }

  async #documentIds(): Promise<number[]> {
    const found = await this.#ports()
      .find({}, { projection: { _id: 1 } })
      .toArray();
    return found.map(({ _id }) => _id).sort((a, b) => a - b);
  }

  async #moment(): Promise<Timestamp> {
    const { operationTime } = await this.#stage.driver.db('admin').command({ ping: 1 });
    return operationTime as Timestamp;
  }

  #ports() {
    return this.#stage.driver.db('harbour').collection<{ _id: number; text: string }>('ports');
  }

  #files(): BackupFiles {
    const [instance] = this.#setup.instances;
    assert.ok(instance);
    return new BackupFiles(instance);
  }
}

/** Returns the body of a policy. More days make the policy stronger. */
const policy = (days: number) => ({
  authorizedEmail: 'ada@example.com',
  authorizedUserFirstName: 'Ada',
  authorizedUserLastName: 'Quayle',
  scheduledPolicyItems: [
    { frequencyType: 'daily', frequencyInterval: 1, retentionUnit: 'days', retentionValue: days },
  ],
});
