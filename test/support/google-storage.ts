import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An emulator of Google Cloud Storage with two buckets, one of which belongs to another owner. */
export interface GoogleStorage {
  readonly url: string;
  readonly bucket: string;
  readonly forbidden: string;
  readonly objects: ReadonlyMap<string, Buffer>;
  /** Called before each request, and may wait. It returns a status to reject the request, or undefined. */
  trouble: ((name: string) => Promise<number | undefined> | number | undefined) | undefined;
  stop(): void;
}

const BUCKET = 'exports-here';
const FORBIDDEN = 'exports-of-others';

export async function startGoogleStorage(): Promise<GoogleStorage> {
  const objects = new Map<string, Buffer>();
  const handle = jsonInterface(objects, (name) => storage.trouble?.(name));
  const server = createServer((request, answer) => void handle(request, answer)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const storage: GoogleStorage = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: BUCKET,
    forbidden: FORBIDDEN,
    objects,
    stop() {
      server.close();
      server.closeAllConnections();
    },
    trouble: undefined,
  };
  return storage;
}

/** Serves the part of the JSON API of Google Cloud Storage (v1) that the store uses. A page has two entries. */
function jsonInterface(
  objects: Map<string, Buffer>,
  troubleWith: (name: string) => Promise<number | undefined> | number | undefined,
) {
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
      const refused = await troubleWith(key);
      if (refused !== undefined) return void fail(answer, refused);
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

/** Reads the two parts of a multipart/related upload: the object's name and its content. */
function readUpload(type: string, body: Buffer): { name: string; content: Buffer } {
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1] ?? '';
  const parts = body.toString('latin1').split(`--${boundary}`);
  const contentOf = (part = '') => Buffer.from(part.slice(part.indexOf('\r\n\r\n') + 4, -2), 'latin1');
  const { name } = JSON.parse(contentOf(parts[1]).toString()) as { name: string };
  return { name, content: contentOf(parts[2]) };
}
