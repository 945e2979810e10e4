import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderWith } from '../testing.ts';
import { checkDocuments, checkStyle, checkTypes } from './commands.ts';
import { checkEngineKinds } from './engine-kinds.ts';
import { checkFaultTables } from './fault-tables.ts';
import { type Finding, formatFinding } from './finding.ts';
import { checkLeftovers } from './leftovers.ts';
import { checkLimits } from './limits.ts';
import { checkLockFile } from './lock-file.ts';
import { checkManifests } from './manifests.ts';
import { checkPaths } from './paths.ts';
import { checkRawSources } from './seams.ts';
import { checkSql } from './sql.ts';
import { readTree } from './tree.ts';
import { checkUnused } from './unused.ts';
import { checkWords, RETIRED_PHRASES } from './words.ts';

function texts(findings: readonly Finding[]): string[] {
  return findings.map(formatFinding);
}

const lines = (count: number) => 'void 0;\n'.repeat(count);

test('SQL and database packages outside of the permitted folders are found', (t) => {
  const { sources } = readTree(
    folderWith(t, {
      'packages/service/src/api/a.ts': "import type { Kysely } from 'kysely';\n",
      'packages/service/src/resources/a/rules.ts': '\nexport const b = sql`SELECT 1`;\n',
      'packages/engine/src/host.ts': "import { DatabaseSync } from 'node:sqlite';\n",
      'packages/service/src/resources/a/rows.ts':
        "import { sql } from 'kysely';\nexport const c = sql`SELECT 1`;\n",
      'packages/service/src/store/open.ts': "import pg from 'pg';\n",
      'packages/service/src/tasks/migrations.ts': "import { sql } from 'kysely';\n",
      'packages/engine/src/storage/file.ts': "import { DatabaseSync } from 'node:sqlite';\n",
      'packages/service/src/tasks/queue.test.ts': "import pg from 'pg';\n",
    }),
  );
  assert.deepEqual(texts(checkSql(sources)), [
    'packages/engine/src/host.ts:1  node:sqlite is not for this place',
    'packages/service/src/api/a.ts:1  kysely is not for this place',
    'packages/service/src/resources/a/rules.ts:2  SQL is not for this place',
  ]);
});

test('fault tables of the service outside of faults.ts are found', (t) => {
  const table = "import { faults } from '@portolan/foundation/faults';\nexport const a = faults({});\n";
  const { sources } = readTree(
    folderWith(t, {
      'packages/service/src/resources/a/faults.ts': table,
      'packages/service/src/resources/a/rules.ts': table,
      'packages/service/src/resources/a/rules.test.ts': table,
      'packages/foundation/src/faults.ts': 'export const faults = () => undefined;\nfaults();\n',
    }),
  );
  assert.deepEqual(texts(checkFaultTables(sources)), [
    'packages/service/src/resources/a/rules.ts:2  fault tables are for faults.ts',
  ]);
});

test('families that ask for the engine instead of a capability are found', (t) => {
  const text = [
    "import { can, engineOf } from '../clusters/index.ts';",
    'export const a = ({ placement }) => placement.found !== undefined;',
    'export const b = ({ placement: { found } }) => found;',
    'const { mark, found } = cluster.placement;',
    "export const c = engineOf(cluster) === 'adopted';",
    'export const d = cluster.placement?.found?.topology;',
    "export const e = can(cluster, 'pause');",
  ].join('\n');
  const { sources } = readTree(
    folderWith(t, {
      'packages/service/src/resources/a/rules.ts': text,
      'packages/service/src/resources/a/rules.test.ts': text,
      'packages/service/src/resources/deployments/rules.ts': text,
      'packages/service/src/resources/clusters/rules/engine-regions.ts': text.split('\n')[0] ?? '',
      'packages/service/src/adopted/engine.ts': text,
    }),
  );
  assert.deepEqual(
    texts(checkEngineKinds(sources)),
    [1, 2, 3, 4, 5, 6].map(
      (line) => `packages/service/src/resources/a/rules.ts:${line}  ask for a capability, not for the engine`,
    ),
  );
});

