/**
 * `npm run suites -- NAME --source FOLDER`: runs a client's own test suite against a new engine. FOLDER contains the
 * client's public repository, or its unpacked source package; nothing of it is kept here. `--part PART` runs one part
 * alone. Fails if a test fails that `suites/known.ts` does not list; `docs/engine.md` shows that list.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compare } from './suites/compare.ts';
import { startEngine } from './suites/engine.ts';
import { knownFailures } from './suites/known.ts';
import { memoryServer } from './suites/memory-server.ts';
import { mongoose } from './suites/mongoose.ts';
import { pymongo } from './suites/pymongo.ts';
import { type Outcome, readReport } from './suites/report.ts';
import type { ClientSuite, Command, SuiteFolders } from './suites/suite.ts';

const root = dirname(import.meta.dirname);
const suites: readonly ClientSuite[] = [mongoose, pymongo, memoryServer];

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
 * The report, not the exit code of the command, shows which tests have passed; a command without a report has failed.
 */
async function outcomesOf(suite: ClientSuite, places: SuiteFolders, only?: string): Promise<Outcome[]> {
  await using engine = await startEngine(root);
  const all: Outcome[] = [];
  for (const { part, report, ...command } of suite.runs(places, engine)) {
    if (only !== undefined && only !== part) continue;
    rmSync(report, { force: true });
    await run(command, places.source);
    if (!existsSync(report)) throw new Error(`${suite.name} left no report`);
    all.push(...readReport(readFileSync(report, 'utf8')));
  }
  return all;
}

function tell(name: string, outcomes: readonly Outcome[]): number {
  const { passed, skipped, unexpected, expected, outdated } = compare(outcomes, knownFailures[name] ?? []);
  for (const { test, message } of unexpected) console.log(`FAIL  ${test}\n      ${message?.split('\n', 1)}`);
  for (const { test } of outdated) console.log(`passes, and stands in known.ts: ${test}`);
  console.log(`${expected.length} failed as known, ${outdated.length} known ones passed`);
  console.log(`${passed} passed, ${unexpected.length + expected.length} failed, ${skipped} skipped`);
  return unexpected.length === 0 && outcomes.length > 0 ? 0 : 1;
}

function readArguments() {
  const options = {
    source: { type: 'string' },
    part: { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    console.log((error as Error).message);
    return parseArgs({ args: [], allowPositionals: true, options });
  }
}

const { values, positionals } = readArguments();
const suite = suites.find(({ name }) => name === positionals[0]);
if (suite === undefined || values.source === undefined || values.help) {
  console.log('npm run suites -- NAME --source FOLDER, with these names:');
  for (const { name, what, source } of suites) console.log(`  ${name}: ${what}, from ${source}`);
  process.exitCode = values.help ? 0 : 2;
} else {
  const places = { source: resolve(values.source), own: join(root, 'node_modules', '.suites', suite.name) };
  mkdirSync(places.own, { recursive: true });
  await setUp(suite, places);
  process.exitCode = tell(suite.name, await outcomesOf(suite, places, values.part));
}
