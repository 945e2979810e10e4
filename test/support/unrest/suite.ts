import { backedUp } from '../backups.ts';
import { withDeaths } from '../deaths.ts';
import { allowAccess, driverFor, PATIENT } from '../drivers.ts';
import { until } from '../expect.ts';
import { withFullDisks } from '../full-disks.ts';
import { documentsOf, runGenerated } from '../generated/run.ts';
import { keepLogbook } from '../logbook.ts';
import type { DocumentSet } from '../openapi.ts';
import { startPostgres } from '../postgres.ts';
import { type PostgresProxy, startPostgresProxy } from '../postgres-proxy.ts';
import { together } from '../preloads.ts';
import { dice } from '../random.ts';
import { type Scope, scopeOf, temporaryFolder } from '../service.ts';
import { openSetup, type Setup } from '../setups.ts';
import { newCluster, newProject } from '../stage.ts';
import { Callers, isBroken } from './callers.ts';
import { Comparison } from './comparison.ts';
import { leftovers, unfinishedTasks, wrongStates } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { movesOf, watchMoves } from './moves.ts';
import { Restores } from './restores.ts';
import { Saboteur, whileItLasts } from './saboteur.ts';
import { STEADY } from './steady.ts';

export interface UnrestOptions {
  readonly seed: number;
  readonly database: 'SQLite' | 'PostgreSQL';
  /** How many things go wrong, one after another. */
  readonly troubles: number;
  /** Calls that each of them lasts for. */
  readonly lasting: number;
  readonly callers: number;
  /** Requests of every family beside, made from the documents, by so many callers. */
  readonly strangers: number;
  /** Whether a cluster is brought back from a snapshot all the time. */
  readonly restores: boolean;
}

export interface UnrestReport {
  readonly findings: readonly string[];
  readonly troubles: readonly string[];
  readonly outcomes: Callers['outcomes'];
  readonly things: number;
  /** Moves of states. */
  readonly moves: number;
  readonly generated: number;
  readonly documents: number;
  readonly transactions: number;
  readonly restores: Restores['ended'];
  /** The last warnings and errors of every instance. */
  readonly log: string;
}

const INSTANCES = 3;
const WRITERS = 1;

/**
 * Random changes by many callers while one thing after another goes wrong; whenever that is over, and at the end, all has
 * to be as the answers have said. All that is drawn follows from the seed.
 */
export async function unrest(test: Scope, options: UnrestOptions): Promise<UnrestReport> {
  const scope = scopeOf(test);
  const folder = await temporaryFolder(scope);
  const scene = await prepared(scope, options, folder);
  const { setup, callers, saboteur, restores } = scene;
  const described = await documentsOf(setup);
  let goesOn = true;
  const work = callers.work(() => goesOn);
  const generated = sendGenerated(setup, described, options, async () => {
    await callers.paused;
    return goesOn;
  });
  const findings: string[] = [];
  const restored = restores?.work(() => goesOn).catch((error: Error) => findings.push(error.message));
  try {
    for (let count = 0; count < options.troubles; count++) {
      await saboteur.trouble(() => whileItLasts(() => callers.calls, options.lasting));
      findings.push(...(await looked(() => moreCalls(scene, options.lasting))));
      await callers.pause();
      findings.push(...(await looked(() => compared(scene, false))));
      callers.resume();
    }
  } finally {
    goesOn = false;
    callers.resume();
  }
  await work;
  const { sent, findings: odd } = await generated;
  await restored;
  findings.push(...callers.findings, ...odd.filter((finding) => !isTrouble(finding)));
  return { ...(await ended(scene, findings)), generated: sent };
}

interface Scene {
  readonly setup: Setup;
  readonly proxy: PostgresProxy | undefined;
  readonly callers: Callers;
  readonly saboteur: Saboteur;
  readonly comparison: Comparison;
  readonly logbook: ReturnType<typeof keepLogbook>;
  readonly ledger: Ledger;
  readonly restores: Restores | undefined;
}

/** Everybody, before anything goes wrong. */
async function prepared(scope: Scope, options: UnrestOptions, folder: string): Promise<Scene> {
  const { seed } = options;
  const { setup, database, proxy } = await open(scope, options, folder);
  await watchMoves(setup);
  const project = await newProject(setup);
  const steady = await newCluster(setup, project, STEADY, backedUp);
  await allowAccess(setup, project, steady);
  const driver = await driverFor(setup, steady, PATIENT);
  scope.after(() => driver.close());
  const ledger = new Ledger(driver);
  scope.after(() => ledger.stop());
  await ledger.begin(WRITERS, seed);
  const restores = options.restores ? await Restores.begin(scope, setup, project) : undefined;
  const place = { project, orgId: setup.bootstrap.orgId };
  const comparison = new Comparison(setup, place);
  await comparison.begin();
  const logbook = keepLogbook(scope, driver);
  // The collection that is searched is there from now on, whatever goes wrong.
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
    callers: new Callers(place, clients, seed),
    saboteur: new Saboteur({
      ...{ setup, chance: dice(seed ^ 0x5eed), folder },
      ...(database && proxy && { database: { ...database, proxy } }),
    }),
  };
}

