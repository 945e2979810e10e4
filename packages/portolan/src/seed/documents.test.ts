import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentsOf } from './documents.ts';

test('documents keep their BSON types, and an invalid one is rejected with its position', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const read = (file: string, content: string, documents: Record<string, unknown>[] = []) => {
    writeFileSync(join(folder, file), content);
    const data = { database: 'harbour', collection: 'ships', documents, file };
    return documentsOf(data, 'data[0]', join(folder, 'seed.json')).map(({ document }) => document);
  };
  const since = { $date: '2026-11-22T00:00:00Z' };
  const date = new Date(since.$date);
  assert.deepEqual(read('lines', '{"_id": 1}\n\n{"_id": 2}\n', [{ since }]), [
    { since: date },
    { _id: 1 },
    { _id: 2 },
  ]);
  assert.deepEqual(read('list', '[{"_id": 3}]'), [{ _id: 3 }]);
  const refused: readonly [file: string, content: string, message: RegExp][] = [
    ['lines', '{"_id": 1}\n\n{"_id": }', /\/lines, line 3: .*JSON/],
    ['lines', '{"_id": 1}\n7', /\/lines, line 2 is not a document$/],
    ['list', '[{"_id": 1}, null]', /\/list\[1\] is not a document$/],
    ['list', '[{"_id": { "$oid": "7" } }]', /\/list\[0\]: /],
    ['list', '[{', /\/list: /],
  ];
  for (const [file, content, message] of refused)
    assert.throws(() => read(file, content), { name: 'ConfigError', message });
  assert.throws(
    () => read('list', '[]', [{ _id: { $oid: '7' } }]),
    /^ConfigError: data\[0\]\.documents\[0\]: /,
  );
});
