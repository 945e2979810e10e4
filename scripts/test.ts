/**
 * `npm test` runs every `*.test.ts` except the long ones (`suite/long.ts`). It runs several more processes at a time
 * than there are processors (`suite/arguments.ts`). Small files share a process. Whole-service tests also share
 * processes. Many files share a process if they can share a service, otherwise few. One PostgreSQL server is started
 * for the tests of the store. While it starts, files that do not need it run.
 *
 *   npm test -- [part of a path…] [--long] [--grep PATTERN] [--concurrency N]
 *               [--timeout SECONDS] [--seed N]
 */
import { dirname, join } from 'node:path';
import { type SuiteArguments, suiteArguments } from './suite/arguments.ts';
import { filesThatShare, filesThatUse, filesWithServices, inOrder, testFiles } from './suite/files.ts';
import { inGroups } from './suite/groups.ts';
import { POSTGRES_SETTING, postgresFor } from './suite/postgres.ts';
import { builtProgram, PROGRAM_SETTING } from './suite/program.ts';
import type { FileResult } from './suite/recorder.ts';
import { describeFile, summarise } from './suite/report.ts';
import { runFiles } from './suite/run-files.ts';
import { endStrays } from './suite/strays.ts';
import { readTexts } from './suite/texts.ts';
import { workspace } from './suite/workspace.ts';

const root = dirname(import.meta.dirname);

async function runSuite(settings: SuiteArguments, stop: AbortSignal): Promise<FileResult[]> {
  const sources = readTexts(root);
  const users = filesThatUse(sources, POSTGRES_SETTING);
  const drawing = filesThatUse(sources, "from 'fast-check'");
  const sharing = filesThatShare(sources);
  const files = inOrder(testFiles(sources, settings), users);
  const starting = filesThatUse(sources, PROGRAM_SETTING);
  const needsBuild = process.env[PROGRAM_SETTING] === undefined && files.some((file) => starting.has(file));
  const build = needsBuild ? await builtProgram(root, sources) : undefined;
  if (build !== undefined) process.env[PROGRAM_SETTING] = build.program;
  using folder = workspace();
  // All services of a build have the same OpenAPI documents.
  process.env.TESTED_DOCUMENTS = build?.documents ?? join(folder.path, 'documents');
  // Without a cache, each of the test processes would strip and compile the same hundreds of modules.
  process.env.NODE_COMPILE_CACHE ??= join(folder.path, 'compile-cache');
  const postgres = postgresFor(files, users);
  try {
    const groups = inGroups(files, { waiting: users, sharing, serving: filesWithServices(sources) });
    return await runAll(groups, settings.concurrency, stop, async (group) => {
      const waits = group.some((file) => users.has(file));
      const failed = waits ? await postgres.ready.then(() => undefined, String) : undefined;
      if (failed !== undefined) return unstarted(group, `PostgreSQL could not be started: ${failed}`);
      const seed = group.some((file) => drawing.has(file)) ? settings.seed : undefined;
      const isSharing = group.some((file) => sharing.has(file));
      return runFiles(root, group, { ...settings, seed, isSharing, signal: stop });
    });
  } finally {
    await postgres.stop();
    for (const { pid, command } of endStrays(folder.path)) console.log(`left running: ${pid} ${command}`);
  }
}

/** Runs the groups in order, `concurrency` at a time. Prints results as they arrive. */
async function runAll(
  groups: ReadonlyArray<readonly string[]>,
  concurrency: number,
  stop: AbortSignal,
  runGroup: (files: readonly string[]) => Promise<FileResult[]>,
): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const waiting = groups.values();
  const row = async () => {
    for (const files of waiting) {
      if (stop.aborted) return;
      for (const result of await runGroup(files)) {
        results.push(result);
        console.log(describeFile(result));
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, row));
  return results;
}

function unstarted(files: readonly string[], reason: string): FileResult[] {
  const nothing = { passed: 0, skipped: 0, output: '', milliseconds: 0 };
  return files.map((file) => ({ file, ...nothing, failures: [{ name: 'the file', place: file, reason }] }));
}

async function main(): Promise<number> {
  const begun = performance.now();
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop.abort());
  const settings = suiteArguments(process.argv.slice(2));
  if (settings.isSeedGiven) process.env.TEST_SEED = String(settings.seed);
  const results = await runSuite(settings, stop.signal);
  console.log(summarise(results, performance.now() - begun));
  if (stop.signal.aborted) console.log('interrupted: not everything was run');
  const isGood = results.every(({ failures }) => failures.length === 0);
  const hasRun = results.some(({ passed }) => passed > 0);
  return isGood && hasRun && !stop.signal.aborted ? 0 : 1;
}

// Exit explicitly, since handles that a test left open in this process would keep a finished run alive.
process.exit(await main());
