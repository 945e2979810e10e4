/**
 * Measures all figures that have targets, each together with its baseline.
 *
 *     npm run bench -- [section …] [--write]
 *     npm run bench -- --results FILE … --write
 *
 * Compares the figures with those of the last stored run in `docs/performance.json`, and writes them as JSON to
 * `bench/results/`. `--write` also stores this run in `docs/performance.json`, writes the page `docs/performance.md`,
 * and draws the pictures of the page. With `--results`, reads figures from files in `bench/results/` instead of
 * measuring. If several files contain the same figure, the last file counts.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { alerts } from './alerts.ts';
import { authentication } from './authentication.ts';
import { backups } from './backups.ts';
import { callers } from './callers.ts';
import type { Run } from './change.ts';
import { clusters } from './clusters.ts';
import { companions } from './companions.ts';
import { console as consolePages } from './console.ts';
import { credentials } from './credentials.ts';
import { crowd } from './crowd.ts';
import { databases } from './databases.ts';
import { emulator } from './emulator.ts';
import { engine } from './engine.ts';
import { exportMemory } from './export-memory.ts';
import { fairness } from './fairness.ts';
import type { Figure, Part } from './figure.ts';
import { growth } from './growth.ts';
import { indexes } from './indexes.ts';
import { language } from './language.ts';
import { migrations } from './migrations.ts';
import { operationsOfMany } from './operations.ts';
import { outages } from './outages.ts';
import { pauses } from './pauses.ts';
import { plots } from './plots.ts';
import { processor } from './processor.ts';
import { readiness } from './readiness.ts';
import { rival } from './rival.ts';
import { scale } from './scale.ts';
import { search } from './search.ts';
import { states } from './states.ts';
import { steps } from './steps.ts';
import { table } from './table.ts';
import { texts } from './texts.ts';
import { writes } from './writes.ts';

const parts: readonly Part[] = [
  readiness,
  consolePages,
  companions,
  clusters,
  authentication,
  processor,
  emulator,
  steps,
  credentials,
  callers,
  writes,
  engine,
  rival,
  operationsOfMany,
  fairness,
  databases,
  scale,
  language,
  indexes,
  search,
  growth,
  crowd,
  backups,
  exportMemory,
  states,
  pauses,
  migrations,
  alerts,
  outages,
  texts,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, results: { type: 'string', multiple: true } },
});
const chosen = parts.filter((part) => positionals.length === 0 || positionals.includes(part.name));
if (chosen.length === 0) {
  console.error(`bench: unknown section; the sections are ${parts.map((part) => part.name).join(', ')}`);
  process.exit(1);
}

const run = values.results === undefined ? await measured() : merged(values.results);
const { figures } = run;
const docs = join(import.meta.dirname, '..', 'docs');
const kept = join(docs, 'performance.json');
const before = lastKept();
console.log(`${table(run, before)}\n\n${run.machine}, ${run.measured}`);
if (values.results === undefined) keepResults();
if (values.write) await writePage();

async function measured(): Promise<Run> {
  const figures: Figure[] = [];
  for (const part of chosen) {
    console.error(`measuring ${part.name} …`);
    figures.push(...(await part.measure()));
  }
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.version}`;
  return { machine, measured: new Date().toISOString().slice(0, 10), commit: commit(), figures };
}

/** Merges result files. A figure of a later file replaces the same figure of an earlier one. */
function merged(files: readonly string[]): Run {
  const runs = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Run);
  const byName = new Map(runs.flatMap(({ figures }) => figures).map((figure) => [figure.name, figure]));
  return { ...(runs[0] as Run), figures: [...byName.values()] };
}

function lastKept(): Run | undefined {
  try {
    return JSON.parse(readFileSync(kept, 'utf8')) as Run;
  } catch {
    return undefined;
  }
}

function keepResults(): void {
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);
}

function commit(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

async function writePage(): Promise<void> {
  const drawn = await plots(figures);
  mkdirSync(join(docs, 'performance'), { recursive: true });
  for (const [name, svg] of drawn) writeFileSync(join(docs, 'performance', name), svg);
  const pictures = [...drawn.keys()].map((name) => `![${name.split('.')[0]}](performance/${name})`);
  const compared =
    before === undefined
      ? ''
      : ` The change since the previous run, on ${before.measured} (${before.machine}).`;
  const page = `# Performance

\`npm run bench -- --write\` wrote this page on ${run.measured}, on this machine: ${run.machine}. Load generator, baseline and
service share the machine, so ratios are more reliable than absolute numbers. [performance-notes.md](performance-notes.md) explains the baselines and
the missed targets. [performance.json](performance.json) contains the figures as JSON.

- **Measured.** "CPU time" is the CPU time of the server process for one request or operation, and "system time" is the part of it that is spent in
  the kernel. p90 and p99 are percentiles of the latency. "Memory" is resident memory.
- **Baseline.** The figure that a simpler program, a smaller amount of data or an idle server reached in the same run, in the same unit. The
  parentheses name this program, amount or state. The column Ratio is the measured figure divided by the baseline.
- **Change.**${compared} If the figure has a baseline, it is the change of the
  ratio. "=" means less than 10 %.
- **Rows.** "From source" and "built" say whether the service runs from its TypeScript sources or from the build. Figures that begin with \`portolan\`
  are times that a program needs to start a service or a database of the npm package. Figures that begin with "step:" are times of the parts of one
  request. In figures that begin with "reject", the service rejects wrong credentials. Their medians must be equal, because a difference would reveal
  which keys and clients exist. The drift of notifications is the longest time by which a repeated notification deviates from its schedule.

${table(run, before)}

${pictures.join('\n\n')}
`;
  writeFileSync(join(docs, 'performance.md'), page);
  writeFileSync(kept, `${JSON.stringify(run, null, 2)}\n`);
}
