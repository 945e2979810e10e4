import { globSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';

/** A response of the vendor's service, as the tests of its command line have recorded it. */
export interface Recording {
  /** The folder of the test. Its recordings form one story. */
  readonly story: string;
  readonly method: string;
  /** The path below `/api/atlas/v2`, with `_` in place of `/` and `:`. */
  readonly flatPath: string;
  readonly status: number;
  /** The date in the media type; absent without a body. */
  readonly version: string | undefined;
  /** The body; absent if it is not JSON. */
  readonly body: unknown;
  /** When the response was recorded, in milliseconds since 1970. */
  readonly time: number;
  /** The number at the end of the file's name. It counts the recordings of equal requests. */
  readonly turn: number;
}

const NAME = /^(GET|POST|PUT|PATCH|DELETE)_api_atlas_v2_(.+)_(\d+)\.snaphost$/;
const VERSION = /application\/vnd\.atlas\.(\d{4}-\d\d-\d\d)\+json/;

/** Returns the recordings in a checkout, by story, in the order in which they were made. */
export function readRecordings(checkout: string): Map<string, Recording[]> {
  const stories = new Map<string, Recording[]>();
  for (const file of globSync('**/.snapshots/**/*.snaphost', { cwd: checkout })) {
    const recording = readRecording(checkout, file);
    if (recording === undefined) continue;
    const story = stories.get(recording.story) ?? [];
    story.push(recording);
    stories.set(recording.story, story);
  }
  for (const story of stories.values()) story.sort(inOrder);
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
  if (method === '') return undefined;
  const text = readFileSync(join(checkout, file), 'utf8').replaceAll('\r\n', '\n');
  const end = text.indexOf('\n\n');
  const head = text.slice(0, end);
  const [, story = ''] = new RegExp(`\\.snapshots\\${sep}([^\\${sep}]+)`).exec(file) ?? [];
  return {
    story,
    method,
    flatPath,
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
