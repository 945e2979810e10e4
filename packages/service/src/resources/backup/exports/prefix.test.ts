import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderOf, partOf, prefixOf, secondOf } from './prefix.ts';

const place = {
  orgId: 'a'.repeat(24),
  orgName: 'Harbour & Sons  Ltd.',
  groupId: 'b'.repeat(24),
  groupName: 'Größe (test)/1',
  clusterName: 'fleet-1',
};
const at = { snapshot: new Date('2026-08-10T03:27:59.999Z'), second: 1786332480 };

test('a prefix names organization, project, cluster, snapshot and job', () => {
  const ids = `exported_snapshots/${place.orgId}/${place.groupId}/fleet-1/2026-08-10T0327/1786332480`;
  assert.equal(prefixOf(place, { ...at, names: false }), ids);
  assert.equal(secondOf(ids), at.second);
  assert.equal(
    prefixOf(place, { ...at, names: true }),
    'exported_snapshots/Harbour__Sons__Ltd/Größe_test1/fleet-1/2026-08-10T0327/1786332480',
  );
  const unnamed = prefixOf({ ...place, orgName: '***' }, { ...at, names: true });
  assert.equal(unnamed.split('/')[1], place.orgId);
});

test('a collection name becomes one segment of a key', () => {
  const parts = ['ports', 'a b.c', 'a/b', '../..', '..', '100%', 'a\\b', 'a\nb', 'é'];
  assert.deepEqual(parts.map(partOf), [
    'ports',
    'a b.c',
    'a%2Fb',
    '..%2F..',
    '%2E%2E',
    '100%25',
    'a%5Cb',
    'a%0Ab',
    'é',
  ]);
});

test('a name that is too long for a key is truncated, and remains distinct', () => {
  const prefix = `exported_snapshots/${'ö'.repeat(128)}/${'ö'.repeat(128)}/fleet/2026-08-10T0327/1`;
  const folders = ['a', 'b'].map((end) =>
    folderOf(prefix, { database: 'harbour', name: `${'/'.repeat(200)}${end}` }),
  );
  assert.notEqual(folders[0], folders[1]);
  for (const folder of folders) {
    assert.ok(Buffer.byteLength(folder) <= 1024 - 96);
    assert.match(folder, /\/harbour\/(%2F)+%24[\w-]{27}$/);
  }
  assert.equal(folderOf('p', { database: 'harbour', name: 'ports' }), 'p/harbour/ports');
});
