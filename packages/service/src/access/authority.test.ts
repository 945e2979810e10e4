import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { testClock } from '@portolan/foundation/testing';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import { emptyDatabase, onEachDatabase } from '@portolan/test-support/databases';
import { openServerCertificate, serverNames } from './authority.ts';
import { openInstance, type TestInstance } from './testing.ts';

const DAY_MS = 86_400_000;

async function authorityFileIn(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'portolan-authority-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'ca.pem');
}

async function open(t: TestContext, instance: TestInstance, authorityFile: string, names = ['localhost']) {
  const source = await openServerCertificate({ ...instance, names, authorityFile });
  t.after(() => source.close());
  return source;
}

const signs = (authority: string, { cert }: Certificate) =>
  new X509Certificate(cert).verify(new X509Certificate(authority).publicKey);

onEachDatabase('authority and certificate are created once and reused', async (t, database) => {
  const file = await authorityFileIn(t);
  const first = await openInstance(t, database);
  const made = (await open(t, first, file)).current();
  const authority = await readFile(file, 'utf8');
  assert.ok(signs(authority, made));
  const { mtimeMs } = await stat(file);
  await first.close();
  const second = await openInstance(t, database, first.machine);
  assert.deepEqual((await open(t, second, file)).current(), made);
  assert.equal((await stat(file)).mtimeMs, mtimeMs, 'the file was not written again');
});

test('instances that start at once share one authority, and each has its own names', async (t) => {
  const database = await emptyDatabase.postgres(t);
  const [file, otherFile] = [await authorityFileIn(t), await authorityFileIn(t)];
  const [one, two] = [await openInstance(t, database), await openInstance(t, database)];
  const [here, there] = await Promise.all([
    open(t, one, file, ['localhost', 'one.example.org']),
    open(t, two, otherFile, ['localhost', 'two.example.org']),
  ]);
  const authority = await readFile(file, 'utf8');
  assert.equal(await readFile(otherFile, 'utf8'), authority);
  assert.ok(signs(authority, here.current()) && signs(authority, there.current()));
  assert.ok(new X509Certificate(there.current().cert).checkHost('two.example.org'));
});

onEachDatabase('certificates are renewed before they expire, while the service runs', async (t, database) => {
  const file = await authorityFileIn(t);
  const clock = testClock();
  const instance = await openInstance(t, database, clock);
  const source = await open(t, instance, file);
  const [first, authority] = [source.current(), await readFile(file, 'utf8')];
  const changed = () => new Promise<Certificate>((resolve) => source.onChange(resolve));
  let renewed = changed();
  clock.sleep(368 * DAY_MS);
  const second = await renewed;
  assert.notEqual(second.cert, first.cert);
  assert.ok(signs(authority, second));
  assert.deepEqual(source.current(), second);
  renewed = changed();
  // `turn` waits until this renewal has ended and the timer for the next hour is set.
  await turn();
  clock.sleep(3000 * DAY_MS);
  const third = await renewed;
  const nextAuthority = await readFile(file, 'utf8');
  assert.notEqual(nextAuthority, authority, 'the authority is renewed too');
  assert.ok(signs(nextAuthority, third) && signs(authority, third), 'with the same key');
});

test('the names of a server are its listening host, its machine names and the host of its public URL', () => {
  assert.deepEqual(serverNames('127.0.0.1', 'https://127.0.0.1:8443'), ['127.0.0.1', 'localhost', '::1']);
  assert.deepEqual(serverNames('0.0.0.0', 'https://Portolan.Example.org'), [
    'localhost',
    '127.0.0.1',
    '::1',
    'portolan.example.org',
  ]);
  assert.deepEqual(serverNames('::', 'https://[2001:DB8::1]:8443'), [
    'localhost',
    '127.0.0.1',
    '::1',
    '2001:db8::1',
  ]);
});

test('the certificate library is loaded only to create certificates', async (t) => {
  const database = await emptyDatabase.sqlite(t);
  const file = await authorityFileIn(t);
  const script = `
    const { openServerCertificate } = await import(${JSON.stringify(import.meta.resolve('./authority.ts'))});
    const { openInstance } = await import(${JSON.stringify(import.meta.resolve('./testing.ts'))});
    const { createRequire } = await import('node:module');
    const instance = await openInstance({ after() {} }, ${JSON.stringify(database)});
    const names = ['localhost'];
    await openServerCertificate({ ...instance, names, authorityFile: ${JSON.stringify(file)} });
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(loaded.some((path) => path.includes('peculiar')));
    await instance.close();`;
  const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  assert.equal((await start()).stdout, 'true\n', 'first start');
  assert.equal((await start()).stdout, 'false\n', 'later starts');
});
