import { isDeepStrictEqual } from 'node:util';
import type { MongoClient } from 'mongodb';
import { backedUp, into, type RestoreDocument, type SnapshotDocument } from '../backups.ts';
import type { Client } from '../client.ts';
import { driverFor, LONG_TIMEOUTS } from '../drivers.ts';
import { expectStatus, until } from '../expect.ts';
import type { Scope } from '../service.ts';
import type { Setup } from '../setups.ts';
import { type ListDocument, newCluster } from '../stage.ts';

/**
 * Repeatedly changes the data of a separate cluster and restores it from the same snapshot. After a successful restore,
 * the data must equal the snapshot. After a failed restore, the data must equal the data before it.
 */

interface Cargo {
  readonly _id: number;
  readonly round: number;
  readonly cargo: string;
}

const NAME = 'restored';
const DOCUMENTS = 200;
/** Time limit of a restore, which may wait for the lease of a killed instance and for the restart of a host. */
const LIMIT_MS = 360_000;

const cargoOf = (round: number): Cargo[] =>
  Array.from({ length: DOCUMENTS }, (_, _id) => ({ _id, round, cargo: `salt of ${round}`.repeat(20) }));

export class Restores {
  readonly findings: string[] = [];
  /** How many restores have succeeded, and how many have failed. */
  readonly ended = { succeeded: 0, failed: 0 };
  readonly #client: Client;
  readonly #project: string;
  readonly #driver: MongoClient;
  readonly #snapshotId: string;
  /** How many calls had no response. Each may have started a restore. */
  #unanswered = 0;

  private constructor(client: Client, project: string, driver: MongoClient, snapshotId: string) {
    this.#client = client;
    this.#project = project;
    this.#driver = driver;
    this.#snapshotId = snapshotId;
  }

  /** Creates the cluster and its snapshot before the first fault. Users of the project can log in to the cluster. */
  static async begin(scope: Scope, setup: Setup, project: string): Promise<Restores> {
    const client = setup.account;
    const cluster = await newCluster(setup, project, NAME, backedUp);
    const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
    scope.after(() => driver.close());
    const cargo = driver.db('hold').collection<Cargo>('cargo');
    await cargo.insertMany(cargoOf(0));
    await cargo.createIndex({ cargo: 1, round: -1 }, { name: 'by cargo' });
    const path = `${cluster}/backup/snapshots`;
    const created = await client.post(path, { retentionInDays: 1 });
    const { id } = expectStatus<SnapshotDocument>(created, 200);
    await until(
      'the snapshot',
      () => client.get(`${path}/${id}`),
      (reply) => reply.json().status === 'completed',
    );
    return new Restores(client, project, driver, id);
  }

  get #jobs() {
    return `${this.#project}/clusters/${NAME}/backup/restoreJobs`;
  }

  /** Runs rounds one after another while `isRunning` returns true. */
  async work(isRunning: () => boolean): Promise<void> {
    for (let round = 1; isRunning(); round++) await this.#round(round);
  }

  async #round(round: number): Promise<void> {
    const cargo = this.#driver.db('hold').collection<Cargo>('cargo');
    const writes = { writeConcern: { w: 'majority' } } as const;
    // If the round was written only in part, its data cannot be compared.
    const written = await cargo
      .bulkWrite(
        cargoOf(round).map(({ _id, ...fields }) => ({
          updateOne: { filter: { _id }, update: { $set: fields } },
        })),
        writes,
      )
      .then(
        () => true,
        () => false,
      );
    const body = { deliveryType: 'automated', ...into(this.#project, NAME, this.#snapshotId) };
    const reply = await this.#client.post(this.#jobs, body).catch(() => undefined);
    if (reply === undefined || reply.status >= 500) this.#unanswered++;
    const jobs = await this.#ended();
    const job = jobs.find(({ id }) => id === (reply?.status === 200 ? reply.json().id : undefined));
    if (job === undefined) return;
    this.ended[job.failed ? 'failed' : 'succeeded']++;
    if (!job.failed) await this.#compare(0);
    else if (written) await this.#compare(round, 0);
  }

  /** Returns all restore jobs, as soon as none of them is in progress. */
  async #ended(): Promise<readonly RestoreDocument[]> {
    const reply = await until(
      'the end of restores',
      () => this.#client.get(`${this.#jobs}?itemsPerPage=500`).catch(() => undefined),
      (answer) =>
        answer?.status === 200 &&
        answer
          .json<ListDocument<RestoreDocument>>()
          .results.every(({ finishedAt }) => finishedAt !== undefined),
      LIMIT_MS,
    );
    return reply?.json<ListDocument<RestoreDocument>>().results ?? [];
  }

  /** Checks that each document belongs to one of these rounds. */
  async #compare(...rounds: readonly number[]): Promise<void> {
    const cargo = this.#driver.db('hold').collection<Cargo>('cargo');
    const found = await until(
      'readable data',
      () =>
        cargo
          .find({})
          .sort({ _id: 1 })
          .toArray()
          .catch(() => undefined),
      (all) => all !== undefined,
      LIMIT_MS,
    );
    if (rounds.some((round) => isDeepStrictEqual(found, cargoOf(round)))) return;
    const counts = Object.entries(Object.groupBy(found ?? [], ({ round }) => round));
    const observed = counts.map(([round, all]) => `${all?.length} of round ${round}`).join(', ');
    this.findings.push(`after a restore there are ${observed}, not all of ${rounds.join(' or ')}`);
  }

  /** Runs one more restore after the last fault. Compares jobs, indexes and events with the calls. */
  async close(): Promise<void> {
    const before = this.ended.succeeded;
    await this.#round(0xffff);
    if (this.ended.succeeded === before) this.findings.push('a restore failed without a fault');
    const indexes = await this.#driver.db('hold').collection('cargo').listIndexes().toArray();
    const names = indexes.map(({ name }) => name).sort();
    if (!isDeepStrictEqual(names, ['_id_', 'by cargo'])) this.findings.push(`restored indexes: ${names}`);
    const jobs = (await this.#ended()).length;
    const known = this.ended.succeeded + this.ended.failed;
    if (jobs < known || jobs > known + this.#unanswered)
      this.findings.push(`${jobs} restores, not ${known} to ${known + this.#unanswered}`);
    await this.#compareEvents(jobs);
  }

  async #compareEvents(jobs: number): Promise<void> {
    const count = async (...types: string[]) => {
      const query = types.map((type) => `eventType=${type}`).join('&');
      const reply = await this.#client.get(`${this.#project}/events?${query}&itemsPerPage=500`);
      return expectStatus<ListDocument>(reply, 200).results.length;
    };
    const requested = await count('CPS_RESTORE_REQUESTED_AUDIT');
    const ended = await count('CPS_RESTORE_SUCCESSFUL', 'CPS_RESTORE_FAILED');
    if (requested !== jobs || ended !== jobs)
      this.findings.push(`${jobs} restores, but events of ${requested} requests and ${ended} results`);
  }
}
