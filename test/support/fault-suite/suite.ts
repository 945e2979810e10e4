import { backedUp } from '../backups.ts';
import { withCrashes } from '../crashes.ts';
import { allowAccess, driverFor } from '../drivers.ts';
import { mergeEnvironments } from '../environments.ts';
import { until } from '../expect.ts';
import { withFullDisks } from '../full-disks.ts';
import { documentsOf, runGenerated } from '../generated/run.ts';
import { keepLogbook } from '../logbook.ts';
import type { DocumentSet } from '../openapi.ts';
import { startPostgres } from '../postgres.ts';
import { type PostgresProxy, startPostgresProxy } from '../postgres-proxy.ts';
import { dice } from '../random.ts';
import { type Scope, scopeOf, temporaryFolder } from '../service.ts';
import { openSetup, type Setup } from '../setups.ts';
import { newCluster, newProject } from '../stage.ts';
import { Callers, isBroken } from './callers.ts';
import { Comparison } from './comparison.ts';
import { FaultInjector, waitForProgress } from './fault-injector.ts';
import { leftovers, unfinishedTasks, wrongStates } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { Restores } from './restores.ts';
import { STEADY } from './steady-cluster.ts';
import { readTransitions, recordTransitions } from './transitions.ts';

export interface FaultSuiteOptions {
  readonly seed: number;
  readonly database: 'SQLite' | 'PostgreSQL';
  /** How many faults occur, one after another. */
  readonly faults: number;
  /** The duration of each fault, as a number of calls. */
  readonly callsPerFault: number;
  readonly callers: number;
  /** How many callers send requests that are generated from the OpenAPI documents. */
  readonly generatedCallers: number;
  /** Whether a cluster is restored from a snapshot throughout the run. */
  readonly restores: boolean;
}

export interface FaultSuiteReport {
  readonly findings: readonly string[];
  readonly faults: readonly string[];
  readonly outcomes: Callers['outcomes'];
  readonly resources: number;
  /** How many state transitions were recorded. */
  readonly transitions: number;
  readonly generated: number;
  readonly documents: number;
  readonly transactions: number;
  readonly restores: Restores['ended'];
  /** The last warnings and errors of every instance. */
  readonly log: string;
}

const INSTANCES = 3;
/**
 * How long a driver looks for a server before an operation fails. Writers repeat failed operations. With a longer
 * limit, the whole suite could have to wait for a single operation.
 */
const SELECTION_MS = 15_000;
const WRITERS = 1;

/**
 * Runs callers that make random changes while faults occur one after another. After each fault, and at the end, all
 * resources must have states that the responses permit. The seed determines all random choices.
 */
export async function runFaultSuite(test: Scope, options: FaultSuiteOptions): Promise<FaultSuiteReport> {
  const scope = scopeOf(test);
  const folder = await temporaryFolder(scope);
  const scene = await prepared(scope, options, folder);
  const { setup, callers, injector, restores } = scene;
  const described = await documentsOf(setup);
  let isRunning = true;
  const work = callers.work(() => isRunning);
  const generated = sendGenerated(setup, described, options, async () => {
    await callers.paused;
    return isRunning;
  });
  const findings: string[] = [];
  const restored = restores?.work(() => isRunning).catch((error: Error) => findings.push(error.message));
  try {
    for (let count = 0; count < options.faults; count++) {
      await injector.inject(() => waitForProgress(() => callers.calls, options.callsPerFault));
      findings.push(...(await orFinding(() => moreCalls(scene, options.callsPerFault))));
      await callers.pause();
      findings.push(...(await orFinding(() => compared(scene, false))));
      callers.resume();
    }
  } finally {
    isRunning = false;
    callers.resume();
  }
  await work;
  const { sent, findings: unexpected } = await generated;
  await restored;
  findings.push(...callers.findings, ...unexpected.filter((finding) => !isUnavailability(finding)));
  return { ...(await ended(scene, findings)), generated: sent };
}

