import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { type TestContext, test } from 'node:test';
import { folderWith } from '../../testing.ts';
import { formatFinding } from '../finding.ts';
import { readTree } from '../tree.ts';
import { checkImports } from './imports.ts';

/** What the rules say about a tree of files. Files that are imported and not given are empty. */
async function complaints(t: TestContext, files: Record<string, string>, empty: readonly string[] = []) {
  const others = Object.fromEntries(empty.map((path) => [path, 'export {};\n']));
  const findings = await checkImports(readTree(folderWith(t, { ...others, ...files })));
  return findings.map(formatFinding).toSorted();
}

test('a tree that keeps the order has no findings', async (t) => {
  const tree = {
    'src/main.ts': "import { service } from './service.ts';",
    'src/service.ts': "import './resources/clusters/index.ts';",
    'src/resources/clusters/index.ts': "import type { Family } from '../family.ts';\nimport './rows.ts';",
    'src/resources/projects/index.ts': "import { a } from '../clusters/index.ts';\nimport fs from 'node:fs';",
    'src/api/edge.ts': "import type { Caller } from '../access/caller.ts';\nimport '../store/index.ts';",
    'src/engine/engine.ts': "import type { Clock } from '../runtime/clock.ts';",
    'src/store/store.test.ts': "import { startPostgres } from '../../test/support/postgres.ts';",
    'test/tour.test.ts': "import './support/service.ts';",
  };
  const empty = [
    'src/resources/family.ts',
    'src/resources/clusters/rows.ts',
    'src/access/caller.ts',
    'src/store/index.ts',
    'src/runtime/clock.ts',
    'test/support/postgres.ts',
    'test/support/service.ts',
  ];
  assert.deepEqual(await complaints(t, tree, empty), []);
});

test('an inner layer that imports an outer one is found, however it imports it', async (t) => {
  const tree = {
    'src/store/a.ts': "\nimport type { B } from '../api/b.ts';",
    'src/runtime/a.ts': "export { b } from '../store/b.ts';",
    'src/tasks/a.ts': "const b = await import('../resources/b/index.ts');",
    'src/events/a.ts': "let b: import('../service.ts').Service;",
    'src/service.ts': "import './main.ts';",
  };
  const empty = ['src/api/b.ts', 'src/store/b.ts', 'src/resources/b/index.ts', 'src/main.ts'];
  assert.deepEqual(await complaints(t, tree, empty), [
    'src/events/a.ts:1  events must not import src/service.ts',
    'src/runtime/a.ts:1  runtime must not import src/store/b.ts',
    'src/service.ts:1  service must not import src/main.ts',
    'src/store/a.ts:2  store must not import src/api/b.ts',
    'src/tasks/a.ts:1  tasks must not import src/resources/b/index.ts',
  ]);
});

test('the layers in the middle have an order too: access never imports the edge', async (t) => {
  const tree = {
    'src/access/a.ts': "import '../api/b.ts';",
    'src/api/b.ts': "import '../tasks/b.ts';",
    'src/tasks/b.ts': "import '../access/b.ts';\nimport '../events/b.ts';",
  };
  assert.deepEqual(await complaints(t, tree, ['src/access/b.ts', 'src/events/b.ts']), [
    'src/access/a.ts:1  access must not import src/api/b.ts',
    'src/tasks/b.ts:1  tasks must not import src/access/b.ts',
  ]);
});

test('the engine imports nothing but runtime', async (t) => {
  const tree = { 'src/engine/embedded/storage/a.ts': "import '../../../store/b.ts';" };
  assert.deepEqual(await complaints(t, tree, ['src/store/b.ts']), [
    'src/engine/embedded/storage/a.ts:1  engine imports nothing but runtime, and not src/store/b.ts',
  ]);
});

test('a family is imported through its index alone', async (t) => {
  const tree = {
    'src/resources/a/rules.ts': "import '../b/rows.ts';\nimport '../b/index.ts';",
    'src/resources/a/deep/rules.ts': "import '../../b/deep/index.ts';",
    'src/resources/a/rules.test.ts': "import '../b/testing.ts';",
  };
  const files = ['rows.ts', 'index.ts', 'testing.ts', 'deep/index.ts'];
  const empty = files.map((file) => `src/resources/b/${file}`);
  const message = 'another family is imported through its index.ts only, and not';
  assert.deepEqual(await complaints(t, tree, empty), [
    `src/resources/a/deep/rules.ts:1  ${message} src/resources/b/deep/index.ts`,
    `src/resources/a/rules.ts:1  ${message} src/resources/b/rows.ts`,
  ]);
});

test('what the families share knows no family', async (t) => {
  const tree = { 'src/resources/services.ts': "import './a/index.ts';" };
  assert.deepEqual(await complaints(t, tree, ['src/resources/a/index.ts']), [
    'src/resources/services.ts:1  what the families share must not import the family of src/resources/a/index.ts',
  ]);
});

test('families must not form a circle, even where their files do not', async (t) => {
  const tree = {
    'src/resources/a/rules.ts': "import '../b/index.ts';",
    'src/resources/b/deep/rules.ts': "import '../../a/index.ts';",
  };
  assert.deepEqual(await complaints(t, tree, ['src/resources/a/index.ts', 'src/resources/b/index.ts']), [
    'src/resources/a  circle of families: src/resources/a → src/resources/b → src/resources/a',
  ]);
});

