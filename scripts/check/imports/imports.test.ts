import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { folderWith } from '../../testing.ts';
import { formatFinding } from '../finding.ts';
import { readTree } from '../tree.ts';
import { checkImports } from './imports.ts';

const SERVICE = 'packages/service/src';
const ENGINE = 'packages/engine/src';

const MANIFESTS = {
  'packages/foundation/package.json': { name: '@portolan/foundation', exports: { './*': './src/*.ts' } },
  'packages/engine/package.json': {
    name: '@portolan/engine',
    exports: { '.': { default: './dist/index.js' }, './management': './src/management.ts' },
    devDependencies: { '@portolan/foundation': '*' },
  },
  'packages/service/package.json': {
    name: '@portolan/service',
    exports: { './store': './src/store/index.ts' },
    dependencies: { '@portolan/engine': '*', '@portolan/foundation': '*' },
  },
  'test/support/package.json': { name: '@portolan/test-support', exports: { './*': './*.ts' } },
};

/** Returns the findings for a tree of files in workspace packages. Files of `empty` have no content. */
async function complaints(t: TestContext, files: Record<string, string>, empty: readonly string[] = []) {
  const others = Object.fromEntries(empty.map((path) => [path, 'export {};\n']));
  const findings = await checkImports(readTree(folderWith(t, { ...MANIFESTS, ...others, ...files })));
  return findings.map(formatFinding).toSorted();
}

test('a tree that keeps the order has no findings', async (t) => {
  const tree = {
    [`${SERVICE}/boot/service.ts`]: "import '../resources/clusters/index.ts';",
    [`${SERVICE}/resources/clusters/index.ts`]:
      "import type { Family } from '../family.ts';\nimport './rows.ts';",
    [`${SERVICE}/resources/projects/index.ts`]:
      "import { a } from '../clusters/index.ts';\nimport fs from 'node:fs';",
    [`${SERVICE}/api/edge.ts`]:
      "import type { Caller } from '../access/caller.ts';\nimport '../store/index.ts';",
    [`${SERVICE}/store/store.test.ts`]: "import { start } from '@portolan/test-support/postgres';",
    [`${SERVICE}/tasks/run.ts`]:
      "import '@portolan/engine/management';\nimport '@portolan/foundation/clock';",
    'test/tour.test.ts': "import './support/service.ts';",
  };
  const empty = [
    `${SERVICE}/resources/family.ts`,
    `${SERVICE}/resources/clusters/rows.ts`,
    `${SERVICE}/access/caller.ts`,
    `${SERVICE}/store/index.ts`,
    `${ENGINE}/management.ts`,
    'packages/foundation/src/clock.ts',
    'test/support/postgres.ts',
    'test/support/service.ts',
  ];
  assert.deepEqual(await complaints(t, tree, empty), []);
});

test('an inner layer that imports an outer one is found, whatever the form of the import', async (t) => {
  const tree = {
    [`${SERVICE}/store/a.ts`]: "\nimport type { B } from '../api/b.ts';",
    [`${SERVICE}/events/a.ts`]: "export { b } from '../tasks/b.ts';",
    [`${SERVICE}/tasks/a.ts`]: "const b = await import('../resources/b/index.ts');",
    [`${SERVICE}/access/a.ts`]: "let b: import('../boot/service.ts').Service;",
  };
  const empty = ['api/b.ts', 'tasks/b.ts', 'resources/b/index.ts', 'boot/service.ts'].map(
    (path) => `${SERVICE}/${path}`,
  );
  assert.deepEqual(await complaints(t, tree, empty), [
    `${SERVICE}/access/a.ts:1  service access must not import ${SERVICE}/boot/service.ts`,
    `${SERVICE}/events/a.ts:1  service events must not import ${SERVICE}/tasks/b.ts`,
    `${SERVICE}/store/a.ts:2  service store must not import ${SERVICE}/api/b.ts`,
    `${SERVICE}/tasks/a.ts:1  service tasks must not import ${SERVICE}/resources/b/index.ts`,
  ]);
});

