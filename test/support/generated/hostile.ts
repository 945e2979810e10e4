import { gzipSync } from 'node:zlib';
import type { Dice } from '../random.ts';
import type { GeneratedRequest } from './requests.ts';

/** Malformed requests: unusual bytes, headers and paths in requests that are otherwise valid. */

type Trick = (request: GeneratedRequest, dice: Dice) => Partial<GeneratedRequest>;

const MEGABYTE = 1024 * 1024;

/** Bodies near the size limits. They are rare, since sending and reading them takes long. */
const huge: Trick = (_, dice) => {
  if (dice.below(12) > 0) return deep(_, dice);
  const bytes = [100_000, MEGABYTE, 5 * MEGABYTE - 20, 5 * MEGABYTE + 1][dice.below(4)] ?? 0;
  const letter = ['x', '\\u0000', '9', '[', '{"a":', ' '][dice.below(6)] ?? 'x';
  const text = letter.repeat(Math.ceil(bytes / letter.length)).slice(0, bytes);
  return { body: dice.below(2) === 0 ? `{"name":"${text}"}` : text };
};

const deep: Trick = (_, dice) => {
  const levels = [63, 64, 65, 1000, 100_000][dice.below(5)] ?? 65;
  const [open, close] = dice.below(2) === 0 ? ['[', ']'] : ['{"a":', '}'];
  return { body: `${open.repeat(levels)}0${close.repeat(levels)}` };
};

/** Repeats the first field of a body, or repeats an unknown field. */
const duplicated: Trick = ({ body = '{}' }, dice) => {
  const text = String(body);
  const name = /"([^"]{1,40})":/.exec(text)?.[1] ?? 'x';
  const again = [
    `"${name}":null,`,
    `"${name}":${text},`,
    `"\\u00${name.charCodeAt(0).toString(16).padStart(2, '0')}${name.slice(1)}":1,`,
  ];
  return { body: text.replace('{', `{${(again[dice.below(again.length)] ?? '').repeat(1 + dice.below(3))}`) };
};

const encoded: Trick = ({ body = '{"name":"å"}' }, dice) => {
  const text = String(body);
  const forms: readonly Partial<GeneratedRequest>[] = [
    { body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]) },
    { body: Buffer.from(text, 'utf16le') },
    { body: Buffer.from(text.replace('"', '"å'), 'latin1') },
    { body: Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xc0, 0xaf, 0xff])]) },
    { body: gzipSync(text), headers: { 'content-encoding': 'gzip' } },
    { body: gzipSync(text) },
    { body: text, headers: { 'content-encoding': 'br, gzip' } },
    { body: text.replaceAll('a', '\\ud800') },
    { body: `${text}\u0000` },
    { body: text.slice(0, dice.below(text.length + 1)) },
    { body: text.replace(/\d+/, ['1e999', '-0', '1E-400', '0x10', '9'.repeat(400)][dice.below(5)] ?? '') },
    { body: text.replace('{', '{"__proto__":{"name":"x"},"constructor":{"prototype":{}},') },
  ];
  return forms[dice.below(forms.length)] ?? {};
};

const headers: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'application/xml' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': `application/json; ${'x='.repeat(2000)}` },
  { 'content-type': '' },
  { accept: 'application/vnd.service.9999-99-99+json' },
  { accept: `${'*/*;q=0.1,'.repeat(1000)}*/*` },
  { accept: 'application/vnd.service.2025-03-12+json;q=NaN' },
  { accept: ',;,' },
  { 'accept-encoding': 'br;q=x, gzip;q=2, *' },
  { 'x-http-method-override': 'DELETE' },
  { expect: '100-continue' },
  { expect: 'the unexpected' },
  { range: 'bytes=0-0,5-' },
  { 'if-none-match': '*', 'if-modified-since': 'yesterday' },
  {
    'x-forwarded-for': '127.0.0.1, x, ::1, 999.1.1.1',
    'x-forwarded-proto': 'gopher',
    'x-forwarded-host': 'a b"<',
  },
  { forwarded: 'for="[::1]";proto=;;host=' },
  { host: 'evil.example:99999' },
  { host: '' },
  { 'x-request-id': 'x'.repeat(5000) },
  { cookie: 'a=b; '.repeat(2000) },
  { x: 'y'.repeat(15_000) },
  { te: 'trailers, chunked' },
  { connection: 'close' },
  { connection: 'x-forwarded-for, authorization' },
  { upgrade: 'h2c', connection: 'upgrade', 'http2-settings': 'AAMAAABkAAQAAP__' },
  { origin: 'null', 'access-control-request-method': 'DELETE' },
];

const withHeaders: Trick = (_, dice) => ({ headers: headers[dice.below(headers.length)] ?? {} });

const path: Trick = ({ target }, dice) => {
  const [before = '', query] = target.split('?');
  const pieces = before.split('/');
  const at = 4 + dice.below(Math.max(1, pieces.length - 4));
  const odd = [
    '.',
    '..',
    '%2e%2e',
    '%2E',
    '',
    '%2f',
    '%c0%af',
    '%ff',
    '%00',
    ';x=y',
    '%',
    '%u0041',
    '~',
    '*',
    '%E2%80%AE',
    '__proto__',
    'x'.repeat(5000),
  ];
  const piece = odd[dice.below(odd.length)] ?? '';
  const changed = [
    pieces.toSpliced(at, 0, piece),
    pieces.with(Math.min(at, pieces.length - 1), piece),
    pieces.with(pieces.length - 1, `${pieces.at(-1)}${piece}`),
    [...pieces, piece],
    pieces.with(1, (pieces[1] ?? '').toUpperCase()),
  ][dice.below(5)];
  return { target: (changed ?? pieces).join('/') + (query === undefined ? '' : `?${query}`) };
};

const queries = [
  'pageNum=1&pageNum=2',
  'pretty=TRUE&pretty=false',
  'pageNum[]=1&itemsPerPage[x]=2',
  '__proto__=x&constructor=y',
  'pageNum=%00&itemsPerPage=%ff',
  'pageNum=1e3&itemsPerPage=-0',
  'pageNum=99999999999999999999',
  'itemsPerPage=500&pageNum=2147483647',
  '&&&=&=x&x',
  '%E0%A4%A&a=%',
  `${'a=b&'.repeat(2000)}`,
  'includeCount=maybe',
];

const query: Trick = ({ target }, dice) => ({
  target: `${target}${target.includes('?') ? '&' : '?'}${queries[dice.below(queries.length)]}`,
});

const tricks: readonly Trick[] = [
  huge,
  duplicated,
  encoded,
  encoded,
  withHeaders,
  withHeaders,
  path,
  path,
  query,
];

/** Applies one or two malicious changes to a valid request. */
export function hostile(request: GeneratedRequest, dice: Dice): GeneratedRequest {
  let changed = request;
  for (let count = 1 + dice.below(2); count > 0; count--) {
    changed = { ...changed, ...tricks[dice.below(tricks.length)]?.(changed, dice) };
  }
  // Responses to malformed requests have no envelope.
  return { ...changed, target: changed.target.replace(/envelope=\w*&?/g, '') };
}
