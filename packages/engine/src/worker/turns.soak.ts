import { spawnSync } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inBatches } from '@portolan/foundation/in-batches';
import { RawDocument } from '../bson/raw.ts';
import { HOST_FLAGS } from '../client/host-process.ts';
import { admin, CLUSTER_ID, sectionsOf, TestCluster } from './testing.ts';
import { hostileStatements } from './testing-hostile.ts';
import { hostileOperators } from './testing-hostile-operators.ts';
import type { HostileStatement } from './testing-hostile-parts.ts';
import { hostileStages } from './testing-hostile-stages.ts';
import { buildSearchIndex } from './testing-search.ts';

/**
 * Measures how long hostile statements block their thread without yielding: the CPU time between two readings of the
 * clock, at which waiting statements can run. Other load on the machine does not affect CPU time.
 */
// The size of the young generation determines how long collections of garbage take, so it must be that of an engine host.
if (!HOST_FLAGS.every((flag) => process.execArgv.includes(flag))) {
  const args = [...HOST_FLAGS, import.meta.filename, ...process.argv.slice(2)];
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
}
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string' },
    size: { type: 'string', default: '500000' },
    stacks: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const MAX_MS = 50;
/** Number of documents per insert. */
const BATCH = 1_000;
/** Number of runs per statement. The shortest counts, because the first run compiles code. */
const RUNS = 2;

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

interface Longest {
  readonly ms: number;
  readonly all: number;
  readonly stack: string | undefined;
  readonly outcome: string;
}

/** Loads the interpreter of scripts. */
async function prepareScripts(cluster: TestCluster): Promise<void> {
  cluster.run({ insert: 'prepared', documents: [{ _id: 0 }] });
  const sent = cluster.send({ find: 'prepared', filter: { $where: 'true' } });
  cluster.worker.runTurn();
  while (sent.reply === undefined) await setImmediate();
}

/**
 * Measures one statement. Inserts documents and encodes the command before the measurement, and decodes the reply after
 * it.
 */
async function longestOf({
  documents,
  before = [],
  searchIndex,
  command,
}: HostileStatement): Promise<Longest> {
  const cluster = new TestCluster({}, { unsynced: true });
  try {
    for (const batch of inBatches(documents, BATCH)) cluster.run({ insert: 'c', documents: batch });
    for (const each of before) cluster.run(each);
    if (searchIndex !== undefined) buildSearchIndex(cluster, 'c', searchIndex);
    await prepareScripts(cluster);
    return measured(cluster, sectionsOf(command));
  } finally {
    cluster.remove();
  }
}

function measured(cluster: TestCluster, sections: Uint8Array): Longest {
  let [longest, last] = [0, 0];
  let stack: string | undefined;
  const note = () => {
    const now = cpuMs();
    if (now - last > longest) {
      longest = now - last;
      stack = values.stacks ? new Error().stack : undefined;
    }
    last = cpuMs();
  };
  cluster.clock.monotonic = () => {
    note();
    return performance.now();
  };
  let answer: Uint8Array | undefined;
  const caller = { connectionId: 1, remote: '127.0.0.1:50000', member: 'm0', user: admin };
  const began = cpuMs();
  last = began;
  cluster.worker.submit({ requestId: 1_000, clusterId: CLUSTER_ID, caller, sections }, (document) => {
    note();
    answer = document;
  });
  cluster.worker.runTurn();
  note();
  const all = cpuMs() - began;
  const reply = answer && new RawDocument(answer);
  const failure = reply?.string('errmsg')?.slice(0, 80);
  return { ms: longest, all, stack, outcome: failure ?? (reply ? 'done' : 'no answer') };
}

let failed = 0;
for (const [name, make] of Object.entries({
  ...hostileStatements,
  ...hostileStages,
  ...hostileOperators,
})) {
  if (!name.includes(values.only)) continue;
  const statement = make(Number(values.size));
  const runs: Longest[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await longestOf(statement));
  const [best] = runs.toSorted((a, b) => a.ms - b.ms);
  if (best === undefined) continue;
  const { ms, all, outcome, stack } = best;
  const tooLong = ms > MAX_MS;
  if (tooLong) failed++;
  console.log(
    `${tooLong ? 'FOUND ' : ''}${name}: ${ms.toFixed(0)} of ${all.toFixed(0)} ms, ${outcome}`,
    tooLong && stack ? stack : '',
  );
}
process.exitCode = failed === 0 ? 0 : 1;
