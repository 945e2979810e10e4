import { parseArgs } from 'node:util';
import { withCrashes } from '../support/crashes.ts';
import { KilledSearch, type SearchWork, searchWorks } from '../support/killed-search.ts';
import { dice } from '../support/random.ts';
import { scopeOf, temporaryFolder } from '../support/service.ts';
import { openSetup } from '../support/setups.ts';

/**
 * Kills the engine host before a random commit of a search index. With `--nodes`, kills the host or a thread of search
 * nodes. `--work` and `--at` repeat a case.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
    work: { type: 'string', multiple: true, default: [...searchWorks] },
    at: { type: 'string' },
    nodes: { type: 'boolean', default: false },
  },
});
const end = performance.now() + Number(values.minutes) * 60_000;
const chance = dice(Number(values.seed));
const MAX_STEPS = 30;
const threads = [undefined, 'search-thread', 'search-node-thread'] as const;
/** The number of documents, which is more than the largest segment contains. */
const DOCUMENTS = 24_000;

const undo: (() => unknown)[] = [];
const scope = scopeOf({ after: (run) => void undo.push(run) });
const folder = await temporaryFolder(scope);
const setup = await openSetup(scope, 'SQLite, one instance', {
  environment: withCrashes(folder),
  expectedErrors: /./,
});
const options = { folder, documents: DOCUMENTS, seed: Number(values.seed) };
const search = await KilledSearch.begin(setup, options);
if (values.nodes) await search.addNodes(2);
scope.after(() => search.close());
let [rounds, deaths] = [0, 0];
try {
  while (performance.now() < end) {
    for (const work of values.work as SearchWork[]) {
      const thread = values.nodes ? threads[chance.below(threads.length)] : undefined;
      const at = values.at === undefined ? 1 + chance.below(MAX_STEPS) : Number(values.at);
      const { steps, crashed: died } = await search.round(work, { at, thread });
      rounds++;
      if (died) deaths++;
      console.log(
        `${work} ${died ? `without ${thread ?? 'its host'} before` : 'undisturbed, last'} ${steps.length}: ${steps.at(-1)}`,
      );
    }
  }
} catch (error) {
  console.log(error);
  console.log(setup.instances[0]?.log().split('\n').slice(-30).join('\n'));
  process.exitCode = 1;
}
console.log(`${rounds} rounds, ${deaths} deaths`);
for (const run of undo) await run();
