import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { ClusterStore } from '../storage/cluster-store.ts';

/**
 * Starts a writer in `dir`, kills it when it has acknowledged `writes` documents, and returns the acknowledged numbers.
 */
async function writeUntilKilled(dir: string, writes: number): Promise<number[]> {
  const writer = spawn(process.execPath, [join(import.meta.dirname, 'testing-writer.ts'), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  writer.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    if (output.split('\n').length > writes) writer.kill('SIGKILL');
  });
  const [, signal] = await once(writer, 'close');
  assert.equal(signal, 'SIGKILL');
  // The last line may be incomplete.
  return output.split('\n').slice(0, -1).map(Number);
}

describe('a process that is killed while it writes', () => {
  for (const writes of [5, 200, 1000]) {
    it(`has every acknowledged document in the file after ${writes} of them`, async () => {
      const dir = mkdtempSync(join(tmpdir(), 'crash-'));
      const acknowledged = await writeUntilKilled(dir, writes);
      const store = ClusterStore.open(dir, systemRandom(), { now: Date.now, term: () => 1 });
      const collection = store.collection('test', 'c');
      assert.ok(collection);
      const stored = new Set<number>();
      const stream = collection.scan({ kind: 'natural', reverse: false });
      for (let record = stream.next(); record; record = stream.next()) stored.add(record.doc.toObject()._id);
      store.close();
      rmSync(dir, { recursive: true });
      assert.ok(acknowledged.length >= writes);
      assert.deepEqual(
        acknowledged.filter((id) => !stored.has(id)),
        [],
      );
      assert.equal(collection.documents, stored.size);
    });
  }
});
