import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesThatShare, filesThatUse, filesWithServices, inOrder, testFiles } from './files.ts';
import { textOf } from './texts.ts';

const sources = [
  textOf('packages/service/src/store/open.test.ts', "import './suite.ts';"),
  textOf(
    'packages/service/src/store/suite.ts',
    "import { connect } from '@portolan/test-support/database';",
    [
      {
        name: '@portolan/test-support',
        folder: 'test/support',
        exports: { './*': './*.ts' },
        dependencies: new Set(),
      },
    ],
  ),
  textOf('packages/service/src/api/edge.test.ts', "import './edge.ts';"),
  textOf('test/story.test.ts', ''),
  textOf('test/killed-hosts.test.ts', ''),
  textOf('test/support/database.ts', 'export const url = process.env.SETTING;'),
];

test('test files are found by their name, and selected by parts of their path', () => {
  assert.deepEqual(testFiles(sources, { filters: [], isLong: false }), [
    'packages/service/src/store/open.test.ts',
    'packages/service/src/api/edge.test.ts',
    'test/story.test.ts',
  ]);
  assert.deepEqual(testFiles(sources, { filters: ['api/', 'story'], isLong: false }), [
    'packages/service/src/api/edge.test.ts',
    'test/story.test.ts',
  ]);
});

test('long tests run by their flag, or when a part of their path is named', () => {
  assert.deepEqual(testFiles(sources, { filters: [], isLong: true }), ['test/killed-hosts.test.ts']);
  assert.deepEqual(testFiles(sources, { filters: ['hosts'], isLong: false }), ['test/killed-hosts.test.ts']);
});

test('a file uses a setting if it imports, directly or not, a file that mentions it', () => {
  const users = filesThatUse(sources, 'SETTING');
  assert.deepEqual([...users].toSorted(), [
    'packages/service/src/store/open.test.ts',
    'packages/service/src/store/suite.ts',
    'test/support/database.ts',
  ]);
});

test('whole-service tests come first, and among equals, files that need the database come last', () => {
  const files = [
    'packages/service/src/a.test.ts',
    'packages/service/src/waits.test.ts',
    'test/waits.test.ts',
    'test/b.test.ts',
  ];
  const waiting = new Set(['packages/service/src/waits.test.ts', 'test/waits.test.ts']);
  assert.deepEqual(inOrder(files, waiting), [
    'test/b.test.ts',
    'test/waits.test.ts',
    'packages/service/src/a.test.ts',
    'packages/service/src/waits.test.ts',
  ]);
});

test('whole-service tests share services unless one of their suites needs its own', () => {
  const setups = 'test/support/setups.ts';
  const tests = [
    textOf('test/form.test.ts', "import { onOneSetup } from './support/setups.ts';"),
    textOf('test/clock.test.ts', "import { own } from './support/setups.ts'; own.onEachSetup();"),
    textOf('test/later.test.ts', "import { timed } from './support/setups.ts'; timed.onEachSetup();"),
    textOf('test/start.test.ts', ''),
  ];
  const all = [...tests, textOf(setups, 'export function shareSetups() {}')];
  assert.deepEqual([...filesWithServices(all)], ['test/clock.test.ts']);
  assert.deepEqual(
    [...filesThatShare(all)],
    [
      ['test/form.test.ts', 'shared'],
      ['test/later.test.ts', 'timed'],
    ],
  );
});
