/**
 * `npm run check` checks types, format, lint, the project's rules and the generated documents, all in parallel. It
 * prints a line for each part and all findings. It exits with 1 if there are any.
 */
import { dirname } from 'node:path';
import { checkDocuments, checkStyle, checkTypes } from './check/commands.ts';
import { checkEngineKinds } from './check/engine-kinds.ts';
import { checkFaultTables } from './check/fault-tables.ts';
import { type Finding, formatFinding } from './check/finding.ts';
import { checkImports } from './check/imports/imports.ts';
import { checkLeftovers } from './check/leftovers.ts';
import { checkLimits } from './check/limits.ts';
import { checkLockFile } from './check/lock-file.ts';
import { checkManifests } from './check/manifests.ts';
import { checkPaths } from './check/paths.ts';
import { checkRawSources } from './check/seams.ts';
import { checkSql } from './check/sql.ts';
import { readTree, type Tree } from './check/tree.ts';
import { checkUnused } from './check/unused.ts';
import { checkWords } from './check/words.ts';

const root = dirname(import.meta.dirname);

const commands: Readonly<Record<string, (root: string) => Promise<Finding[]>>> = {
  types: checkTypes,
  style: checkStyle,
  documents: checkDocuments,
  unused: checkUnused,
};

type Rule = (tree: Tree) => readonly Finding[] | Promise<readonly Finding[]>;

const rules: Readonly<Record<string, Rule>> = {
  syntax: ({ unreadable }) => unreadable,
  imports: checkImports,
  sql: ({ sources }) => checkSql(sources),
  faults: ({ sources }) => checkFaultTables(sources),
  engines: ({ sources }) => checkEngineKinds(sources),
  seams: ({ sources }) => checkRawSources(sources),
  limits: ({ sources }) => checkLimits(sources),
  leftovers: ({ sources }) => checkLeftovers(sources),
  lock: ({ root }) => checkLockFile(root),
  manifests: ({ root }) => checkManifests(root),
  words: ({ root, sources }) => checkWords(root, sources),
  paths: ({ root }) => checkPaths(root),
};

/** Runs one part, and prints its line and its findings. Returns their number. */
async function report(name: string, check: () => Promise<readonly Finding[]>): Promise<number> {
  const begun = performance.now();
  const findings = await check();
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const verdict = findings.length === 0 ? 'ok  ' : 'FAIL';
  const count = findings.length === 0 ? '' : `  ${findings.length} found`;
  console.log(`${verdict}  ${name.padEnd(10)} ${seconds.padStart(5)} s${count}`);
  for (const finding of findings) console.log(`      ${formatFinding(finding)}`);
  return findings.length;
}

// Start the commands first, which run in separate processes, and check the rules while they run.
const running = Object.entries(commands).map(([name, check]) => report(name, () => check(root)));
const tree = readTree(root);
const counts: number[] = [];
for (const [name, check] of Object.entries(rules)) counts.push(await report(name, async () => check(tree)));
counts.push(...(await Promise.all(running)));

const total = counts.reduce((sum, count) => sum + count, 0);
const parts = counts.filter((count) => count > 0).length;
console.log(
  total === 0 ? `check passed: ${counts.length} parts` : `check failed: ${total} found in ${parts} parts`,
);
process.exitCode = total === 0 ? 0 : 1;
