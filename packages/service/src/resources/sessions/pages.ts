import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { extname, join } from 'node:path';
import { generalFaults } from '../../api/faults.ts';
import { CompressibleBody, entityTag, hasCurrent } from '../../api/http/content-coding.ts';
import type { Mount, MountAnswer, MountRequest } from '../../api/index.ts';
import type { Services } from '../services.ts';

interface PageFile {
  /** The content of the file: a `Buffer` if the format of the file is already compressed. */
  readonly content: Buffer | CompressibleBody;
  readonly headers: Readonly<Record<string, string>>;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Content security policy that forbids inline code and content from other origins. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
};
/** These files may be cached forever, since their names contain a hash of the content. */
const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable' };
const always = { 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' };

/**
 * Serves the built console: `index.html`, the files in the same folder, and the files in `assets`. All files are read
 * once, at the first request for a page.
 */
export function pageMounts(): readonly ((services: Services) => Mount)[] {
  return [
    rootMount,
    indexMount,
    fileMount('/console/{file}', ''),
    fileMount('/console/assets/{file}', 'assets'),
  ];
}

/** Redirects browsers from the root of the service to the console. */
function rootMount({ console }: Services): Mount {
  return {
    id: 'consoleRoot',
    method: 'GET',
    path: '/',
    serves: (headers) => console?.folder !== undefined && isBrowser(headers),
    handle: async () => ({ status: 303, headers: { ...always, location: 'console/' }, body: '' }),
  };
}

function isBrowser({ accept, authorization }: IncomingHttpHeaders): boolean {
  return authorization === undefined && (accept ?? '').includes('text/html');
}

function indexMount({ console }: Services): Mount {
  return {
    id: 'consolePage',
    method: 'GET',
    path: '/console',
    async handle(request) {
      // Redirect to the path with a slash at the end, because the page contains relative links.
      if (!request.path.endsWith('/')) return { status: 308, headers: { location: 'console/' }, body: '' };
      return answer(request, fileIn(console?.folder, 'index.html'));
    },
  };
}

function fileMount(path: string, folder: string): (services: Services) => Mount {
  return ({ console }) => ({
    id: folder === '' ? 'consoleFile' : 'consoleAsset',
    method: 'GET',
    path,
    async handle(request) {
      const name = request.params.file ?? '';
      return answer(request, fileIn(console?.folder, folder === '' ? name : `${folder}/${name}`));
    },
  });
}

const known = new Map<string, ReadonlyMap<string, PageFile>>();

function fileIn(folder: string | undefined, name: string): PageFile | undefined {
  if (folder === undefined) return undefined;
  let files = known.get(folder);
  if (files === undefined) {
    files = filesIn(folder);
    known.set(folder, files);
  }
  return files.get(name);
}

function filesIn(folder: string): ReadonlyMap<string, PageFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) !== PACKED)
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(names.map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), readPage(path)]));
}

function readPage(path: string): PageFile {
  const content = readFileSync(path);
  const type = types[extname(path)] ?? 'application/octet-stream';
  const isPage = extname(path) === '.html';
  const isText = /^(text|image\/svg|application\/json)/.test(type);
  return {
    content: isText ? new CompressibleBody(content, undefined, packedAt(path)) : content,
    headers: {
      ...always,
      ...(isPage ? pageHeaders : assetHeaders),
      ...(!isText && { etag: entityTag(content) }),
      'content-type': type,
    },
  };
}

/** The extension of files that the build has compressed with Brotli. */
const PACKED = '.br';

function packedAt(path: string): Buffer | undefined {
  return existsSync(path + PACKED) ? readFileSync(path + PACKED) : undefined;
}

async function answer(
  { path, headers: asked }: MountRequest,
  file: PageFile | undefined,
): Promise<MountAnswer> {
  if (file === undefined) throw generalFaults.RESOURCE_NOT_FOUND(path);
  const { content, headers } = file;
  if (content instanceof CompressibleBody) {
    const coded = await content.for(asked);
    return { ...coded, headers: { ...headers, ...coded.headers } };
  }
  return hasCurrent(asked, headers.etag ?? '')
    ? { status: 304, headers, body: '' }
    : { status: 200, headers, body: content };
}
