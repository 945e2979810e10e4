/**
 * `npm run docs` writes the generated documents to `docs/`, and the types of the operations for the console. With
 * `--check`, it writes nothing, lists the files that are out of date, and exits with 1 if there are any. With
 * `argument-types`, it writes only `docs/argument-types/`, from the answers of an engine.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Seed } from '../packages/portolan/src/seed/file.ts';
import { accessFaults } from '../packages/service/src/access/index.ts';
import { generalFaults } from '../packages/service/src/api/faults.ts';
import type { Setting } from '../packages/service/src/boot/setting.ts';
import { environmentName, settings } from '../packages/service/src/boot/settings.ts';
import { unserved } from '../packages/service/src/dialects/atlas/unserved.ts';
import type { Family } from '../packages/service/src/resources/family.ts';
import { loadFamilies } from '../packages/service/src/resources/load.ts';
import { contractOperations } from '../test/support/contract-operations.ts';
import { answers, writePages } from './argument-types/matrix.ts';
import { alertsPage } from './docs/alerts.ts';
import { clustersPage } from './docs/clusters.ts';
import { consoleOperations } from './docs/console-operations.ts';
import { coverage } from './docs/contract-coverage.ts';
import { coveragePage } from './docs/coverage.ts';
import { enginePage } from './docs/engine.ts';
import { enginesPage } from './docs/engines.ts';
import { errorsPage } from './docs/errors.ts';
import { withLimits } from './docs/limits.ts';
import { rolesPage } from './docs/roles.ts';
import { settingsPage } from './docs/settings.ts';

/** The version of JSON Schema that editors use. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const root = dirname(import.meta.dirname);
const folder = join(root, 'docs');
const CONSOLE_TYPES = 'packages/console/src/api/service.generated.ts';

function documentsOf(families: readonly Family[]): Readonly<Record<string, string>> {
  const operations = families.flatMap((family) => family.operations);
  return {
    'alerts.md': alertsPage(families),
    'cluster-fields.md': clustersPage(),
    'coverage.md': coveragePage({ ...coverage(operations, contractOperations()), unserved: unserved.length }),
    'engine.md': enginePage(),
    'engines.md': enginesPage(),
    'errors.md': errorsPage([
      { title: 'General', tables: [generalFaults] },
      { title: 'Access', tables: [accessFaults] },
      ...families.map(({ name, faults = [] }) => ({ title: titleOf(name), tables: faults })),
    ]),
    'reliability.md': withLimits(readFileSync(join(folder, 'reliability.md'), 'utf8')),
    'roles.md': rolesPage(operations),
    'seed.schema.json': `${JSON.stringify({ $schema: DIALECT, title: 'Seed', ...Seed }, null, 2)}\n`,
    'settings.md': settingsPage(
      Object.entries(settings).map(([name, setting]: [string, Setting<unknown>]) => ({
        name,
        environment: environmentName(name),
        default: setting.default,
        description: setting.description,
        later: setting.later,
      })),
    ),
  };
}

/** Titles of families whose names do not say what their errors are about. */
const titles: Readonly<Record<string, string>> = {
  accounts: 'User accounts',
  callers: 'API keys and service accounts',
  'fault-injection': 'Declared faults',
  outages: 'Outage simulations',
  peering: 'Network peering',
  'provider-access': 'Access to cloud providers',
  sessions: 'Console sessions',
  states: 'Saved states',
  users: 'Members and teams',
};

/** Converts the name of any other family: `database-users` becomes `Database users`. */
function titleOf(name: string): string {
  if (Object.hasOwn(titles, name)) return titles[name] ?? '';
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
}

/**
 * Runs only on request, since testing the engine takes half a minute. A test compares the stored pages with the engine.
 */
async function writeArgumentTypes(): Promise<void> {
  const matrix = await answers();
  writePages(matrix);
  for (const line of [...matrix.unexplained, ...matrix.unused]) console.log(line);
  if (matrix.unexplained.length + matrix.unused.length > 0) process.exitCode = 1;
}

/** Returns the generated files by their paths. */
async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const families = await loadFamilies();
  const documents = Object.entries(documentsOf(families));
  return new Map([
    ...documents.map(([name, text]) => [`docs/${name}`, text] as const),
    [CONSOLE_TYPES, await consoleOperations(families)],
  ]);
}

const files = await generatedFiles();
if (process.argv.includes('argument-types')) await writeArgumentTypes();
else if (process.argv.includes('--check')) {
  for (const [name, text] of files) {
    const path = join(root, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    console.log(`${name} is stale: run npm run docs`);
    process.exitCode = 1;
  }
} else {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(root, name), text);
}
