import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { CompressibleBody } from './content-coding.ts';

const text = 'a ship '.repeat(1000);

test('a body is sent in the best coding that the client accepts', async () => {
  const made = new CompressibleBody(text);
  for (const [accept, coding, decode] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const) {
    const { body, headers } = await made.for({ 'accept-encoding': accept });
    assert.deepEqual(headers, { vary: 'accept-encoding', 'content-encoding': coding });
    assert.equal(decode(body).toString(), text);
  }
});

test('a client that accepts no known coding gets the body unchanged', async () => {
  for (const accept of [undefined, '', 'identity', 'zstd', 'br;q=0, gzip;q=0'])
    assert.deepEqual(await new CompressibleBody(text).for({ 'accept-encoding': accept }), {
      body: text,
      headers: { vary: 'accept-encoding' },
    });
});

test('a body is compressed once for each coding', async () => {
  const made = new CompressibleBody(text);
  const read = async () => (await made.for({ 'accept-encoding': 'gzip' })).body;
  assert.equal(await read(), await read());
});
