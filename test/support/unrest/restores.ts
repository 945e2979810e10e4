import { isDeepStrictEqual } from 'node:util';
import type { MongoClient } from 'mongodb';
import { backedUp, into, type RestoreDocument, type SnapshotDocument } from '../backups.ts';
import type { Client } from '../client.ts';
import { driverFor, PATIENT } from '../drivers.ts';
import { expectStatus, until } from '../expect.ts';
import type { Scope } from '../service.ts';
import type { Setup } from '../setups.ts';
import { type ListDocument, newCluster } from '../stage.ts';

/**
 * A cluster of its own whose data are changed and brought back from the same snapshot, again and again. When a restore
 * has gone well the data are those of the snapshot; when it has failed, those of before; and never anything else.
 */

interface Barrel {
  readonly _id: number;
  readonly round: number;
  readonly cargo: string;
}

const NAME = 'restored';
const BARRELS = 200;
/** A restore waits for a lease of an instance that was killed, and for a host that comes back. */
const LIMIT_MS = 120_000;

const barrelsOf = (round: number): Barrel[] =>
  Array.from({ length: BARRELS }, (_, _id) => ({ _id, round, cargo: `salt of ${round}`.repeat(20) }));

export class Restores {
  readonly findings: string[] = [];
  /** How many have ended well, and how many have failed. */
  readonly ended = { well: 0, failed: 0 };
  readonly #client: Client;
  readonly #project: string;
  readonly #driver: MongoClient;
  readonly #snapshotId: string;
  /** Calls without an answer, each of which may have begun one. */
  #unsure = 0;

  private constructor(client: Client, project: string, driver: MongoClient, snapshotId: string) {
    this.#client = client;
    this.#project = project;
    this.#driver = driver;
    this.#snapshotId = snapshotId;
  }

  /** A cluster with a snapshot of the first round, before any failure. Users of the project can log in to it. */
  static async begin(scope: Scope, setup: Setup, project: string): Promise<Restores> {
    const client = setup.account;
    const cluster = await newCluster(setup, project, NAME, backedUp);
    const driver = await driverFor(setup, cluster, PATIENT);
    scope.after(() => driver.close());
    const barrels = driver.db('hold').collection<Barrel>('barrels');
    await barrels.insertMany(barrelsOf(0));
    await barrels.createIndex({ cargo: 1, round: -1 }, { name: 'by cargo' });
    const path = `${cluster}/backup/snapshots`;
    const asked = await client.post(path, { retentionInDays: 1 });
    const { id } = expectStatus<SnapshotDocument>(asked, 200);
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

  /** One after another, for as long as `goesOn` says so; one more when all is calm. */
  async work(goesOn: () => boolean): Promise<void> {
    for (let round = 1; goesOn(); round++) await this.#round(round);
  }

  async #round(round: number): Promise<void> {
    const barrels = this.#driver.db('hold').collection<Barrel>('barrels');
    const writes = { writeConcern: { w: 'majority' } } as const;
    // What is left of a round that was not written whole is none of those that are compared.
    const written = await barrels
      .bulkWrite(
        barrelsOf(round).map(({ _id, ...barrel }) => ({
          updateOne: { filter: { _id }, update: { $set: barrel } },
        })),
        writes,
      )
      .then(
        () => true,
        () => false,
      );
    const asked = { deliveryType: 'automated', ...into(this.#project, NAME, this.#snapshotId) };
    const reply = await this.#client.post(this.#jobs, asked).catch(() => undefined);
    if (reply === undefined || reply.status >= 500) this.#unsure++;
    const jobs = await this.#ended();
    const job = jobs.find(({ id }) => id === (reply?.status === 200 ? reply.json().id : undefined));
    if (job === undefined) return;
    this.ended[job.failed ? 'failed' : 'well']++;
    if (!job.failed) await this.#compare(0);
    else if (written) await this.#compare(round, 0);
  }

  /** All that were begun, when none is under way. */
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

  /** All documents are of one of these rounds, and the index is there. */
  async #compare(...rounds: readonly number[]): Promise<void> {
    const barrels = this.#driver.db('hold').collection<Barrel>('barrels');
    const found = await until(
      'data that can be read',
      () =>
        barrels
          .find({})
          .sort({ _id: 1 })
          .toArray()
          .catch(() => undefined),
      (all) => all !== undefined,
      LIMIT_MS,
    );
    if (rounds.some((round) => isDeepStrictEqual(found, barrelsOf(round)))) return;
    const counts = Object.entries(Object.groupBy(found ?? [], ({ round }) => round));
    const said = counts.map(([round, all]) => `${all?.length} of round ${round}`).join(', ');
    this.findings.push(`after a restore there are ${said}, not all of ${rounds.join(' or ')}`);
  }

  /** When all is calm: one more, and as many as were asked for. */
  async close(): Promise<void> {
    const before = this.ended.well;
    await this.#round(0xffff);
    if (this.ended.well === before) this.findings.push('a restore has failed although nothing was wrong');
    const indexes = await this.#driver.db('hold').collection('barrels').listIndexes().toArray();
    const names = indexes.map(({ name }) => name).sort();
    if (!isDeepStrictEqual(names, ['_id_', 'by cargo'])) this.findings.push(`restored indexes: ${names}`);
    const jobs = (await this.#ended()).length;
    const known = this.ended.well + this.ended.failed;
    if (jobs < known || jobs > known + this.#unsure)
      this.findings.push(`${jobs} restores, not ${known} to ${known + this.#unsure}`);
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
      this.findings.push(`${jobs} restores, and events of ${requested} requests and ${ended} ends`);
  }
}
