import assert from 'node:assert/strict';
import { MongoClient, type Timestamp } from 'mongodb';
import type { RunningService } from '../../parity/service.ts';
import { addressOf } from './address.ts';
import { until } from './until.ts';

const VERSION = '2024-10-23';
const DATABASE = 'portolan_walk';
const USER = { username: 'portolan-walk', password: 'a walk along the quay' };
const PORTS = ['Lisbon', 'Genoa', 'Piran'].map((name, _id) => ({ _id, name }));

/** The databases of the sample data. */
const SAMPLES = ['sample_films', 'sample_places', 'sample_shops', 'sample_weather'];

/** Codes of errors that say what a deployment lacks. */
const REFUSALS = ['NOT_SUPPORTED_BY_ENGINE', 'PROCESS_ARGUMENT_NOT_ACCEPTED'];

type Body = Record<string, unknown>;

/** Thrown if the API refuses a request because the engine lacks a capability. */
class NotSupported extends Error {}

/** The steps of an adopted deployment from its adoption to its release. Each step returns a line of the report. */
export class AdoptedWalk implements AsyncDisposable {
  readonly #service: RunningService;
  readonly #uri: string;
  readonly #client: MongoClient;
  #id = '';
  #project = '';
  #snapshotId = '';

  constructor(service: RunningService, uri: string) {
    this.#service = service;
    this.#uri = uri;
    this.#client = new MongoClient(uri, { serverSelectionTimeoutMS: 10_000 });
  }

