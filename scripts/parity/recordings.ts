import { globSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';

/** A response of the vendor's service, as the tests of its command line have recorded it. */
export interface Recording {
  /** The folder of the test. Its recordings form one story. */
  readonly story: string;
  readonly method: string;
  /** The path below `/api/atlas/v2`, with `_` in place of `/` and `:`. */
  readonly flatPath: string;
  /** The query parameters; empty if there are none, or if they are not recorded. */
  readonly query: string;
  readonly status: number;
  /** The date in the media type; absent without a body. */
  readonly version: string | undefined;
  /** The body of the request; absent if it is not recorded. */
  readonly request?: unknown;
  /** The body of the response; absent if it is not JSON. */
  readonly body: unknown;
  /** When the response was recorded, in milliseconds since 1970. */
  readonly time: number;
  /** The number at the end of the file's name. It counts the recordings of equal requests. */
  readonly turn: number;
}

const NAME = /^(GET|POST|PUT|PATCH|DELETE)_api_atlas_v2_(.+)_(\d+)\.snaphost$/;
/** Changes in a former version of the API, whose requests are not replayed. */
const FORMER = /^(POST|PUT|PATCH|DELETE)_api_atlas_v1/;
const VERSION = /application\/vnd\.atlas\.(\d{4}-\d\d-\d\d)\+json/;

/**
 * Returns the recordings in a checkout, by story, in the order in which they were made. A story ends before the first
 * change in a former version of the API.
 */
export function readRecordings(checkout: string): Map<string, Recording[]> {
  const stories = new Map<string, Recording[]>();
  const ends = new Map<string, number>();
  for (const file of globSync('**/.snapshots/**/*.snaphost', { cwd: checkout })) {
    const recording = readRecording(checkout, file);
    if (recording === undefined) continue;
    const { story: name, time } = recording;
    if (FORMER.test(basename(file))) ends.set(name, Math.min(time, ends.get(name) ?? time));
    else stories.set(name, [...(stories.get(name) ?? []), recording]);
  }
  for (const [name, story] of stories) {
    const end = ends.get(name) ?? Number.POSITIVE_INFINITY;
    stories.set(name, story.filter(({ time }) => time < end).sort(inOrder));
  }
  return stories;
}

/**
 * Compares recordings by time. Times have the precision of a second; within a second, requests that create resources
 * come first.
 */
function inOrder(a: Recording, b: Recording): number {
  const rank = ({ method }: Recording) => (method === 'POST' ? 0 : 1);
  return a.time - b.time || rank(a) - rank(b) || a.turn - b.turn;
}

/** Reads a recording; undefined if its name is a hash, or if its request is outside of the versioned API. */
function readRecording(checkout: string, file: string): Recording | undefined {
  const [, method = '', flatPath = '', turn = ''] = NAME.exec(basename(file)) ?? [];
  if (method === '' && !FORMER.test(basename(file))) return undefined;
  const text = readFileSync(join(checkout, file), 'utf8').replaceAll('\r\n', '\n');
  const end = text.indexOf('\n\n');
  const head = text.slice(0, end);
  const [, story = ''] = new RegExp(`\\.snapshots\\${sep}([^\\${sep}]+)`).exec(file) ?? [];
  return {
    story,
    method,
    flatPath,
    query: '',
    status: Number(head.split(' ', 2)[1]),
    version: VERSION.exec(head)?.[1],
    body: parsed(text.slice(end + 2)),
    time: Date.parse(/^date: (.*)$/im.exec(head)?.[1] ?? ''),
    turn: Number(turn),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