interface Scene {
  readonly setup: Setup;
  readonly proxy: PostgresProxy | undefined;
  readonly callers: Callers;
  readonly injector: FaultInjector;
  readonly comparison: Comparison;
  readonly logbook: ReturnType<typeof keepLogbook>;
  readonly ledger: Ledger;
  readonly restores: Restores | undefined;
}

/** Starts services, drivers and callers before the first fault. */
async function prepared(scope: Scope, options: FaultSuiteOptions, folder: string): Promise<Scene> {
  const { seed } = options;
  const { setup, database, proxy } = await open(scope, options, folder);
  await recordTransitions(setup);
  const project = await newProject(setup);
  const steady = await newCluster(setup, project, STEADY, backedUp);
  await allowAccess(setup, project, steady);
  const driver = await driverFor(setup, steady, { serverSelectionTimeoutMS: SELECTION_MS });
  scope.after(() => driver.close());
  const ledger = new Ledger(driver);
  scope.after(() => ledger.stop());
  await ledger.begin(WRITERS, seed);
  const restores = options.restores ? await Restores.begin(scope, setup, project) : undefined;
  const target = { project, orgId: setup.bootstrap.orgId };
  const comparison = new Comparison(setup, target);
  await comparison.begin();
  const logbook = keepLogbook(scope, driver);
  // Wait, so that the collection with the search indexes exists.
  await until(
    'the first writes of drivers',
    async () => Math.min(logbook.acknowledged.length, ledger.acknowledged),
    (least) => least > 0,
    READY_MS,
  );
  const clients = Array.from({ length: options.callers }, (_, index) =>
    setup.accountAt(index % setup.instances.length),
  );
  return {
    ...{ setup, proxy, logbook, ledger, restores, comparison },
    callers: new Callers(target, clients, seed),
    injector: new FaultInjector({
      ...{ setup, chance: dice(seed ^ 0x5eed), folder },
      ...(database && proxy && { database: { ...database, proxy } }),
    }),
  };
}

/** Waits until all work has ended, and runs all checks. */
async function ended(scene: Scene, found: readonly string[]): Promise<Omit<FaultSuiteReport, 'generated'>> {
  const { setup, callers, injector, ledger, logbook, restores } = scene;
  const findings = [
    ...found,
    ...(await orFinding(() => unfinishedTasks(setup))),
    ...(await orFinding(() => wrongStates(setup))),
    ...(await orFinding(() => compared(scene, true))),
    ...(await orFinding(() => leftovers(setup))),
  ];
  const report = (error: Error) => {
    findings.push(error.message);
    return 0;
  };
  const documents = await logbook.close().catch(report);
  const transactions = await ledger.close().catch(report);
  await restores?.close().catch(report);
  const { count, wrong } = await readTransitions(setup);
  return {
    findings: [...findings, ...ledger.findings, ...(restores?.findings ?? []), ...wrong],
    faults: injector.injected,
    outcomes: callers.outcomes,
    resources: callers.resources.length,
    transitions: count,
    documents,
    transactions,
    restores: restores?.ended ?? { succeeded: 0, failed: 0 },
    log: setup.instances.map((instance) => lastWarnings(instance.log())).join('\n'),
  };
}

async function open(scope: Scope, { database: kind }: FaultSuiteOptions, folder: string) {
  const environment = mergeEnvironments(withCrashes(folder), withFullDisks);
  if (kind === 'SQLite') {
    const setup = await openSetup(scope, 'SQLite, one instance', { environment, expectedErrors: /./ });
    return { setup, database: undefined, proxy: undefined };
  }
  const database = await startPostgres();
  scope.after(() => database.stop());
  const proxy = await startPostgresProxy(database.url);
  scope.after(() => proxy.close());
  const setup = await openSetup(scope, 'PostgreSQL, two instances', {
    environment,
    expectedErrors: /./,
    instances: INSTANCES,
    database: database.url,
    // Only instances connect through the proxy. Tests that read rows connect to the server directly.
    instanceSettings: Array.from({ length: INSTANCES }, () => ({ database: proxy.url })),
  });
  return { setup, database, proxy };
}

