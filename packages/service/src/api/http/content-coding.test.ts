import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { CompressibleBody, entityTag } from './content-coding.ts';

const text = 'a ship '.repeat(1000);
const tag = entityTag(text);

/** Returns the entity tag of the text in a content coding. */
const tagIn = (coding: string) => `${tag.slice(0, -1)}-${coding}"`;

test('a body is sent in the best coding that the client accepts, with an entity tag of its own', async () => {
  const made = new CompressibleBody(text);
  for (const [accept, coding, decode] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const) {
    const { status, body, headers } = await made.for({ 'accept-encoding': accept });
    const etag = tagIn(coding);
    assert.deepEqual([status, headers], [200, { vary: 'accept-encoding', 'content-encoding': coding, etag }]);
    assert.equal(decode(body).toString(), text);
  }
});

test('a client that accepts no known coding gets the body unchanged', async () => {
  for (const accept of [undefined, '', 'identity', 'zstd', 'br;q=0, gzip;q=0'])
    assert.deepEqual(await new CompressibleBody(text).for({ 'accept-encoding': accept }), {
      status: 200,
      body: Buffer.from(text),
      headers: { vary: 'accept-encoding', etag: tag },
    });
});

test('a client that has the body in the requested coding gets no body', async () => {
  const made = new CompressibleBody(text);
  const get = async (known: string) => {
    const { status, body } = await made.for({ 'accept-encoding': 'gzip', 'if-none-match': known });
    return status === 304 ? body : status;
  };
  for (const known of [tagIn('gzip'), `"other", W/${tagIn('gzip')}`, '*']) assert.equal(await get(known), '');
  // The tags of other codings do not match, because the bodies in other codings have other bytes.
  for (const known of [tagIn('br'), tag, '"other"', '']) assert.equal(await get(known), 200);
});

test('a body is compressed once for each coding', async () => {
  const made = new CompressibleBody(text);
  const read = async () => (await made.for({ 'accept-encoding': 'gzip' })).body;
  assert.equal(await read(), await read());
});

test('a body that was compressed before is not compressed again', async () => {
  const packed = brotliCompressSync(text);
  const fail = async (): Promise<Buffer> => assert.fail('compressed again');
  const made = new CompressibleBody(text, { br: fail, gzip: fail }, packed);
  assert.equal((await made.for({ 'accept-encoding': 'br' })).body, packed);
});

test('a body whose compression failed is compressed again', async () => {
  let attempts = 0;
  const compress = async (content: Buffer) => {
    attempts++;
    if (attempts === 1) throw new Error('no memory');
    return gzipSync(content);
  };
  const made = new CompressibleBody(text, { br: compress, gzip: compress });
  const read = () => made.for({ 'accept-encoding': 'gzip' });
  await assert.rejects(read(), { message: 'no memory' });
  assert.equal(gunzipSync((await read()).body).toString(), text);
});
