import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLayers } from './layers.ts';
import { parseSource } from './source.ts';

/** What the rule says about a tree of files, as `path:line message`. */
function complaints(files: Record<string, string>): string[] {
  const sources = Object.entries(files).map(([path, text]) => parseSource(path, text));
  return checkLayers(sources).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

test('a tree that keeps the direction has no findings', () => {
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
  assert.deepEqual(complaints(tree), []);
});

test('an inner layer that imports an outer one is found, also when it imports types alone', () => {
  assert.deepEqual(complaints({ 'src/store/a.ts': "\nimport type { B } from '../api/b.ts';" }), [
    'src/store/a.ts:2 store must not import api',
  ]);
  assert.deepEqual(complaints({ 'src/runtime/a.ts': "export { b } from '../store/b.ts';" }), [
    'src/runtime/a.ts:1 runtime must not import store',
  ]);
  assert.deepEqual(complaints({ 'src/tasks/a.ts': "const b = await import('../resources/b/index.ts');" }), [
    'src/tasks/a.ts:1 tasks must not import resources',
  ]);
  assert.deepEqual(complaints({ 'src/tasks/a.ts': "let b: import('../service.ts').Service;" }), [
    'src/tasks/a.ts:1 tasks must not import service',
  ]);
});

test('the engine imports nothing but runtime', () => {
  assert.deepEqual(complaints({ 'src/engine/embedded/a.ts': "import '../../store/b.ts';" }), [
    'src/engine/embedded/a.ts:1 engine must not import store',
  ]);
});

test('access never imports the edge', () => {
  assert.deepEqual(complaints({ 'src/access/a.ts': "import '../api/b.ts';" }), [
    'src/access/a.ts:1 access must not import api',
  ]);
});

test('layers of one rank must not form a cycle', () => {
  const tree = {
    'src/api/a.ts': "import '../tasks/a.ts';",
    'src/tasks/a.ts': "import '../events/a.ts';",
    'src/events/a.ts': "import '../api/a.ts';\nimport '../access/a.ts';",
  };
  assert.deepEqual(complaints(tree), [
    'src/api/a.ts:1 cycle of layers: tasks also reaches api',
    'src/tasks/a.ts:1 cycle of layers: events also reaches tasks',
    'src/events/a.ts:1 cycle of layers: api also reaches events',
  ]);
});

test('a family is imported through its index alone', () => {
  assert.deepEqual(complaints({ 'src/resources/a/rules.ts': "import '../b/rows.ts';" }), [
    'src/resources/a/rules.ts:1 b is imported through its index.ts only',
  ]);
  assert.deepEqual(complaints({ 'src/resources/a/deep/rules.ts': "import '../../b/deep/index.ts';" }), [
    'src/resources/a/deep/rules.ts:1 b is imported through its index.ts only',
  ]);
});

test('what the families share knows no family', () => {
  assert.deepEqual(complaints({ 'src/resources/services.ts': "import './a/index.ts';" }), [
    'src/resources/services.ts:1 what the families share must not import the family a',
  ]);
});

test('families must not form a cycle', () => {
  const tree = {
    'src/resources/a/rules.ts': "import '../b/index.ts';",
    'src/resources/b/rules.ts': "import '../a/index.ts';",
  };
  assert.deepEqual(complaints(tree), [
    'src/resources/a/rules.ts:1 cycle of families: b also reaches a',
    'src/resources/b/rules.ts:1 cycle of families: a also reaches b',
  ]);
});

test('source does not import tests, benchmarks or scripts', () => {
  const tree = {
    'src/api/a.ts': "import '../../test/support/b.ts';",
    'src/store/a.test.ts': "import '../../test/b.ts';",
    'src/store/b.ts': "import '../../bench/b.ts';",
    'src/store/c.ts': "import '../../scripts/b.ts';",
  };
  assert.deepEqual(complaints(tree), [
    'src/api/a.ts:1 src imports nothing from test',
    'src/store/a.test.ts:1 src imports nothing from test',
    'src/store/b.ts:1 src imports nothing from bench',
    'src/store/c.ts:1 src imports nothing from scripts',
  ]);
});

test('what is for tests is imported by tests only', () => {
  const tree = {
    'src/store/a.ts': "import './testing.ts';",
    'src/engine/b.ts': "import './testing/c.ts';",
    'src/store/a.test.ts': "import './testing.ts';",
    'src/store/testing.ts': "import '../../test/support/databases.ts';",
  };
  assert.deepEqual(complaints(tree), [
    'src/store/a.ts:1 testing.ts is for tests only',
    'src/engine/b.ts:1 c.ts is for tests only',
  ]);
});

test('whole-service tests do not import the source', () => {
  assert.deepEqual(complaints({ 'test/deep/a.test.ts': "import '../../src/config.ts';" }), [
    'test/deep/a.test.ts:1 whole-service tests import nothing from src',
  ]);
});

test('a folder of the source that no layer names is found', () => {
  assert.deepEqual(complaints({ 'src/attic/a.ts': '' }), [
    'src/attic/a.ts:undefined src/attic stands in no layer of scripts/check/layers.ts',
  ]);
});
