import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { folderStore } from './folder.ts';
import { storeTests } from './testing.ts';

describe('objects in a folder', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'objects-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  void storeTests(() => folderStore(folder));

  test('leave nothing behind after a failed or interrupted write', async () => {
    const store = folderStore(folder);
    await store.put('cut/kept', Buffer.from('1'));
    // A folder already has the target path.
    await mkdir(join(folder, 'cut/taken/inside'), { recursive: true });
    // The message names the object but not the folder's path.
    await assert.rejects(store.put('cut/taken', Buffer.from('2')), ({ message }: Error) => {
      assert.match(message, /^object cut\/taken cannot be written: .* \(E[A-Z]+\)$/);
      return !message.includes(folder);
    });
    assert.deepEqual((await readdir(join(folder, 'cut'))).toSorted(), ['kept', 'taken']);
    await writeFile(join(folder, 'cut/other.new'), 'half');
    assert.deepEqual([...(await store.list('cut/')).keys()], ['kept']);
    await store.tidy?.('cut/');
    assert.deepEqual((await readdir(join(folder, 'cut'))).toSorted(), ['kept', 'taken']);
    await store.tidy?.('nothing/');
  });
});
