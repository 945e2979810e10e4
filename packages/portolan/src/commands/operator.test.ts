import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDataDirectory } from '@portolan/service/store';
import { operatorOf } from './operator.ts';

test('a command that cannot reach its service says why in one sentence', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'portolan-operator-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const taken = openDataDirectory(directory);
  t.after(() => taken.close());
  const other = createServer((_, reply) => reply.end('<html>Welcome</html>'));
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  t.after(() => other.close());
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const file = join(directory, 'bootstrap.json');
  const missing = join(directory, 'missing.pem');
  const refusals: readonly [content: unknown, message: RegExp][] = [
    ['{', /bootstrap\.json is damaged: it is not JSON$/],
    [null, /bootstrap\.json is damaged: its url is not the address of a service$/],
    [{ operatorToken: 't' }, /bootstrap\.json is damaged: its url is not the address of a service$/],
    [
      { operatorToken: 't', url: 'nonsense' },
      /bootstrap\.json is damaged: its url is not the address of a service$/,
    ],
    [{ url }, /bootstrap\.json is damaged: it has no operatorToken$/],
    [{ url, operatorToken: 't', caCertificate: missing }, /missing\.pem cannot be read: ENOENT/],
    [{ url, operatorToken: 't' }, /^The server at http:\S+ is not the service: it is not JSON$/],
  ];
  for (const [content, message] of refusals) {
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    const called = async () => (await operatorOf(directory)).call('GET', '/states');
    await assert.rejects(called(), { name: 'ConfigError', message });
  }
});
