import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { folderStore } from './folder.ts';
import { storeTests } from './testing.ts';

describe('objects in a folder', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'objects-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  void storeTests(() => folderStore(folder));
});