/** The end: all comes to rest, and is looked at. */
async function ended(scene: Scene, found: readonly string[]): Promise<Omit<UnrestReport, 'generated'>> {
  const { setup, callers, saboteur, ledger, logbook, restores } = scene;
  const findings = [
    ...found,
    ...(await looked(() => unfinishedTasks(setup))),
    ...(await looked(() => wrongStates(setup))),
    ...(await looked(() => compared(scene, true))),
    ...(await looked(() => leftovers(setup))),
  ];
  const told = (error: Error) => {
    findings.push(error.message);
    return 0;
  };
  const documents = await logbook.close().catch(told);
  const transactions = await ledger.close().catch(told);
  await restores?.close().catch(told);
  const { seen, wrong } = await movesOf(setup);
  return {
    findings: [...findings, ...ledger.findings, ...(restores?.findings ?? []), ...wrong],
    troubles: saboteur.done,
    outcomes: callers.outcomes,
    things: callers.things.length,
    moves: seen,
    documents,
    transactions,
    restores: restores?.ended ?? { well: 0, failed: 0 },
    log: setup.instances.map((instance) => lastWarnings(instance.log())).join('\n'),
  };
}

async function open(scope: Scope, { database: kind }: UnrestOptions, folder: string) {
  const environment = together(withDeaths(folder), withFullDisks);
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
    // Tests that read rows connect directly.
    instanceSettings: Array.from({ length: INSTANCES }, () => ({ database: proxy.url })),
  });
  return { setup, database, proxy };
}

async function sendGenerated(
  setup: Setup,
  documents: DocumentSet,
  { strangers, seed }: UnrestOptions,
  goesOn: () => Promise<boolean>,
) {
  if (strangers === 0) return { sent: 0, findings: [] };
  const requests = Number.POSITIVE_INFINITY;
  return runGenerated({ setup, documents, seed, requests, concurrency: strangers, goesOn });
}

/**
 * Restarts killed instances. One may die at a step after the others were restarted. An instance that ends by itself is
 * not restarted.
 */
async function startKilled(setup: Setup): Promise<void> {
  const gone = setup.instances.filter((instance) => !instance.isRunning());
  const codes = await Promise.all(gone.map(({ ended }) => ended));
  if (codes.length > 0 && codes.every((code) => code === null)) await setup.start();
}

/** So many calls more, while nothing is wrong. */
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

/** What an instance that is not ready has said last. */
function lastOf(instance: Setup['instances'][number]): string {
  const state = instance.isRunning() ? 'runs' : 'has ended';
  return `the service ${instance.pid} ${state}: ${instance.log().trimEnd().split('\n').slice(-5).join('\n')}`;
}

/** What is not as the answers have said, once no call can be carried out any more. */
async function compared(scene: Scene, atRest: boolean): Promise<string[]> {
  await nothingUnderWay(scene);
  return scene.comparison.findings(scene.callers.things, atRest);
}

const READY_MS = 60_000;

/**
 * Waits until no call can be carried out any more although its answer never came. A service that was killed does nothing
 * any more, but the database may be at what it was sent last. One that lives may not have noticed that its caller is gone:
 * it tells how many requests it works on. What has come to it before this question is read before the answer to it; so
 * when it says twice that there is none, there is none.
 */
async function nothingUnderWay({ setup, proxy }: Pick<Scene, 'setup' | 'proxy'>): Promise<void> {
  const ready = { method: 'GET', target: '/readyz' };
  const metrics = { method: 'GET', target: '/metrics' };
  for (const index of setup.instances.keys()) {
    await until(
      'a service that is ready',
      async () => {
        // One that is started anew has another port, and another connection.
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
        'a service with nothing under way',
        async () => setup.connections[index]?.send(metrics),
        (reply) => /^http_requests_in_flight 0$/m.test(reply?.text ?? ''),
        READY_MS,
      );
  }
  await proxy?.settled();
}

/** What cannot even be looked at is a finding, too. */
const looked = (look: () => Promise<string[]>): Promise<string[]> =>
  look().catch((error: Error) => [error.message]);

/** The errors that callers see while a part is unavailable. */
function isTrouble(finding: string): boolean {
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
