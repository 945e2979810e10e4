import { parseArgs } from 'node:util';
import { withDeaths } from '../support/deaths.ts';
import { KilledSearch, type SearchWork, searchWorks } from '../support/killed-search.ts';
import { dice } from '../support/random.ts';
import { scopeOf, temporaryFolder } from '../support/service.ts';
import { openSetup } from '../support/setups.ts';

/** Ends the engine host before a random commit of a search index. `--work` and `--at` repeat one. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
    work: { type: 'string', multiple: true, default: [...searchWorks] },
    at: { type: 'string' },
  },
});
const end = performance.now() + Number(values.minutes) * 60_000;
const chance = dice(Number(values.seed));
const MOST_STEPS = 30;
/** More than the largest segment has. */
const DOCUMENTS = 24_000;

const undo: (() => unknown)[] = [];
const scope = scopeOf({ after: (run) => void undo.push(run) });
const folder = await temporaryFolder(scope);
const setup = await openSetup(scope, 'SQLite, one instance', {
  environment: withDeaths(folder),
  expectedErrors: /./,
});
const options = { folder, documents: DOCUMENTS, seed: Number(values.seed) };
const search = await KilledSearch.begin(setup, options);
scope.after(() => search.close());
let [rounds, deaths] = [0, 0];
try {
  while (performance.now() < end) {
    for (const work of values.work as SearchWork[]) {
      const at = values.at === undefined ? 1 + chance.below(MOST_STEPS) : Number(values.at);
      const { steps, died } = await search.round(work, at);
      rounds++;
      if (died) deaths++;
      console.log(
        `${work} ${died ? 'without its host before' : 'undisturbed, last'} ${steps.length}: ${steps.at(-1)}`,
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
