/**
 * `npm run parity -- --recordings CHECKOUT` sends the requests of recordings of the vendor's service to a new service,
 * and compares the responses. CHECKOUT is a checkout of the vendor's command line, no part of which is in this project.
 * `--write` writes docs/parity.md. `--story NAME` plays only one test.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readRecordings } from './parity/recordings.ts';
import { type Outcome, replay } from './parity/replay.ts';
import { renderReport, tell } from './parity/report.ts';
import { divided, pairsOf } from './parity/score.ts';
import { startService } from './parity/service.ts';

/** How many stories are played at the same time. */
const AT_ONCE = 4;

const root = dirname(import.meta.dirname);
const { values } = parseArgs({
  options: {
    recordings: { type: 'string' },
    story: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

async function playAll(checkout: string, only?: string): Promise<Outcome[]> {
  await using service = await startService(root);
  const stories = readRecordings(checkout);
  const waiting = [...stories.keys()].filter((name) => only === undefined || name === only);
  const outcomes: Outcome[] = [];
  const unreached = new Set<string>();
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
      outcomes.push(...(await replay(service, stories.get(name) ?? [], unreached)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`not reached: ${unreached.size} pairs, at least once`);
  return outcomes;
}

if (values.recordings === undefined) {
  console.log('npm run parity -- --recordings CHECKOUT [--write] [--story NAME]');
  process.exitCode = 2;
} else {
  const checkout = values.recordings;
  const parts = divided(pairsOf(await playAll(checkout, values.story)));
  tell(parts);
  if (values.write) {
    const commit = execFileSync('git', ['-C', checkout, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
    writeFileSync(join(root, 'docs', 'parity.md'), renderReport(parts, commit));
  }
}
