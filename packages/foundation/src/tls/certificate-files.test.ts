import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { MachineClock } from '../clock.ts';
import { type Log, silentLog } from '../log.ts';
import { systemRandom } from '../random.ts';
import { issueServerCertificate, makeAuthority } from './authority.ts';
import { openCertificateFiles } from './certificate-files.ts';

const DAY_MS = 86_400_000;
const random = systemRandom();
const start = Date.UTC(2026, 0, 1);
const authority = await makeAuthority({ now: start, random });
const issue = (now = start) => issueServerCertificate(authority, ['localhost'], { now, random });

async function filesIn(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'portolan-tls-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
}

/**
 * Returns a machine clock, a log whose messages are collected, and a function that fires the next timer of the clock.
 */
function parts(now = start) {
  const waiting: Array<() => void> = [];
  const messages: string[] = [];
  const machine: MachineClock = {
    now: () => now,
    monotonic: () => 0,
    after: (_, run) => {
      waiting.push(run);
      return () => {};
    },
  };
  const keep = (_: object, message: string) => void messages.push(message);
  const log: Log = { ...silentLog(), warn: keep, error: keep };
  return { machine, log, messages, passHour: () => waiting.shift()?.() };
}

test('a certificate and its key are served unchanged', async (t) => {
  const files = await filesIn(t);
  const own = await issue();
  await writeFile(files.certFile, own.cert);
  await writeFile(files.keyFile, own.key);
  const { messages, ...rest } = parts();
  const source = await openCertificateFiles(files, rest);
  assert.deepEqual(source.current(), own);
  assert.deepEqual(messages, []);
});

test('changed files are served within an hour, invalid ones are not', async (t) => {
  const files = await filesIn(t);
  const [first, second] = [await issue(), await issue()];
  await writeFile(files.certFile, first.cert);
  await writeFile(files.keyFile, first.key);
  const { messages, passHour, ...rest } = parts();
  const source = await openCertificateFiles(files, rest);
  const served = Promise.withResolvers<unknown>();
  source.onChange(served.resolve);
  await writeFile(files.certFile, second.cert);
  passHour();
  while (messages.length === 0) await setImmediate();
  assert.deepEqual(messages, ['the certificate could not be renewed']);
  assert.deepEqual(source.current(), first);
  await writeFile(files.keyFile, second.key);
  passHour();
  assert.deepEqual(await served.promise, second);
  assert.deepEqual(source.current(), second);
});

test('each error in the files is one sentence', async (t) => {
  const files = await filesIn(t);
  const own = await issue();
  const opening = () => openCertificateFiles(files, parts());
  const fails = (message: RegExp) => assert.rejects(opening(), { name: 'CertificateError', message });
  await fails(/^The TLS certificate file .*cert\.pem cannot be read \(ENOENT\)$/);
  await writeFile(files.certFile, 'nonsense');
  await fails(/^The TLS key file .*key\.pem cannot be read \(ENOENT\)$/);
  await writeFile(files.keyFile, own.key);
  await fails(/^The file .*cert\.pem does not contain a certificate in PEM$/);
  await writeFile(files.certFile, own.cert);
  await writeFile(files.keyFile, 'nonsense');
  await fails(/^The file .*key\.pem does not contain a private key in PEM without a passphrase$/);
  await writeFile(files.keyFile, (await issue()).key);
  await fails(/^The TLS key in .*key\.pem does not belong to the certificate in .*cert\.pem$/);
});

test('a certificate that is not valid today is served with a warning', async (t) => {
  const files = await filesIn(t);
  const own = await issue();
  await writeFile(files.certFile, own.cert);
  await writeFile(files.keyFile, own.key);
  const [late, early] = [parts(start + 398 * DAY_MS), parts(start - DAY_MS)];
  assert.deepEqual((await openCertificateFiles(files, late)).current(), own);
  assert.deepEqual(late.messages, ['the TLS certificate has expired']);
  await openCertificateFiles(files, early);
  assert.deepEqual(early.messages, ['the TLS certificate is not valid yet']);
});
