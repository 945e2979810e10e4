/**
 * Starts what a test suite starts, twice, and prints the time until each first response. It uses the package, as a
 * test run does.
 */
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { milliseconds } from './support.ts';

type Library = typeof import('../packages/engine/src/library/index.ts') &
  typeof import('../packages/portolan/src/library/index.ts') &
  typeof import('../packages/engine/src/library/memory-server/index.ts');

const kinds: Readonly<Record<string, { readonly file: string; start(library: Library): Promise<unknown> }>> =
  {
    'portolan/engine': {
      file: 'engine.js',
      start: async ({ startEngine }) => write((await startEngine()).uri),
    },
    'portolan/memory-server': {
      file: 'memory-server/index.js',
      start: async ({ MongoMemoryServer }) => write((await MongoMemoryServer.create()).getUri()),
    },
    portolan: {
      file: 'index.js',
      start: async ({ start }) => (await fetch(`${(await start()).url}/readyz`)).text(),
    },
  };

async function write(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  await client.db('harbour').collection('ships').insertOne({ name: 'Anna' });
  await client.close();
}

const { kind, folder } = JSON.parse(process.argv[2] ?? '') as {
  readonly kind: string;
  readonly folder: string;
};
const { file = '', start } = kinds[kind] ?? {};
const library: Library = await import(join(folder, 'dist/library', file));

async function measured(): Promise<number> {
  const begun = performance.now();
  await start?.(library);
  return milliseconds(begun);
}

console.log(JSON.stringify([await measured(), await measured()]));
