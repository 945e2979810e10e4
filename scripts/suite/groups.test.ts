import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupModule, inGroups } from './groups.ts';

const nothing: ReadonlySet<string> = new Set();
const noKinds = { waiting: nothing, sharing: new Map<string, string>(), serving: nothing };
const numbered = (folder: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${folder}/${i}.test.ts`);

test('at most twelve neighbouring files share a process', () => {
  const [api, language] = [
    numbered('packages/service/src/api', 14),
    numbered('packages/engine/src/language/filter', 2),
  ];
  const more = 'packages/engine/src/language/sort.test.ts';
  assert.deepEqual(inGroups([...api, ...language, more], noKinds), [
    api.slice(0, 12),
    api.slice(12),
    [...language, more],
  ]);
});

test('files that need the database server share a process only with each other', () => {
  const [one, two, three, four] = numbered('packages/service/src/store', 4) as [
    string,
    string,
    string,
    string,
  ];
  assert.deepEqual(inGroups([one, two, three, four], { ...noKinds, waiting: new Set([two, four]) }), [
    [one, three],
    [two, four],
  ]);
});

test('each test of programs or processes has its own process', () => {
  const files = [...numbered('test', 2), ...numbered('scripts/suite', 2)];
  assert.deepEqual(
    inGroups(files, noKinds),
    files.map((file) => [file]),
  );
});

test('at most four files that start engine hosts share a process', () => {
  const files = numbered('packages/engine/src/client', 5);
  assert.deepEqual(inGroups(files, noKinds), [files.slice(0, 4), files.slice(4)]);
});

test('the driver specifications share a process', () => {
  const [one, ...files] = numbered('packages/engine/src/client/specifications', 6) as [string, ...string[]];
  const other = 'packages/engine/src/client/tls.test.ts';
  assert.deepEqual(inGroups([one, other, ...files], noKinds), [[one, ...files], [other]]);
});

test('at most 16 whole-service tests that can share a service share a process, by kind', () => {
  const files = numbered('test', 20);
  const [one, two, three, ...others] = files as [string, string, string, ...string[]];
  const sharing = new Map([one, ...others].map((file) => [file, 'shared']));
  sharing.set(three, 'timed');
  assert.deepEqual(inGroups(files, { ...noKinds, sharing }), [
    [one, ...others].slice(0, 16),
    [two],
    [three],
    [one, ...others].slice(16),
  ]);
});

test('at most six long whole-service tests share a service', () => {
  const files = Array.from({ length: 8 }, (_, i) => `test/adopted-${i}.test.ts`);
  const sharing = new Map(files.map((file) => [file, 'shared']));
  assert.deepEqual(inGroups(files, { ...noKinds, sharing }), [files.slice(0, 6), files.slice(6)]);
});

test('at most three whole-service tests with their own services share a process', () => {
  const [program, ...files] = numbered('test', 6) as [string, ...string[]];
  const kinds = { ...noKinds, serving: new Set(files) };
  assert.deepEqual(inGroups([program, ...files], kinds), [[program], files.slice(0, 3), files.slice(3)]);
});

test('a file whose name needs quotes is still found', () => {
  assert.match(groupModule('/a b', [`c"d.test.ts`]), /import\("file:\/\/\/a%20b\/c%22d\.test\.ts"\)/);
});