test('a package is imported by name, through its exports, and only if the manifest names it', async (t) => {
  const tree = {
    [`${SERVICE}/api/path.ts`]: "import '../../../engine/src/management.ts';",
    [`${SERVICE}/api/past.ts`]:
      "import '@portolan/engine/src/bson/value.ts';\nimport '@portolan/engine/bson';",
    [`${SERVICE}/api/support.ts`]: "import '@portolan/test-support/ports';",
    [`${ENGINE}/bson/a.ts`]: "import '@portolan/service/store';",
  };
  const empty = [`${ENGINE}/management.ts`, `${SERVICE}/store/index.ts`, 'test/support/ports.ts'];
  const found = await complaints(t, tree, empty);
  assert.deepEqual(
    found.filter((line) => line.includes('@portolan/')),
    [
      `${ENGINE}/bson/a.ts:1  @portolan/engine must not import @portolan/service/store`,
      `${SERVICE}/api/past.ts:1  @portolan/engine does not export @portolan/engine/src/bson/value.ts`,
      `${SERVICE}/api/past.ts:2  @portolan/engine does not export @portolan/engine/bson`,
      `${SERVICE}/api/path.ts:1  @portolan/service must not import by path ${ENGINE}/management.ts`,
      `${SERVICE}/api/support.ts:1  @portolan/service must not import @portolan/test-support/ports`,
    ],
  );
});

test('a family imports only the index.ts of another family, and its tests also the testing.ts', async (t) => {
  const tree = {
    [`${SERVICE}/resources/a/rules.ts`]: "import '../b/rows.ts';\nimport '../b/index.ts';",
    [`${SERVICE}/resources/a/deep/rules.ts`]: "import '../../b/deep/index.ts';",
    [`${SERVICE}/resources/a/rules.test.ts`]: "import '../b/testing.ts';",
  };
  const empty = ['rows.ts', 'index.ts', 'testing.ts', 'deep/index.ts'].map(
    (file) => `${SERVICE}/resources/b/${file}`,
  );
  const message = 'another family is imported through its index.ts only, and not';
  assert.deepEqual(await complaints(t, tree, empty), [
    `${SERVICE}/resources/a/deep/rules.ts:1  ${message} ${SERVICE}/resources/b/deep/index.ts`,
    `${SERVICE}/resources/a/rules.ts:1  ${message} ${SERVICE}/resources/b/rows.ts`,
  ]);
});

test('files that all families share import no family', async (t) => {
  const tree = { [`${SERVICE}/resources/services.ts`]: "import './a/index.ts';" };
  assert.deepEqual(await complaints(t, tree, [`${SERVICE}/resources/a/index.ts`]), [
    `${SERVICE}/resources/services.ts:1  what the families share must not import the family of ${SERVICE}/resources/a/index.ts`,
  ]);
});

