/**
 * `npm run suites -- NAME --source FOLDER` runs a client's own test suite against a new engine. FOLDER contains a clone
 * of the client's public repository, or its unpacked source package. This project contains nothing of it. `--part PART`
 * runs only one part. `--record` stores the figures of a whole run without new failures for `docs/engine.md`.
 *
 * The suite `console` needs no source. `go-sdk` runs against a service, `kubernetes` against a real API server, and
 * `adopted` against the deployment in `--uri URI`. With `--rounds N`, `adopted` and `kubernetes` disturb a deployment
 * or an API server of their own N times. The API server is emulated, unless `--apiserver`, `--etcd` and `--source` name
 * a real one.
 *
 * Each suite has a file in `suites` that lists its known failures. A run fails if any other test fails.
 * `docs/engine.md` contains these lists.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { disturb } from './suites/adopted/disturbed.ts';
import { runAdopted } from './suites/adopted/run.ts';
import { suites } from './suites/all.ts';
import { type Comparison, compare } from './suites/compare.ts';
import { startEngine, startOpenEngine } from './suites/engine.ts';
import { keepFigures } from './suites/figures.ts';
import { readGoReport } from './suites/go-report.ts';
import { runGoSdk } from './suites/go-sdk.ts';
import { disturbApiServer } from './suites/kubernetes/disturbed.ts';
import { emulatedGround, realGround } from './suites/kubernetes/grounds.ts';
import { runKubernetes } from './suites/kubernetes/run.ts';
import { type Outcome, readReport } from './suites/report.ts';
import type { ClientSuite, Command, SuiteFolders } from './suites/suite.ts';

const root = dirname(import.meta.dirname);

async function run({ program, args, env }: Command, folder: string): Promise<number> {
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...env }, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

async function setUp(suite: ClientSuite, places: SuiteFolders): Promise<void> {
  for (const step of suite.setUp(places)) {
    if (existsSync(step.makes)) continue;
    if ((await run(step, places.source)) !== 0)
      throw new Error(`${step.program} ${step.args.join(' ')} failed`);
  }
}

/**
 * Runs a suite and reads its reports. The report, not the exit code, determines which tests have passed. A command
 * without a report has failed.
 */
async function outcomesOf(suite: ClientSuite, places: SuiteFolders, only?: string): Promise<Outcome[]> {
  await using engine = await (suite.open ? startOpenEngine(suite.open.port) : startEngine(root));
  const all: Outcome[] = [];
  for (const { part, report, format, ...command } of suite.runs(places, engine)) {
    if (only !== undefined && only !== part) continue;
    rmSync(report, { force: true });
    await run(command, places.source);
    if (!existsSync(report)) throw new Error(`${suite.name} left no report`);
    const text = readFileSync(report, 'utf8');
    all.push(...(format === 'go' ? readGoReport(text) : readReport(text)));
  }
  return all;
}

function tell({ passed, skipped, unexpected, expected, outdated }: Comparison): boolean {
  for (const { test, message } of unexpected) console.log(`FAIL  ${test}\n      ${message?.split('\n', 1)}`);
  for (const { test } of outdated) console.log(`passes, and is listed as known: ${test}`);
  console.log(`${expected.length} failed as known, ${outdated.length} known ones passed`);
  console.log(`${passed} passed, ${unexpected.length + expected.length} failed, ${skipped} skipped`);
  return unexpected.length === 0 && passed > 0;
}

function readArguments() {
  const options = {
    source: { type: 'string' },
    part: { type: 'string' },
    record: { type: 'boolean' },
    help: { type: 'boolean' },
    apiserver: { type: 'string' },
    etcd: { type: 'string' },
    operator: { type: 'string' },
    uri: { type: 'string' },
    rounds: { type: 'string' },
  } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    console.log((error as Error).message);
    return parseArgs({ args: [], allowPositionals: true, options });
  }
}

/** Returns the programs of the suite `kubernetes`; undefined if one that it needs is missing. */
function programsIn({ apiserver, etcd, source, operator }: ReturnType<typeof readArguments>['values']) {
  if (apiserver === undefined || etcd === undefined || source === undefined) return undefined;
  const paths = { apiServer: resolve(apiserver), etcd: resolve(etcd), source: resolve(source) };
  return { ...paths, operator: operator === undefined ? undefined : resolve(operator) };
}

/** Runs the tests of the console with every setup. `npm test` runs most of them with one. */
function runConsoleTests(): Promise<number> {
  const args = [join(root, 'scripts/run.cjs'), 'scripts/test.ts', 'test/console'];
  return run({ program: process.execPath, args, env: { EVERY_SETUP: '1' } }, root);
}

const { values, positionals } = readArguments();
const programs = programsIn(values);
const suite = suites.find(({ name }) => name === positionals[0]);
if (positionals[0] === 'console') process.exitCode = await runConsoleTests();
else if (positionals[0] === 'go-sdk' && values.source !== undefined)
  process.exitCode = (await runGoSdk(root, resolve(values.source))) ? 0 : 1;
else if (positionals[0] === 'adopted' && values.uri !== undefined)
  process.exitCode = (await runAdopted(root, values.uri)) ? 0 : 1;
else if (positionals[0] === 'adopted' && values.rounds !== undefined)
  await disturb(root, Number(values.rounds));
else if (positionals[0] === 'kubernetes' && values.rounds !== undefined) {
  await using ground = await (programs === undefined ? emulatedGround() : realGround(root, programs));
  await disturbApiServer(root, Number(values.rounds), ground);
} else if (positionals[0] === 'kubernetes' && programs !== undefined)
  process.exitCode = (await runKubernetes(root, programs)) ? 0 : 1;
else if (suite === undefined || values.source === undefined || values.help) {
  console.log('npm run suites -- NAME --source FOLDER, with these names:');
  console.log(
    'npm run suites -- console: the tests of the console, on SQLite, and on PostgreSQL with two instances',
  );
  console.log(
    'npm run suites -- adopted --uri URI: the walk of the README over a deployment whose data may be lost',
  );
  console.log(
    'npm run suites -- adopted --rounds 30: kills, freezes and restarts a deployment during changes',
  );
  console.log(
    'npm run suites -- kubernetes --rounds 30: kills, freezes and restarts an emulated API server during changes',
  );
  console.log('  go-sdk: every method of the Go SDK of the Atlas API, from github.com/mongodb/atlas-sdk-go');
  console.log(
    '  kubernetes: the service with a real API server, and the CRDs in the sources of github.com/percona/percona-server-mongodb-operator: --apiserver PATH --etcd PATH [--operator PATH]',
  );
  for (const { name, what, source } of suites) console.log(`  ${name}: ${what}, from ${source}`);
  process.exitCode = values.help ? 0 : 2;
} else {
  const places = { source: resolve(values.source), own: join(root, 'node_modules', '.suites', suite.name) };
  mkdirSync(places.own, { recursive: true });
  await setUp(suite, places);
  const comparison = compare(await outcomesOf(suite, places, values.part), suite.known);
  const asExpected = tell(comparison);
  if (values.record && asExpected && values.part === undefined)
    keepFigures(suite.name, places.source, comparison);
  process.exitCode = asExpected ? 0 : 1;
}
