import type { Call } from '../interface/call.ts';
import type { EngineCalls } from '../interface/calls.ts';
import type { AccessAttempt, MemberSample, MemberSamples } from '../interface/engine.ts';
import { lineCodec } from './line-codec.ts';
import { accessFile, lastLines, logFile, metricsFile } from './record-files.ts';

/**
 * This file reads the files that `Journal` writes. Reading takes some milliseconds per megabyte, so a separate thread
 * does it.
 */

/** The deployment whose files are read, and the current time. */
export interface RecordSource {
  /** The result of `recordFolder` for the deployment. */
  readonly folder: string;
  /** The encryption key of the deployment's data, if it is encrypted. */
  readonly key?: Uint8Array | undefined;
  /** The service time (see `docs/glossary.md`), in milliseconds since 1970. */
  readonly now: number;
}

type RecordReaders<T> = { readonly [N in keyof T]: Reader<T[N]> };

/**
 * The type of the function that implements a call. Its first argument is a `RecordSource` rather than the id of the
 * deployment. The function of a download returns its text in pieces, and the function of a list returns the lines of
 * the items.
 */
type Reader<C> =
  C extends Call<string, infer F, infer S>
    ? Parameters<S> extends [string, ...infer Rest]
      ? (of: RecordSource, ...args: Rest) => F extends 'download' | 'list' ? Iterable<string> : ReturnType<S>
      : never
    : never;

const SEVEN_DAYS_MS = 7 * 86_400_000;
const MAX_ATTEMPTS = 20_000;
/**
 * Number of bytes to read at the end of a metrics file. They contain at least the newest two samples of each member if
 * there are up to 50 members.
 */
const NEWEST_BYTES = 256 * 1024;
/**
 * Number of samples per member in memory. Two samples are enough to compute a rate, and eight samples cover more than a
 * minute.
 */
export const NEWEST = 8;

export const records: RecordReaders<EngineCalls<'records'>> = {
  *accessHistory({ folder, now }, query) {
    const { from = 0, success, address, memberId, limit = MAX_ATTEMPTS } = query;
    const { to = Number.POSITIVE_INFINITY } = query;
    const since = Math.max(from, now - SEVEN_DAYS_MS);
    const found: string[] = [];
    for (const line of accessFile(folder).lines()) {
      const attempt = parsed<AccessAttempt>(line);
      if (attempt === undefined || attempt.time < since || attempt.time > to) continue;
      if (success !== undefined && attempt.success !== success) continue;
      if (address !== undefined && attempt.address !== address) continue;
      if (memberId === undefined || attempt.memberId === memberId) found.push(line);
    }
    for (const line of found.reverse().slice(0, limit)) yield `${line}\n`;
  },

  *logs({ folder, key }, member, log, from, to) {
    const { read } = lineCodec(key);
    for (const written of logFile(folder, member, log === 'db-audit-log' ? 'audit' : 'server').lines()) {
      const line = read(written);
      const time = line && timeOf(line);
      if (time && time >= from && time <= to) yield `${line}\n`;
    }
  },

  *metrics({ folder }, member, from, to) {
    for (const line of metricsFile(folder).lines()) {
      const entry = parsed<SampleEntry>(line);
      if (entry?.member !== member || entry.time < from || entry.time > to) continue;
      // Samples of earlier versions lack the field `taken`.
      if (entry.taken === undefined) continue;
      const { member: _, ...sample } = entry;
      yield `${JSON.stringify(sample)}\n`;
    }
  },
};

/** A line of the metrics file. */
export type SampleEntry = MemberSample & { readonly member: string };

/** Returns the last samples in the metrics file, by member. */
export function newestWritten({ folder }: Pick<RecordSource, 'folder'>): Omit<MemberSamples, 'id'>[] {
  const { path } = metricsFile(folder);
  const lines = lastLines(path, NEWEST_BYTES);
  const all = lines.length > 0 ? lines : lastLines(`${path}.1`, NEWEST_BYTES);
  const newest = new Map<string, MemberSample[]>();
  for (const line of all) {
    const entry = parsed<SampleEntry>(line);
    if (entry?.taken === undefined) continue;
    const { member, ...sample } = entry;
    newest.set(member, [...(newest.get(member) ?? []), sample].slice(-NEWEST));
  }
  return [...newest].map(([memberId, samples]) => ({ memberId, samples }));
}

function parsed<T>(line: string): T | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Returns the time of a line of a server log or an audit log. */
function timeOf(line: string): number | undefined {
  const date = /"(?:t|ts)":\{"\$date":"([^"]+)"/.exec(line)?.[1];
  return date === undefined ? undefined : Date.parse(date);
}