  async adopt(): Promise<string> {
    const { orgId } = this.#service;
    const { id: groupId } = await this.#send('POST', '/groups', { name: 'walk', orgId });
    this.#project = `/groups/${groupId}`;
    const wanted = { groupId, name: 'walk', ...addressOf(this.#uri) };
    const { status, body } = await this.#service.operator('POST', '/deployments', wanted);
    assert.equal(status, 201, JSON.stringify(body));
    const { id, topology, product, version, hosts } = body as Body;
    this.#id = String(id);
    await this.#idle();
    return `ok  adopted: ${topology} of ${product ?? 'version'} ${version} at ${hosts}`;
  }

  async write(): Promise<string> {
    await this.#client.db(DATABASE).dropDatabase();
    await this.#ports().insertMany(PORTS);
    return `ok  ${PORTS.length} documents were written`;
  }

  user(): Promise<string> {
    return this.#orRefusal('a database user', async () => {
      const roles = [{ roleName: 'read', databaseName: DATABASE }];
      await this.#send('POST', `${this.#project}/databaseUsers`, {
        ...{ ...USER, databaseName: 'admin', roles },
      });
      await this.#requires('users');
      await until('the user', () => this.#logsIn());
      return 'ok  a database user of the project logs in and reads';
    });
  }

  argument(): Promise<string> {
    return this.#orRefusal('a process argument', async () => {
      const path = `${this.#project}/clusters/walk/processArgs`;
      await this.#send('PATCH', path, { transactionLifetimeLimitSeconds: 61 });
      await this.#idle();
      const { refusedArguments } = await this.#deployment();
      assert.deepEqual(refusedArguments, []);
      const { transactionLifetimeLimitSeconds: seconds } = await this.#send('GET', path);
      assert.equal(seconds, 61);
      await this.#send('PATCH', path, { transactionLifetimeLimitSeconds: null });
      await this.#idle();
      return 'ok  a process argument was changed, and set back';
    });
  }

  pin(): Promise<string> {
    return this.#orRefusal('a pinned version', async () => {
      const path = `${this.#project}/clusters/walk`;
      const before = await this.#send('GET', path);
      for (const action of ['pin', 'unpin']) {
        await this.#send('POST', `${path}:${action}FeatureCompatibilityVersion`, {});
        await this.#idle();
      }
      const { refusedArguments } = await this.#deployment();
      assert.deepEqual(refusedArguments, []);
      return `ok  the feature compatibility version ${before.featureCompatibilityVersion} was pinned and unpinned`;
    });
  }

  /** Loads the sample data twice. The second load overwrites the documents. */
  sampleData(): Promise<string> {
    return this.#orRefusal('sample data', async () => {
      const path = `${this.#project}/sampleDatasetLoad`;
      for (const load of ['the first load', 'the second load']) {
        const { _id } = await this.#send('POST', `${path}/walk`);
        const { state, errorMessage } = await until(load, async () => {
          const found = await this.#send('GET', `${path}/${_id}`);
          return found.state === 'WORKING' ? undefined : found;
        });
        assert.equal(state, 'COMPLETED', `${load}: ${errorMessage}`);
      }
      return 'ok  the sample data was loaded twice';
    });
  }

  searchIndex(): Promise<string> {
    return this.#orRefusal('a search index', async () => {
      const path = `${this.#project}/clusters/walk/search/indexes`;
      const namespace = { database: DATABASE, collectionName: 'ports' };
      const definition = { mappings: { dynamic: true } };
      const { indexID } = await this.#send('POST', path, { ...namespace, name: 'walk', definition });
      const built = await until('the search index', async () => {
        const { status } = await this.#send('GET', `${path}/${indexID}`);
        return ['READY', 'FAILED', 'DOES_NOT_EXIST'].includes(String(status)) ? status : undefined;
      });
      assert.equal(built, 'READY');
      await this.#send('DELETE', `${path}/${indexID}`);
      await until('the end of the search index', async () => {
        const { status } = await this.#service.send('GET', `${path}/${indexID}`, VERSION);
        return status === 404 ? true : undefined;
      });
      return 'ok  a search index was built and dropped';
    });
  }

  snapshot(): Promise<string> {
    return this.#orRefusal('a snapshot', async () => {
      await this.#send('PATCH', `${this.#project}/clusters/walk`, { backupEnabled: true });
      await this.#idle();
      const { id, consistency, storageSizeBytes: bytes } = await this.#takeSnapshot();
      this.#snapshotId = String(id);
      return `ok  a snapshot of ${bytes} bytes was taken, with the consistency ${consistency}`;
    });
  }

  restore(): Promise<string> {
    return this.#orRefusal('a restore', async () => {
      assert.notEqual(this.#snapshotId, '', 'there is no snapshot');
      await this.#ports().drop();
      await this.#restoreTo({ deliveryType: 'automated', snapshotId: this.#snapshotId });
      assert.deepEqual(await this.#ports().find().sort({ _id: 1 }).toArray(), PORTS);
      return 'ok  a dropped collection was restored';
    });
  }

  /** Restores the moment between two changes that follow a snapshot. */
  pointInTime(): Promise<string> {
    return this.#orRefusal('continuous backup', async () => {
      await this.#send('PATCH', `${this.#project}/clusters/walk`, { pitEnabled: true });
      await this.#idle();
      await this.#takeSnapshot();
      await this.#ports().updateOne({ _id: 0 }, { $set: { name: 'Porto' } });
      const { operationTime } = await this.#client.db('admin').command({ listDatabases: 1, nameOnly: true });
      const { t: oplogTs, i: oplogInc } = operationTime as Timestamp;
      await this.#ports().drop();
      await this.#restoreTo({ deliveryType: 'pointInTime', oplogTs, oplogInc });
      const [first, ...others] = await this.#ports().find().sort({ _id: 1 }).toArray();
      assert.deepEqual([first?.name, others], ['Porto', PORTS.slice(1)]);
      return 'ok  a moment between two changes was restored';
    });
  }

  async #takeSnapshot(): Promise<Body> {
    const path = `${this.#project}/clusters/walk/backup/snapshots`;
    const { id } = await this.#send('POST', path, { description: 'walk', retentionInDays: 1 });
    const taken = await until('the snapshot', async () => {
      const found = await this.#send('GET', `${path}/${id}`);
      return ['completed', 'failed'].includes(String(found.status)) ? found : undefined;
    });
    assert.equal(taken.status, 'completed', await this.#reasonOf('CPS_SNAPSHOT_FAILED'));
    return taken;
  }

  async #restoreTo(from: Body): Promise<void> {
    const path = `${this.#project}/clusters/walk/backup/restoreJobs`;
    const target = { targetClusterName: 'walk', targetGroupId: this.#project.split('/').at(-1) };
    const { id } = await this.#send('POST', path, { ...from, ...target });
    const ended = await until('the restore', async () => {
      const found = await this.#send('GET', `${path}/${id}`);
      return found.finishedAt === undefined ? undefined : found;
    });
    assert.equal(ended.failed, false, await this.#reasonOf('CPS_RESTORE_FAILED'));
    await this.#idle();
  }

  measure(): Promise<string> {
    return this.#orRefusal('measurements', async () => {
      const { results } = await this.#send('GET', `${this.#project}/processes`);
      const [first] = results as Body[];
      const query = 'granularity=PT1M&period=PT1H&m=CONNECTIONS';
      const path = `${this.#project}/processes/${first?.id}/measurements?${query}`;
      const value = await until('a measurement', async () => {
        const { measurements } = await this.#send('GET', path);
        const points = (measurements as { dataPoints: { value: number | null }[] }[])[0]?.dataPoints ?? [];
        return points.find((point) => point.value !== null)?.value ?? undefined;
      });
      return `ok  ${first?.typeName} ${first?.id} has ${value} connections`;
    });
  }

  /** Opens an alert about the number of connections. */
  alert(): Promise<string> {
    return this.#orRefusal('an alert about connections', async () => {
      await this.#requires('measurements');
      const threshold = { operator: 'GREATER_THAN', threshold: 0, units: 'RAW', mode: 'AVERAGE' };
      await this.#send('POST', `${this.#project}/alertConfigs`, {
        ...{ eventTypeName: 'OUTSIDE_METRIC_THRESHOLD', enabled: true },
        metricThreshold: { metricName: 'CONNECTIONS', ...threshold },
        notifications: [{ typeName: 'EMAIL', emailAddress: 'watch@example.org', delayMin: 0 }],
      });
      const opened = await until('an alert', async () => {
        const { results } = await this.#send('GET', `${this.#project}/alerts?status=OPEN`);
        return (results as Body[]).find(({ metricName }) => metricName === 'CONNECTIONS');
      });
      return `ok  an alert about connections opened for ${opened.hostnameAndPort}`;
    });
  }

  logins(): Promise<string> {
    return this.#orRefusal('the login history', async () => {
      const path = `${this.#project}/dbAccessHistory/clusters/walk`;
      const logins = await until('a login', async () => {
        const { accessLogs } = await this.#send('GET', path);
        const { length } = accessLogs as Body[];
        return length > 0 ? length : undefined;
      });
      return `ok  the login history has ${logins} logins`;
    });
  }

  failover(): Promise<string> {
    return this.#orRefusal('a test failover', async () => {
      await this.#send('POST', `${this.#project}/clusters/walk/restartPrimaries`);
      await this.#idle();
      return 'ok  another member became primary';
    });
  }

  pause(): Promise<string> {
    return this.#orRefusal('a pause', async () => {
      await this.#send('PATCH', `${this.#project}/clusters/walk`, { paused: true });
      assert.fail('the service paused servers of others');
    });
  }

  /** Releases the deployment, which keeps its data. */
  async release(): Promise<string> {
    await this.#ports().insertOne({ _id: PORTS.length, name: 'Zadar' });
    const before = await this.#ports().find().toArray();
    const { status } = await this.#service.operator('DELETE', `/deployments/${this.#id}`);
    assert.equal(status, 204);
    await until('the end of the cluster', async () => {
      const reply = await this.#service.send('GET', `${this.#project}/clusters/walk`, VERSION);
      return reply.status === 404 ? true : undefined;
    });
    assert.deepEqual(await this.#ports().find().toArray(), before);
    return 'ok  the deployment was released, and its data is still there';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const database of [DATABASE, ...SAMPLES])
      await this.#client
        .db(database)
        .dropDatabase()
        .catch(() => {});
    await this.#client
      .db('admin')
      .command({ dropUser: USER.username })
      .catch(() => {});
    await this.#client.close();
  }

  #ports() {
    return this.#client.db(DATABASE).collection<(typeof PORTS)[number]>('ports');
  }

  /**
   * Runs a step, and returns its line. If the API refuses the step, returns a line with the capability that the
   * deployment lacks.
   */
  async #orRefusal(what: string, step: () => Promise<string>): Promise<string> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof NotSupported)) throw error;
      return `refused  ${what}: ${error.message}`;
    }
  }

  async #logsIn(): Promise<true | undefined> {
    const { username, password } = USER;
    const client = new MongoClient(this.#uri, { auth: { username, password }, authSource: 'admin' });
    try {
      await client.db(DATABASE).collection('ports').findOne();
      return true;
    } catch {
      return undefined;
    } finally {
      await client.close();
    }
  }

  async #reasonOf(type: string): Promise<string> {
    const { results } = await this.#send('GET', `${this.#project}/events?itemsPerPage=500`);
    const event = (results as Body[]).find(({ eventTypeName }) => eventTypeName === type);
    return `${type}: ${event?.reason}`;
  }

  async #deployment(): Promise<Body> {
    const { status, body } = await this.#service.operator('GET', `/deployments/${this.#id}`);
    assert.equal(status, 200);
    return body as Body;
  }

  /** Throws if the deployment lacks a capability that no request of the step would reject. */
  async #requires(capability: string): Promise<void> {
    const { missingCapabilities } = await this.#deployment();
    const lacks = (missingCapabilities as { name: string; reason: string }[]).find(
      ({ name }) => name === capability,
    );
    if (lacks !== undefined) throw new NotSupported(lacks.reason);
  }

  async #idle(): Promise<void> {
    await until('IDLE', async () => {
      const { stateName } = await this.#send('GET', `${this.#project}/clusters/walk`);
      return stateName === 'IDLE' ? true : undefined;
    });
  }

  async #send(method: string, path: string, body?: unknown): Promise<Body> {
    const reply = await this.#service.send(method, path, VERSION, body);
    const found = (reply.body ?? {}) as Body;
    if (REFUSALS.includes(String(found.errorCode))) throw new NotSupported(String(found.detail));
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${JSON.stringify(found)}`);
    return found;
  }
}
