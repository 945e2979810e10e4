/**
 * Starts a database or a service twice, as a test suite does, and prints the time from each start until the first
 * reply. Uses the published package, as the test run of another project does.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { milliseconds } from './support.ts';

type Library = typeof import('../packages/engine/src/library/index.ts') &
  typeof import('../packages/portolan/src/library/index.ts') &
  typeof import('../packages/engine/src/library/memory-server/index.ts');

const kinds: Readonly<Record<string, (library: Library) => Promise<unknown>>> = {
  'portolan/engine': async ({ startEngine }) => write((await startEngine()).uri),
  'portolan/memory-server': async ({ MongoMemoryServer }) =>
    write((await MongoMemoryServer.create()).getUri()),
  portolan: async ({ start }) => (await fetch(`${(await start()).url}/readyz`)).text(),
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
const start = kinds[kind];
// Resolve the package by its exports, as in a project that has installed it.
const resolve = createRequire(join(folder, 'package.json')).resolve;
const library: Library = await import(resolve(kind));

async function measured(): Promise<number> {
  const begun = performance.now();
  await start?.(library);
  return milliseconds(begun);
}

console.log(JSON.stringify([await measured(), await measured()]));