test('sibling folders that import each other in a circle are found, at any depth', async (t) => {
  const tree = {
    [`${SERVICE}/resources/a/x/one.ts`]: "import '../y/two.ts';",
    [`${SERVICE}/resources/a/y/two.ts`]: "import '../z/three.ts';",
    [`${SERVICE}/resources/a/z/deep/four.ts`]: "import type { Five } from '../../x/five.ts';",
    [`${SERVICE}/resources/a/z/three.test.ts`]: "import '../y/two.ts';",
  };
  const empty = ['z/three.ts', 'x/five.ts'].map((file) => `${SERVICE}/resources/a/${file}`);
  const found = await complaints(t, tree, empty);
  assert.equal(found.length, 1);
  assert.match(
    found[0] ?? '',
    /^packages\/service\/src\/resources\/a {2}circle of folders: x → y → z → x \(.*x\/one\.ts imports .*y\/two\.ts; /,
  );
});

test('only tests import files that are for tests', async (t) => {
  const tree = {
    [`${SERVICE}/store/a.ts`]: "import './testing.ts';",
    [`${SERVICE}/store/a.test.ts`]: "import './testing.ts';",
    [`${SERVICE}/store/b.ts`]: "import '../../../../bench/b.ts';",
  };
  const empty = [`${SERVICE}/store/testing.ts`, 'bench/b.ts'];
  assert.deepEqual(await complaints(t, tree, empty), [
    `${SERVICE}/store/a.ts:1  for tests only: ${SERVICE}/store/testing.ts`,
    `${SERVICE}/store/b.ts:1  @portolan/service must not import by path bench/b.ts`,
    `${SERVICE}/store/b.ts:1  packages must not import bench/b.ts`,
  ]);
});

test('whole-service tests import nothing from the packages', async (t) => {
  const tree = { 'test/deep/a.test.ts': "import '../../packages/service/src/boot/settings.ts';" };
  assert.deepEqual(await complaints(t, tree, [`${SERVICE}/boot/settings.ts`]), [
    `test/deep/a.test.ts:1  whole-service tests must not import ${SERVICE}/boot/settings.ts`,
  ]);
});

test('a folder that the order does not name is found', async (t) => {
  assert.deepEqual(await complaints(t, {}, [`${SERVICE}/attic/a.ts`, `${ENGINE}/commands/attic/a.ts`]), [
    `${ENGINE}/commands/attic/a.ts  stands in no part of scripts/check/imports/order.ts`,
    `${SERVICE}/attic/a.ts  stands in no part of scripts/check/imports/order.ts`,
  ]);
});

test('the layers of the engine and the areas of its commands have an order, which tests need not keep', async (t) => {
  const tree = {
    [`${ENGINE}/bson/a.ts`]: "import type { A } from '../language/a.ts';",
    [`${ENGINE}/bson/a.test.ts`]: "import '../worker/a.ts';",
    [`${ENGINE}/storage/a.ts`]: "import '../commands/crud/a.ts';",
    [`${ENGINE}/commands/views/a.ts`]: "import '../aggregation/a.ts';\nimport '../context/a.ts';",
  };
  const empty = [
    'language/a.ts',
    'worker/a.ts',
    'commands/crud/a.ts',
    'commands/aggregation/a.ts',
    'commands/context/a.ts',
  ];
  assert.deepEqual(
    await complaints(
      t,
      tree,
      empty.map((path) => `${ENGINE}/${path}`),
    ),
    [
      `${ENGINE}/bson/a.ts:1  engine bson must not import ${ENGINE}/language/a.ts`,
      `${ENGINE}/commands/views/a.ts:1  commands views must not import ${ENGINE}/commands/aggregation/a.ts`,
      `${ENGINE}/storage/a.ts:1  engine storage must not import ${ENGINE}/commands/crud/a.ts`,
    ],
  );
});

test('rows.ts imports the store, its own family and nothing else of the service', async (t) => {
  const tree = {
    [`${SERVICE}/resources/a/deep/rows.ts`]:
      "import '../b.ts';\nimport '../../../store/index.ts';\nimport '../../../api/paging.ts';",
  };
  const empty = ['resources/a/b.ts', 'store/index.ts', 'api/paging.ts'].map((path) => `${SERVICE}/${path}`);
  assert.deepEqual(await complaints(t, tree, empty), [
    `${SERVICE}/resources/a/deep/rows.ts:3  rows.ts imports the store and its own family, and not ${SERVICE}/api/paging.ts`,
  ]);
});

test('files that import each other in a circle are found once, types included', async (t) => {
  const tree = {
    [`${SERVICE}/store/a.ts`]: "import { b } from './b.ts';\nexport const a = b;",
    [`${SERVICE}/store/b.ts`]: "\nimport type { C } from './c.ts';\nexport const b = 1;",
    [`${SERVICE}/store/c.ts`]: "export type C = import('./a.ts').A;",
  };
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `${SERVICE}/store/${name}.ts`);
  assert.deepEqual(await complaints(t, tree), [`${a}:1  circle of files: ${a} → ${b} → ${c} → ${a}`]);
});
