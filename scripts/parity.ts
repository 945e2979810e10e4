/**
 * `npm run parity -- --recordings CHECKOUT` sends the requests of recordings of the vendor's service to a new service,
 * and compares the responses. CHECKOUT is a checkout of the vendor's command line or Terraform provider, no part of
 * which is in this project. The option can be repeated, from the newest recordings to the oldest. Of a further checkout
 * of the same repository, only those pairs of an operation and a version count that the earlier ones lack. `--write`
 * writes docs/parity.md. `--story NAME` plays only one test.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Outcome, replay } from './parity/replay.ts';
import { renderReport, type Scored, tell } from './parity/report.ts';
import { keyOf, pairsOf } from './parity/score.ts';
import { startService } from './parity/service.ts';
import { readSource, type Source } from './parity/sources.ts';

/** How many stories are played at the same time. */
const AT_ONCE = 4;

const root = dirname(import.meta.dirname);
const { values } = parseArgs({
  options: {
    recordings: { type: 'string', multiple: true },
    story: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

async function playAll({ stories, ownProjects }: Source, only?: string): Promise<Outcome[]> {
  await using service = await startService(root);
  const waiting = [...stories.keys()].filter((name) => only === undefined || name === only);
  const outcomes: Outcome[] = [];
  const unreached = new Set<string>();
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const story = stories.get(name) ?? [];
      const known = await service.knownIds({ ownProject: ownProjects });
      outcomes.push(...(await replay(service, { story, known, unreached })));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const reached = new Set(outcomes.map(keyOf));
  const never = [...unreached].filter((pair) => !reached.has(pair));
  console.log(`not reached: ${never.length} pairs`);
  return outcomes;
}

async function scored(checkouts: readonly string[]): Promise<Scored[]> {
  const all: Scored[] = [];
  const newer: Outcome[] = [];
  for (const checkout of checkouts) {
    const source = readSource(checkout);
    const earlier = all.filter(({ source: { repository } }) => repository === source.repository);
    const counted = new Set(earlier.flatMap(({ pairs }) => pairs.map(keyOf)));
    const outcomes = await playAll(source, values.story);
    const pairs = pairsOf(outcomes, newer);
    // Of several newer recordings of a pair, only the newest ones count.
    const known = new Set(newer.map(keyOf));
    newer.push(...outcomes.filter((outcome) => !known.has(keyOf(outcome))));
    all.push({ source, pairs: pairs.filter((pair) => !counted.has(keyOf(pair))) });
  }
  return all;
}

if (values.recordings === undefined) {
  console.log('npm run parity -- --recordings CHECKOUT [--recordings CHECKOUT] [--write] [--story NAME]');
  process.exitCode = 2;
} else {
  const all = await scored(values.recordings);
  tell(all);
  if (values.write) writeFileSync(join(root, 'docs', 'parity.md'), renderReport(all));
}