test('source does not import tests, benchmarks or scripts', async (t) => {
  const tree = {
    'src/api/a.ts': "import '../../test/support/b.ts';",
    'src/store/a.test.ts': "import '../../test/b.ts';",
    'src/store/b.ts': "import '../../bench/b.ts';",
    'src/store/c.ts': "import '../../scripts/b.ts';",
  };
  const empty = ['test/support/b.ts', 'test/b.ts', 'bench/b.ts', 'scripts/b.ts'];
  assert.deepEqual(await complaints(t, tree, empty), [
    'src/api/a.ts:1  src must not import test/support/b.ts',
    'src/store/a.test.ts:1  src must not import test/b.ts',
    'src/store/b.ts:1  src must not import bench/b.ts',
    'src/store/c.ts:1  src must not import scripts/b.ts',
  ]);
});

test('what is for tests is imported by tests only', async (t) => {
  const tree = {
    'src/store/a.ts': "import './testing.ts';",
    'src/engine/index.ts': "import './embedded/wire/testing/c.ts';",
    'src/store/a.test.ts': "import './testing.ts';",
    'src/store/testing.ts': "import '../../test/support/databases.ts';",
  };
  const empty = ['src/engine/embedded/wire/testing/c.ts', 'test/support/databases.ts'];
  assert.deepEqual(await complaints(t, tree, empty), [
    'src/engine/index.ts:1  for tests only: src/engine/embedded/wire/testing/c.ts',
    'src/store/a.ts:1  for tests only: src/store/testing.ts',
  ]);
});

test('whole-service tests do not import the source', async (t) => {
  const tree = { 'test/deep/a.test.ts': "import '../../src/config.ts';" };
  assert.deepEqual(await complaints(t, tree, ['src/config.ts']), [
    'test/deep/a.test.ts:1  whole-service tests must not import src/config.ts',
  ]);
});

test('a folder of the source for which there is no order is found', async (t) => {
  const empty = ['src/attic/a.ts', 'src/engine/embedded/attic/a.ts'];
  assert.deepEqual(await complaints(t, {}, empty), [
    'src/attic/a.ts  stands in no part of scripts/check/imports/order.ts',
    'src/engine/embedded/attic/a.ts  stands in no part of scripts/check/imports/order.ts',
  ]);
});

test('rooms of the engine keep their order; tests inside of it look at it from outside', async (t) => {
  const tree = {
    'src/engine/embedded/bson/a.ts': "import type { A } from '../language/a.ts';",
    'src/engine/embedded/storage/a.ts': "import '../commands/crud/a.ts';\nimport '../language/a.ts';",
    'src/engine/embedded/wire/a.ts': "import '../host/a.ts';\nimport '../worker/a.ts';",
    'src/engine/embedded/host/a.ts': "import '../index.ts';\nimport '../../engine.ts';",
    'src/engine/embedded/bson/a.test.ts': "import '../worker/a.ts';",
  };
  const rooms = ['language/a.ts', 'commands/crud/a.ts', 'worker/a.ts', 'index.ts', '../engine.ts'];
  const empty = rooms.map((path) => posix.join('src/engine/embedded', path));
  assert.deepEqual(await complaints(t, tree, empty), [
    'src/engine/embedded/bson/a.ts:1  engine bson must not import src/engine/embedded/language/a.ts',
    'src/engine/embedded/host/a.ts:1  engine host must not import src/engine/embedded/index.ts',
    'src/engine/embedded/storage/a.ts:1  engine storage must not import src/engine/embedded/commands/crud/a.ts',
    'src/engine/embedded/wire/a.ts:1  engine wire must not import src/engine/embedded/host/a.ts',
  ]);
});

test('areas of commands keep their order, and rows.ts imports the store and its own family alone', async (t) => {
  const tree = {
    'src/engine/embedded/commands/views/a.ts': "import '../aggregation/a.ts';\nimport '../context/a.ts';",
    'src/resources/a/deep/rows.ts':
      "import '../../../api/paging.ts';\nimport '../b.ts';\nimport '../../../store/b.ts';",
  };
  const commands = 'src/engine/embedded/commands';
  const empty = [
    `${commands}/aggregation/a.ts`,
    `${commands}/context/a.ts`,
    `${commands}/attic/a.ts`,
    'src/api/paging.ts',
    'src/resources/a/b.ts',
    'src/store/b.ts',
  ];
  assert.deepEqual(await complaints(t, tree, empty), [
    'src/engine/embedded/commands/attic/a.ts  stands in no part of scripts/check/imports/order.ts',
    'src/engine/embedded/commands/views/a.ts:1  commands views must not import src/engine/embedded/commands/aggregation/a.ts',
    'src/resources/a/deep/rows.ts:1  rows.ts imports the store and its own family, and not src/api/paging.ts',
  ]);
});

test('files that import each other in a circle are found once, also where they import types alone', async (t) => {
  const tree = {
    'src/store/a.ts': "import { b } from './b.ts';\nexport const a = b;",
    'src/store/b.ts': "\nimport type { C } from './c.ts';\nexport const b = 1;",
    'src/store/c.ts': "export type C = import('./a.ts').A;",
    'test/support/a.ts': "import './b.ts';",
    'test/support/b.ts': "await import('./a.ts');",
  };
  assert.deepEqual(await complaints(t, tree), [
    'src/store/a.ts:1  circle of files: src/store/a.ts → src/store/b.ts → src/store/c.ts → src/store/a.ts',
    'test/support/a.ts:1  circle of files: test/support/a.ts → test/support/b.ts → test/support/a.ts',
  ]);
});
