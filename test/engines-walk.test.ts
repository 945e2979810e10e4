import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { MongoClient } from 'mongodb';
import { adopt, DEPLOYMENTS } from './support/adopted-cluster.ts';
import { otherServer } from './support/adopted-engine.ts';
import { backedUp, into, type RestoreDocument, type SnapshotDocument } from './support/backups.ts';
import { customerCertificate } from './support/customer-certificate.ts';
import { connectDriver, driverFor, LONG_TIMEOUTS, newUser, SAILOR } from './support/drivers.ts';
import { claimsOf } from './support/engine-claims.ts';
import { expectStatus, until } from './support/expect.ts';
import { openGround } from './support/kubernetes/ground.ts';
import type { StoredObject } from './support/kubernetes/objects.ts';
import { type PlayedOperator, playedOperator } from './support/kubernetes/played-operator.ts';
import { scopeOf, temporaryFolder } from './support/service.ts';
import { openSetup, type Setup, type SetupOptions } from './support/setups.ts';
import {
  applied,
  clusterBody,
  gone,
  idIn,
  idle,
  type ListDocument,
  moveClock,
  newProject,
} from './support/stage.ts';

/*
 * The walkthrough of the README on each engine: a project, a cluster, a user, writes, a snapshot, a drop, a restore, an
 * alert, a pause and the end of the cluster. The steps are the same; an engine differs only in what `Ground` contains.
 */

/** What the walk needs from the world outside the service. */
interface Ground {
  /** Creates the cluster of the walk, and waits until it is idle. */
  create(project: string, cluster: string): Promise<void>;
  /** Connects as the user of the project. Undefined if there are no servers. */
  login?(cluster: string): Promise<MongoClient>;
  /** Does what the world outside does after a change of the cluster or of the users. */
  changed?(project: string, what: Changed): Promise<void>;
  /** Does what the world outside does for a snapshot or a restore. */
  worked?(kind: 'snapshot' | 'restore', id: string): Promise<void>;
  /** Ends the cluster. */
  end(project: string, cluster: string): Promise<void>;
}

type Changed = 'created' | 'users' | 'paused' | 'resumed';

const PORTS = ['Lisbon', 'Genoa', 'Piran'].map((name, _id) => ({ _id, name }));
const portsOf = (driver: MongoClient) => driver.db('harbour').collection<(typeof PORTS)[number]>('ports');

/** The alerts that open during the walk. The first one requires that the service can measure the servers. */
const METRIC = {
  eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
  metricThreshold: {
    ...{ metricName: 'CONNECTIONS', operator: 'GREATER_THAN', threshold: 0 },
    ...{ units: 'RAW', mode: 'AVERAGE' },
  },
};
const OLD_SNAPSHOT = {
  eventTypeName: 'CPS_PREV_SNAPSHOT_OLD',
  threshold: { operator: 'GREATER_THAN', threshold: 1, units: 'HOURS' },
};

class Walk {
  readonly #setup: Setup;
  readonly #ground: Ground;
  readonly #claims: readonly string[];
  readonly #project: string;
  readonly #cluster: string;
  #driver: MongoClient | undefined;

  constructor(
    setup: Setup,
    ground: Ground,
    found: { readonly claims: readonly string[]; readonly project: string },
  ) {
    this.#setup = setup;
    this.#ground = ground;
    this.#claims = found.claims;
    this.#project = found.project;
    this.#cluster = `${found.project}/clusters/quay`;
  }