test('raw clocks, timers and randomness outside of the runtime are found', (t) => {
  const raw = [
    "import { createHash, randomBytes } from 'node:crypto';",
    "import { setImmediate, setTimeout as sleep } from 'node:timers/promises';",
    'const later = setInterval(() => {}, 1);',
    'const dates = [new Date(), new Date(0), Date.now()];',
    'const numbers = [performance.now(), Math.random(), crypto.randomUUID()];',
    'const now = Date.now;',
    'socket.setTimeout(1, later);',
    'random.integer(2);',
  ].join('\n');
  const { sources } = readTree(
    folderWith(t, {
      'packages/service/src/api/a.ts': raw,
      'packages/foundation/src/clock.ts': raw,
      'packages/service/src/api/a.test.ts': raw,
      'packages/service/src/api/testing.ts': raw,
      'bench/a.ts': raw,
    }),
  );
  assert.deepEqual(texts(checkRawSources(sources)), [
    'packages/service/src/api/a.ts:1  randomBytes is for packages/foundation/src/',
    'packages/service/src/api/a.ts:2  setTimeout is for packages/foundation/src/',
    'packages/service/src/api/a.ts:3  setInterval is for packages/foundation/src/',
    'packages/service/src/api/a.ts:4  new Date() is for packages/foundation/src/',
    'packages/service/src/api/a.ts:4  Date.now is for packages/foundation/src/',
    'packages/service/src/api/a.ts:5  performance.now is for packages/foundation/src/',
    'packages/service/src/api/a.ts:5  Math.random is for packages/foundation/src/',
    'packages/service/src/api/a.ts:5  crypto.randomUUID is for packages/foundation/src/',
    'packages/service/src/api/a.ts:6  Date.now is for packages/foundation/src/',
  ]);
});

test('a file that is too long is found', (t) => {
  const small = Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [`packages/service/src/api/a${i}.ts`, lines(99)]),
  );
  const { sources } = readTree(
    folderWith(t, {
      ...small,
      'packages/service/src/api/long.ts': lines(401),
      'packages/service/src/api/x.test.ts': lines(900),
    }),
  );
  assert.deepEqual(texts(checkLimits(sources)), ['packages/service/src/api/long.ts  401 lines, at most 400']);
});

test('files whose median or percentile is too long are found', (t) => {
  const { sources } = readTree(
    folderWith(t, {
      'packages/service/src/a.ts': lines(100),
      'bench/b.ts': lines(100),
      'scripts/c.ts': lines(300),
    }),
  );
  assert.deepEqual(texts(checkLimits(sources)), [
    'file median is 100 lines and must be under 100',
    'file p90 is 300 lines and must be under 300',
  ]);
});

test('functions that are too long, individually or by percentile, are found', (t) => {
  const long = `\nexport function long() {\n${lines(59)}}\n`;
  const { sources } = readTree(
    folderWith(t, {
      'packages/service/src/a.ts': long,
      'packages/service/src/b.ts': '',
      'packages/service/src/c.ts': '',
    }),
  );
  assert.deepEqual(texts(checkLimits(sources)), [
    'function p90 is 61 lines and must be under 45',
    'packages/service/src/a.ts:2  long has 61 lines, at most 60',
  ]);
});

test('marks of unfinished work are found', (t) => {
  const mark = 'FIX' + 'ME';
  const { sources } = readTree(
    folderWith(t, { 'packages/service/src/a.ts': `\n// ${mark} later\nexport const ${mark}S = 1;\n` }),
  );
  assert.deepEqual(texts(checkLeftovers(sources)), [`packages/service/src/a.ts:2  ${mark} is left`]);
});