async function sendGenerated(
  setup: Setup,
  documents: DocumentSet,
  { generatedCallers, seed }: FaultSuiteOptions,
  shouldContinue: () => Promise<boolean>,
) {
  if (generatedCallers === 0) return { sent: 0, findings: [] };
  const requests = Number.POSITIVE_INFINITY;
  return runGenerated({ setup, documents, seed, requests, concurrency: generatedCallers, shouldContinue });
}

/**
 * Restarts killed instances. Repeats this, since an instance may crash at a planned step after the others have been
 * restarted. An instance that has ended by itself is not restarted.
 */
async function startKilled(setup: Setup): Promise<void> {
  const gone = setup.instances.filter((instance) => !instance.isRunning());
  const codes = await Promise.all(gone.map(({ ended }) => ended));
  if (codes.length > 0 && codes.every((code) => code === null)) await setup.start();
}

/** Waits for `count` calls, without causing a fault. */
async function moreCalls({ setup, callers }: Scene, count: number): Promise<string[]> {
  const before = callers.calls;
  await until(
    `${count} calls`,
    async () => {
      await startKilled(setup);
      return callers.calls - before;
    },
    (done) => done >= count,
    READY_MS,
  );
  return [];
}

/** Returns the last log lines of an instance that is not ready. */
function lastOf(instance: Setup['instances'][number]): string {
  const state = instance.isRunning() ? 'runs' : 'has ended';
  return `the service ${instance.pid} ${state}: ${instance.log().trimEnd().split('\n').slice(-5).join('\n')}`;
}

/** Compares resources and events with the responses, as soon as no call can be applied any more. */
async function compared(scene: Scene, atRest: boolean): Promise<string[]> {
  await waitUntilIdle(scene);
  return scene.comparison.findings(scene.callers.resources, atRest);
}

const READY_MS = 360_000;

/**
 * Waits until no call without a response can be applied any more. A killed service does nothing further, but the
 * database may still execute the last statement of the service. A running service may not have noticed that its caller
 * has disconnected, so this function reads its metrics. They count the requests that arrived before the metrics were
 * read, so two readings of zero mean that no request is in progress.
 */
async function waitUntilIdle({ setup, proxy }: Pick<Scene, 'setup' | 'proxy'>): Promise<void> {
  const ready = { method: 'GET', target: '/readyz' };
  const metrics = { method: 'GET', target: '/metrics' };
  for (const index of setup.instances.keys()) {
    await until(
      'a ready service',
      async () => {
        // A restarted instance has another port, and so another connection.
        await startKilled(setup);
        return setup.connections[index]?.send(ready).catch(() => undefined);
      },
      (reply) => reply?.status === 200,
      READY_MS,
    ).catch((error: Error) => {
      throw new Error(`${error.message}\n${setup.instances.map(lastOf).join('\n')}`);
    });
    for (let times = 0; times < 2; times++)
      await until(
        'a service without requests in progress',
        async () => setup.connections[index]?.send(metrics),
        (reply) => /^http_requests_in_flight 0$/m.test(reply?.text ?? ''),
        READY_MS,
      );
  }
  await proxy?.settled();
}

/** Converts the error of a check to a finding. */
const orFinding = (check: () => Promise<string[]>): Promise<string[]> =>
  check().catch((error: Error) => [error.message]);

/** Whether a finding is an error that callers may see while a part of the service is unavailable. */
function isUnavailability(finding: string): boolean {
  return isBroken(finding) || /\b503 (\{.*SERVICE_UNAVAILABLE|$)/s.test(finding);
}

const WARNING = 40;
const LINES = 40;

function lastWarnings(log: string): string {
  const lines = log.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
  return lines
    .filter((line) => JSON.parse(line).level >= WARNING)
    .slice(-LINES)
    .join('\n');
}