  async run(): Promise<void> {
    await this.#ground.create(this.#project, this.#cluster);
    await this.#user();
    try {
      await this.#write();
      const snapshotId = await this.#snapshot();
      await this.#restore(snapshotId);
      await this.#alert();
      await this.#pause();
    } finally {
      await this.#driver?.close();
    }
    await this.#ground.end(this.#project, this.#cluster);
    await gone(this.#setup.owner, this.#cluster);
  }

  async #user(): Promise<void> {
    const { owner } = this.#setup;
    await newUser(this.#setup, this.#project, SAILOR.username);
    expectStatus(await owner.post(`${this.#project}/accessList`, [{ ipAddress: '127.0.0.1' }]), 201);
    await this.#ground.changed?.(this.#project, 'users');
    await applied(owner, this.#cluster);
    this.#driver = await this.#ground.login?.(this.#cluster);
  }

  async #write(): Promise<void> {
    if (this.#driver !== undefined) await portsOf(this.#driver).insertMany(PORTS);
  }

  async #snapshot(): Promise<string> {
    const { owner } = this.#setup;
    const path = `${this.#cluster}/backup/snapshots`;
    const { id } = expectStatus<SnapshotDocument>(await owner.post(path, { retentionInDays: 2 }), 200);
    await this.#ground.worked?.('snapshot', id);
    const { status } = await until(
      'the snapshot',
      async () => expectStatus<SnapshotDocument>(await owner.get(`${path}/${id}`), 200),
      (found) => ['completed', 'failed'].includes(found.status),
    );
    assert.equal(status, 'completed');
    return id;
  }

  /** Drops the data, and restores it. */
  async #restore(snapshotId: string): Promise<void> {
    const { owner } = this.#setup;
    if (this.#driver !== undefined) await portsOf(this.#driver).drop();
    const path = `${this.#cluster}/backup/restoreJobs`;
    const wanted = { deliveryType: 'automated', ...into(this.#project, 'quay', snapshotId) };
    const { id } = expectStatus<RestoreDocument>(await owner.post(path, wanted), 200);
    await this.#ground.worked?.('restore', id);
    const { failed } = await until(
      'the restore',
      async () => expectStatus<RestoreDocument>(await owner.get(`${path}/${id}`), 200),
      ({ finishedAt }) => finishedAt !== undefined,
    );
    assert.equal(failed, false);
    await idle(owner, this.#cluster);
    if (this.#driver === undefined) return;
    assert.deepEqual(await portsOf(this.#driver).find().sort({ _id: 1 }).toArray(), PORTS);
  }

  async #alert(): Promise<void> {
    const { owner } = this.#setup;
    const wanted = this.#claims.includes('Measurements') ? [METRIC, OLD_SNAPSHOT] : [OLD_SNAPSHOT];
    const notifications = [{ typeName: 'EMAIL', emailAddress: 'watch@example.org', delayMin: 0 }];
    for (const body of wanted) {
      const config = { ...body, enabled: true, notifications };
      expectStatus(await owner.post(`${this.#project}/alertConfigs`, config), 201);
    }
    await moveClock(this.#setup, 2 * 3600);
    await until(
      'the alerts',
      async () => {
        await moveClock(this.#setup, 1);
        const reply = await owner.get(`${this.#project}/alerts?status=OPEN`);
        return expectStatus<ListDocument<{ eventTypeName: string }>>(reply, 200).results;
      },
      (open) =>
        wanted.every(({ eventTypeName }) => open.some((alert) => alert.eventTypeName === eventTypeName)),
    );
  }

  /** Pauses and resumes the cluster, or checks that the engine refuses this with its name and the reason. */
  async #pause(): Promise<void> {
    const { owner } = this.#setup;
    if (!this.#claims.includes('Pausing and resuming')) {
      const reply = await owner.patch(this.#cluster, { paused: true });
      const { errorCode, parameters } = expectStatus<{ errorCode: string; parameters: string[] }>(reply, 400);
      assert.equal(errorCode, 'NOT_SUPPORTED_BY_ENGINE');
      assert.deepEqual(parameters.slice(1, 2), ['pausing and resuming']);
      return;
    }
    for (const paused of [true, false]) {
      expectStatus(await owner.patch(this.#cluster, { paused }), 200);
      await this.#ground.changed?.(this.#project, paused ? 'paused' : 'resumed');
      assert.equal((await idle(owner, this.#cluster)).paused, paused);
    }
    if (this.#driver === undefined) return;
    await until(
      'the data',
      () => this.#count(),
      (count) => count === PORTS.length,
    );
  }

  /** Counts the documents by a new driver, because the pause has ended all connections. */
  async #count(): Promise<number> {
    const driver = await driverFor(this.#setup, this.#cluster, LONG_TIMEOUTS);
    try {
      return await portsOf(driver).countDocuments();
    } finally {
      await driver.close();
    }
  }
}

const createBody = clusterBody('quay', backedUp);

async function embeddedGround({ owner }: Setup): Promise<Ground> {
  return {
    async create(project, cluster) {
      expectStatus(await owner.post(`${project}/clusters`, createBody), 201);
      await idle(owner, cluster);
    },
    login: async (cluster) => {
      const { connectionStrings } = await idle(owner, cluster);
      return connectDriver(connectionStrings.standard ?? '', LONG_TIMEOUTS);
    },
    end: async (_, cluster) => void expectStatus(await owner.delete(cluster), 202),
  };
}

describe('the walkthrough of the README on each engine', () => {
  const scope = scopeOf({ after });

  async function walks(
    engine: string,
    groundOf: (setup: Setup) => Promise<Ground>,
    options: SetupOptions = {},
  ): Promise<void> {
    const opened = await openSetup(scope, 'SQLite, one instance', options);
    const setup = { ...opened, owner: opened.account };
    const project = await newProject(setup);
    const claims = await claimsOf(engine);
    await new Walk(setup, await groundOf(setup), { claims, project }).run();
  }

  test('embedded', () => walks('embedded', embeddedGround));

  test('adopted: a server with authentication and TLS', async () => {
    const tls = await customerCertificate('CN=harbour', ['127.0.0.1']);
    const { uri } = await otherServer(scope, tls);
    const connectionString = uri.replace(/&tlsCAFile=.*$/, '');
    let id = '';
    await walks('adopted', async (setup) => ({
      async create(project, cluster) {
        const body = { groupId: idIn(project), name: 'quay', connectionString, caCertificate: tls.authority };
        ({ id } = expectStatus<{ id: string }>(await adopt(setup, body), 201));
        await idle(setup.owner, cluster);
        expectStatus(await setup.owner.patch(cluster, backedUp), 200);
        await idle(setup.owner, cluster);
      },
      login: () => connectDriver(uri, { ...LONG_TIMEOUTS, auth: SAILOR, authSource: 'admin' }),
      end: async () => void expectStatus(await setup.operator.delete(`${DEPLOYMENTS}/${id}`), 204),
    }));
  });

  describe('kubernetes', () => {
    const BUCKET = {
      ...{ type: 's3', s3: { bucket: 'logbooks', region: 'us-west-2' } },
      credentials: { AWS_ACCESS_KEY_ID: 'pilot', AWS_SECRET_ACCESS_KEY: 'the key of the storehouse' },
    };
    let operator: PlayedOperator;
    let settings: NonNullable<SetupOptions['settings']>;
    before(async () => {
      const ground = await openGround(scope);
      operator = playedOperator(ground);
      const backups = join(await temporaryFolder(scope), 'backups.json');
      await writeFile(backups, JSON.stringify(BUCKET));
      const { service } = ground.kubeconfigs;
      settings = { engine: 'kubernetes', kubeconfig: service, 'kubernetes-backups': backups };
    });

    // There are no servers, so no driver writes and reads. The test writes the statuses that the operator would write.
    test('up to its resources', () =>
      walks(
        'kubernetes',
        async ({ owner, keepOutOfLogs }) => {
          keepOutOfLogs(BUCKET.credentials.AWS_SECRET_ACCESS_KEY);
          const changed = async (project: string, what: Changed) =>
            operator.ready(
              await operator.cluster(project, ({ spec }) => shows(spec, what)),
              what === 'paused' ? { state: 'paused' } : {},
            );
          return {
            async create(project, cluster) {
              expectStatus(await owner.post(`${project}/clusters`, createBody), 201);
              await changed(project, 'created');
              await idle(owner, cluster);
            },
            changed,
            worked: async (kind, id) => operator.end(kind, id, { state: 'ready', ...resultOf(kind) }),
            async end(project, cluster) {
              expectStatus(await owner.delete(cluster), 202);
              await operator.finish(
                await operator.cluster(project, ({ metadata }) => metadata.deletionTimestamp !== undefined),
              );
            },
          };
        },
        { settings },
      ));
  });
});

/** What the operator reports at the end of a snapshot, in addition to its state. */
const resultOf = (kind: 'snapshot' | 'restore') =>
  kind === 'restore'
    ? {}
    : {
        ...{ size: '2.00MB', destination: 's3://logbooks/x', type: 'logical' },
        lastWriteAt: `${new Date().toISOString().slice(0, 19)}Z`,
      };

/** Whether a resource contains a change. */
function shows(spec: StoredObject['spec'], what: Changed): boolean {
  if (what === 'created') return true;
  if (what === 'users') return (spec?.users as readonly object[] | undefined)?.length === 1;
  return (spec?.pause === true) === (what === 'paused');
}