test('skipped tests, and tests that exclude others, are found', (t) => {
  const text = [
    "test.only('a', () => {});",
    "describe.skip('b', () => {});",
    "test('c', { todo: true }, () => {});",
    "test('d', (t) => t.skip());",
    "test('e', { timeout: 5 }, () => collection.find().skip(5));",
  ].join('\n');
  const { sources } = readTree(folderWith(t, { 'packages/service/src/a.test.ts': text }));
  assert.deepEqual(texts(checkLeftovers(sources)), [
    'packages/service/src/a.test.ts:1  test with .only()',
    'packages/service/src/a.test.ts:2  test with .skip()',
    'packages/service/src/a.test.ts:3  test with { todo }',
    'packages/service/src/a.test.ts:4  test with .skip()',
  ]);
});

test('a registry host in the lock file is found', (t) => {
  const root = folderWith(t, {
    'package-lock.json': '{\n  "resolved": "https://registry.example/a.tgz"\n}\n',
    'test/tools/package-lock.json': '{\n\n  "resolved": "https://registry.example/b.tgz"\n}\n',
  });
  assert.deepEqual(texts(checkLockFile(root)), [
    'package-lock.json:2  names a registry host; install with omit-lockfile-registry-resolved',
    'test/tools/package-lock.json:3  names a registry host; install with omit-lockfile-registry-resolved',
  ]);
});

test('a file that cannot be parsed is found', (t) => {
  const { unreadable } = readTree(folderWith(t, { 'packages/service/src/a.ts': 'const = 1;\n' }));
  assert.equal(unreadable.length, 1);
  assert.match(texts(unreadable)[0] ?? '', /^packages\/service\/src\/a\.ts {2}cannot be parsed: /);
});

test('type errors are found, including those that only the options of the published library report', async (t) => {
  const options = { strict: true, noEmit: true, types: [] };
  const library = { ...options, noImplicitReturns: true };
  const root = folderWith(t, {
    'tsconfig.json': { compilerOptions: options, include: ['packages'] },
    'tsconfig.library-portolan.json': { compilerOptions: library, include: ['packages/portolan'] },
    'packages/service/src/a.ts': "\nexport const a: number = 'text';\n",
    'packages/portolan/src/b.ts': 'export const b = (c: boolean) => {\n  if (c) return 1;\n};\n',
  });
  assert.deepEqual(texts(await checkTypes(root)), [
    "packages/service/src/a.ts:2  TS2322: Type 'string' is not assignable to type 'number'.",
    'packages/portolan/src/b.ts:1  TS7030: Not all code paths return a value.',
  ]);
});

test('errors of lint and format are found', async (t) => {
  const root = folderWith(t, {
    'biome.json': '{}\n',
    'packages/service/src/a.ts': 'export const a:any = 1;\n',
  });
  const found = texts(await checkStyle(root));
  assert.match(found.join('\n'), /^packages\/service\/src\/a\.ts:1 {2}Unexpected any/m);
  assert.match(found.join('\n'), /^packages\/service\/src\/a\.ts:1 {2}Formatter would have printed/m);
});

test('outdated documents are found, with the message of the generator', async (t) => {
  const root = folderWith(t, {
    'scripts/docs.ts': "console.log('docs/coverage.md is stale');\nprocess.exitCode = 1;\n",
  });
  assert.deepEqual(texts(await checkDocuments(root)), ['docs/coverage.md is stale']);
});

test('finds unused files, exports and dependencies', async (t) => {
  const root = folderWith(t, {
    'package.json': { type: 'module', dependencies: { 'left-pad': '1.0.0' } },
    'knip.json': {
      entry: ['packages/portolan/src/main.ts', 'packages/service/src/resources/*/index.ts'],
      project: ['packages/**/*.ts'],
      includeEntryExports: true,
    },
    'packages/portolan/src/main.ts':
      "import { used } from '../../service/src/store/a.ts';\nimport 'kysely';\nconsole.log(used);\n",
    'packages/service/src/store/a.ts':
      'export const used = 1;\nexport const inside = used + 1;\nexport interface Alone {}\n',
    'packages/service/src/store/attic.ts': 'export {};\n',
    'packages/service/src/resources/ships/index.ts':
      'export const family = 1;\nexport const face = family + 1;\n',
  });
  assert.deepEqual(texts(await checkUnused(root)).toSorted(), [
    'package.json  nothing imports the dependency left-pad',
    'packages/portolan/src/main.ts:2  imported and no dependency: kysely',
    'packages/service/src/resources/ships/index.ts:2  nothing else uses the export face',
    'packages/service/src/store/a.ts:2  nothing else uses the export inside',
    'packages/service/src/store/a.ts:3  nothing else uses the exported type Alone',
    'packages/service/src/store/attic.ts  nothing imports packages/service/src/store/attic.ts',
  ]);
});

