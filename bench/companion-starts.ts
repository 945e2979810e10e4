/** Starts what a suite of tests starts, twice, and prints how long each took until its first answer. */
import { MongoClient } from 'mongodb';
import { startEngine } from '../src/library/engine.ts';
import { start } from '../src/library/index.ts';
import { MongoMemoryServer } from '../src/library/memory-server/index.ts';
import { milliseconds } from './support.ts';

const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
  'portolan/engine': async () => write((await startEngine()).uri),
  'portolan/memory-server': async () => write((await MongoMemoryServer.create()).getUri()),
  portolan: async () => (await fetch(`${(await start()).url}/readyz`)).text(),
};

async function write(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  await client.db('harbour').collection('ships').insertOne({ name: 'Anna' });
  await client.close();
}

const { kind } = JSON.parse(process.argv[2] ?? '') as { readonly kind: string };

async function measured(): Promise<number> {
  const begun = performance.now();
  await kinds[kind]?.();
  return milliseconds(begun);
}

console.log(JSON.stringify([await measured(), await measured()]));
