import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutPaths } from './paths-in-text.ts';

test('paths in a message are reduced to file names', () => {
  const cases = [
    [
      "EACCES: permission denied, open '/srv/my data/snapshots/c1/chunks/ab'",
      "EACCES: permission denied, open 'ab'",
    ],
    [
      "EXDEV: cross-device link, rename '/a/b.new' -> '/c/d'",
      "EXDEV: cross-device link, rename 'b.new' -> 'd'",
    ],
    ['/srv/data/clusters/c1/data.db is damaged (empty)', 'data.db is damaged (empty)'],
    ['the copy of C:\\data\\c1.db differs', 'the copy of c1.db differs'],
    ['no answer from https://host.example/a/b (503)', 'no answer from https://host.example/a/b (503)'],
    ['object c1/chunks/ab cannot be read', 'object c1/chunks/ab cannot be read'],
    ['3 of 4 documents and/or indexes', '3 of 4 documents and/or indexes'],
  ];
  for (const [message = '', shown] of cases) assert.equal(withoutPaths(message), shown);
});