test('paths that documents mention but that do not exist are found', (t) => {
  const root = folderWith(t, {
    'README.md':
      'See [settings](docs/settings.md#all), [none](docs/none.md) and [elsewhere](https://example.org/a).\n',
    'CONTRIBUTING.md':
      '    packages/service/src/api        the edge\n    packages/service/src/attic      old\n\n`store/faults.ts` and `store/gone.ts`\n',
    'docs/architecture.md':
      '`api`: `packages/service/src/api/edge.ts`, `packages/service/src/api/gone.ts`, `application/json` and [up](../CONTRIBUTING.md)\n',
    'docs/settings.md': '',
    'packages/service/src/api/edge.ts': '',
    'packages/service/src/store/faults.ts': '',
  });
  assert.deepEqual(texts(checkPaths(root)), [
    'README.md:1  names docs/none.md, which is not there',
    'CONTRIBUTING.md:2  names packages/service/src/attic, which is not there',
    'CONTRIBUTING.md:4  names store/gone.ts, which is not there',
    'docs/architecture.md:1  names packages/service/src/api/gone.ts, which is not there',
    'docs/architecture.md  does not name the folder packages/service/src/store',
  ]);
});

test('a retired name that code declares and a retired phrase in code or documents are found', (t) => {
  const phrase = Object.keys(RETIRED_PHRASES)[0] ?? '';
  const root = folderWith(t, {
    'packages/engine/src/a.ts': `class ${'Told'} {}\n// Told is a word of this comment.\nexport const told = 1;\n`,
    'packages/engine/src/b.ts': `/** A key that is gone ${phrase.toUpperCase()}. */\nexport {};\n`,
    'packages/engine/src/c.ts': `export const ${'MOST'}_BYTES = 1;\n`,
    'README.md': `\nA key ${phrase}.\n`,
    'docs/decisions/0001-keys.md': `A key ${phrase}.\n`,
  });
  const message = `"${phrase}" is retired; write for example "revocation takes effect"`;
  assert.deepEqual(texts(checkWords(root, readTree(root).sources)), [
    'packages/engine/src/a.ts:1  Told is retired; use a term such as Waiters',
    'packages/engine/src/c.ts:1  MOST_BYTES is retired; use a term such as MAX_BYTES',
    `packages/engine/src/b.ts:1  ${message}`,
    `README.md:2  ${message}`,
    `docs/decisions/0001-keys.md:1  ${message}`,
  ]);
});

test('the whole package must list the dependencies of its parts, in the same versions', (t) => {
  const manifest = (name: string, dependencies: object) => ({
    [`packages/${name}/package.json`]: { name, dependencies },
  });
  const root = folderWith(t, {
    ...manifest('foundation', { pino: '^1.0.0' }),
    ...manifest('engine', { bson: '^7.0.0', '@portolan/foundation': '*' }),
    ...manifest('service', { pg: '^8.0.0' }),
    ...manifest('portolan', { pino: '^1.0.0', pg: '^7.0.0' }),
  });
  assert.deepEqual(texts(checkManifests(root)), [
    'packages/portolan/package.json  must depend on bson ^7.0.0, as packages/engine/package.json does',
    'packages/portolan/package.json  must depend on pg ^8.0.0, as packages/service/package.json does',
  ]);
});
