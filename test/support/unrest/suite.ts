import { backedUp } from '../backups.ts';
import { withDeaths } from '../deaths.ts';
import { driverFor, letIn, PATIENT } from '../drivers.ts';
import { until } from '../expect.ts';
import { withFullDisks } from '../full-disks.ts';
import { documentsOf, runGenerated } from '../generated/run.ts';
import { keepLogbook } from '../logbook.ts';
import type { DocumentSet } from '../openapi.ts';
import { startPostgres } from '../postgres.ts';
import { together } from '../preloads.ts';
import { dice } from '../random.ts';
import { type Scope, scopeOf, temporaryFolder } from '../service.ts';
import { openSetup, type Setup } from '../setups.ts';
import { newCluster, newProject } from '../stage.ts';
import { Callers, isBroken } from './callers.ts';
import { leftovers, unfinishedTasks, wrongEvents, wrongFates, wrongStates } from './invariants.ts';
import { Saboteur, type Trouble, whileItLasts } from './saboteur.ts';
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
}

export interface UnrestReport {
  readonly findings: readonly string[];
  readonly troubles: readonly Trouble[];
  readonly outcomes: Callers['outcomes'];
  readonly things: number;
  readonly generated: number;
  readonly documents: number;
  /** The last warnings and errors of every instance. */
  readonly log: string;
}

const INSTANCES = 3;

/**
 * Random changes by many callers while one thing after another goes wrong; then everything has to be as the answers have
 * said. All that is drawn follows from the seed.
 */
export async function unrest(test: Scope, options: UnrestOptions): Promise<UnrestReport> {
  const scope = scopeOf(test);
  const folder = await temporaryFolder(scope);
  const { setup, database } = await open(scope, options, folder);
  const project = await newProject(setup);
  const steady = await newCluster(setup, project, STEADY, backedUp);
  await letIn(setup, project, steady);
  const driver = await driverFor(setup, steady, PATIENT);
  scope.after(() => driver.close());
  const logbook = keepLogbook(scope, driver);

  const place = { project, orgId: setup.bootstrap.orgId };
  const clients = Array.from({ length: options.callers }, (_, index) =>
    setup.accountAt(index % setup.instances.length),
  );
  const callers = new Callers(place, clients, options.seed);
  const saboteur = new Saboteur({
    setup,
    chance: dice(options.seed ^ 0x5eed),
    folder,
    ...(database && { database }),
  });
  const described = await documentsOf(setup);
  let goesOn = true;
  const work = callers.work(Number.POSITIVE_INFINITY, () => goesOn);
  const generated = sendGenerated(setup, described, options, () => goesOn);
  try {
    for (let count = 0; count < options.troubles; count++) {
      await saboteur.trouble(() => whileItLasts(() => callers.calls, options.lasting));
      await whileItLasts(() => callers.calls, options.lasting);
    }
  } finally {
    goesOn = false;
  }
  await work;
  const { sent, findings: odd } = await generated;
  await calm(setup);
  const findings = [
    ...callers.findings,
    ...odd.filter((finding) => !isTrouble(finding)),
    ...(await looked(() => unfinishedTasks(setup))),
    ...(await looked(() => wrongStates(setup))),
    ...(await looked(() => wrongFates(setup, place, callers.things))),
    ...(await looked(() => wrongEvents(setup, place, callers.things))),
    ...(await looked(() => leftovers(setup))),
  ];
  const documents = await logbook.close().catch((error: Error) => {
    findings.push(error.message);
    return 0;
  });
  const { outcomes, things } = callers;
  const log = setup.instances.map((instance) => lastWarnings(instance.log())).join('\n');
  return {
    log,
    findings,
    troubles: saboteur.done,
    outcomes,
    things: things.length,
    generated: sent,
    documents,
  };
}

async function open(scope: Scope, { database: kind }: UnrestOptions, folder: string) {
  const environment = together(withDeaths(folder), withFullDisks);
  if (kind === 'SQLite') {
    const setup = await openSetup(scope, 'SQLite, one instance', { environment, expectedErrors: /./ });
    return { setup, database: undefined };
  }
  const database = await startPostgres();
  scope.after(() => database.stop());
  const setup = await openSetup(scope, 'PostgreSQL, two instances', {
    environment,
    expectedErrors: /./,
    instances: INSTANCES,
    database: database.url,
  });
  return { setup, database };
}

async function sendGenerated(
  setup: Setup,
  documents: DocumentSet,
  { strangers, seed }: UnrestOptions,
  goesOn: () => boolean,
) {
  if (strangers === 0) return { sent: 0, findings: [] };
  const requests = Number.POSITIVE_INFINITY;
  return runGenerated({ setup, documents, seed, requests, concurrency: strangers, goesOn });
}

/** Waits until every instance says that it is ready; connections that were broken are replaced on the way. */
async function calm({ connections }: Setup): Promise<void> {
  const ready = { method: 'GET', target: '/readyz' };
  for (const connection of connections)
    await until(
      'a service that is ready',
      () => connection.send(ready).catch(() => undefined),
      (reply) => reply?.status === 200,
      60_000,
    );
}

/** What cannot even be looked at is a finding, too. */
const looked = (look: () => Promise<string[]>): Promise<string[]> =>
  look().catch((error: Error) => [error.message]);

/** What people are told while something is away. */
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
