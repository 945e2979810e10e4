import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { gcsStore } from './gcs.ts';
import { storeTests } from './testing.ts';

const BUCKET = 'exports-here';
const FORBIDDEN = 'exports-of-others';
const IMPATIENCE = { timeoutMs: 200, attempts: 2 };

/** As much of the JSON interface of Google Cloud Storage (v1) as the store uses, with pages of two. */
function jsonInterface() {
  const objects = new Map<string, Buffer>();
  const json = (answer: ServerResponse, status: number, body: object) =>
    answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const fail = (answer: ServerResponse, code: number) =>
    json(answer, code, { error: { code, message: 'no' } });
  const md5Of = (content: Buffer) => createHash('md5').update(content).digest('base64');
  const resource = (name: string) => {
    const content = objects.get(name) ?? Buffer.alloc(0);
    return { name, bucket: BUCKET, size: String(content.length), md5Hash: md5Of(content) };
  };

  return async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://here');
    const body = await buffer(request);
    const [, bucket, , object] =
      /\/b\/([^/]+)(\/o(?:\/(.+))?)?$/.exec(url.pathname)?.map((part) => part && decodeURIComponent(part)) ??
      [];
    if (bucket === FORBIDDEN) return void fail(answer, 403);
    if (bucket !== BUCKET) return void fail(answer, 404);
    if (request.method === 'POST') {
      const { name, content } = readUpload(request.headers['content-type'] ?? '', body);
      const key = url.searchParams.get('name') ?? name;
      objects.set(key, content);
      return void json(answer, 200, resource(key));
    }
    if (url.pathname.endsWith('/o')) return void json(answer, 200, list(url.searchParams));
    if (object === undefined) return void json(answer, 200, { name: BUCKET });
    const kept = objects.get(object);
    if (kept === undefined) return void fail(answer, 404);
    if (request.method === 'DELETE') {
      objects.delete(object);
      return void answer.writeHead(204).end();
    }
    if (url.searchParams.get('alt') !== 'media') return void json(answer, 200, resource(object));
    answer.writeHead(200, { 'x-goog-hash': `md5=${md5Of(kept)}` }).end(kept);
  };

  function list(query: URLSearchParams): object {
    const prefix = query.get('prefix') ?? '';
    assert.equal(query.get('delimiter'), '/');
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix));
    const flat = names.filter((name) => !name.slice(prefix.length).includes('/')).sort();
    const from = Number(query.get('pageToken') ?? 0);
    const more = from + 2 < flat.length ? { nextPageToken: String(from + 2) } : {};
    return { kind: 'storage#objects', items: flat.slice(from, from + 2).map(resource), ...more };
  }
}

/** The two parts of a multipart/related upload: what the object is called, and what is in it. */
function readUpload(type: string, body: Buffer): { name: string; content: Buffer } {
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1] ?? '';
  const parts = body.toString('latin1').split(`--${boundary}`);
  const contentOf = (part = '') => Buffer.from(part.slice(part.indexOf('\r\n\r\n') + 4, -2), 'latin1');
  const { name } = JSON.parse(contentOf(parts[1]).toString()) as { name: string };
  return { name, content: contentOf(parts[2]) };
}

describe('objects in a bucket of Google Cloud', () => {
  let server: Server;
  let endpoint: string;

  before(async () => {
    const handle = jsonInterface();
    server = createServer((request, answer) => void handle(request, answer)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  after(() => {
    server.close();
    server.closeAllConnections();
  });

  void storeTests(() => gcsStore({ bucket: BUCKET, endpoint }));

  test('are listed over all pages', async () => {
    const store = gcsStore({ bucket: BUCKET, endpoint });
    for (const name of ['1', '2', '3']) await store.put(`pages/${name}`, Buffer.from(name));
    assert.deepEqual([...(await store.list('pages/')).keys()], ['1', '2', '3']);
  });

  for (const [bucket, trouble] of [
    ['nothing-here', 'absent'],
    [FORBIDDEN, 'denied'],
  ] as const) {
    test(`are not in a bucket that is ${trouble}`, async () => {
      const store = gcsStore({ bucket, endpoint });
      const asked = [
        () => store.put('a', Buffer.from('a')),
        () => store.get('a'),
        () => store.list(''),
        () => store.delete(['a']),
      ];
      for (const ask of asked) await assert.rejects(ask, { name: 'BucketError', trouble });
    });
  }
});

test('a server that never answers is given up', async () => {
  let asked = 0;
  const server = createServer(() => {
    asked++;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = gcsStore({ bucket: BUCKET, endpoint }, IMPATIENCE);
  await assert.rejects(store.put('a', Buffer.from('a')), { trouble: 'unavailable' });
  assert.ok(asked >= 1);
  server.close();
  server.closeAllConnections();
});
