/** A read that has ended. Times are in milliseconds of the browser's clock. */
export interface Read {
  readonly start: number;
  readonly end: number;
  /** Why the read failed; absent if it succeeded. */
  readonly error?: string;
}

/**
 * The members that have been primaries since a point in time: one for each shard, or none during an election.
 */
interface Primaries {
  readonly since: number;
  readonly names: readonly string[];
}

/** The reads of one observation, and the primaries that the page saw meanwhile. Both lists are in order of time. */
export interface ReadLog {
  readonly reads: readonly Read[];
  readonly primaries: readonly Primaries[];
}

export const emptyLog: ReadLog = { reads: [], primaries: [] };

/** Maximum number of reads in the log: half an hour of reads. */
const MAX_READS = 3600;

export function withRead({ reads, primaries }: ReadLog, read: Read): ReadLog {
  return { reads: [...reads, read].slice(-MAX_READS), primaries };
}

/** Adds an entry if other members are primaries now. */
export function withPrimaries(log: ReadLog, names: readonly string[], since: number): ReadLog {
  if (log.primaries.at(-1)?.names.join() === names.join()) return log;
  return { ...log, primaries: [...log.primaries, { since, names }] };
}

/** Returns an empty log for a new observation. It contains only the present primaries. */
export function restarted({ primaries }: ReadLog): ReadLog {
  return { reads: [], primaries: primaries.slice(-1) };
}

/** Returns the times at which the primary changed. The first entry of the log is not a change. */
export const changesIn = ({ primaries }: ReadLog): readonly number[] =>
  primaries.slice(1).map(({ since }) => since);

export type Outcome = 'failing' | 'recovered' | 'undisturbed';

/** Returns `failing` if the last read failed, and `recovered` if only earlier reads failed. */
export function outcomeOf(reads: readonly Read[]): Outcome {
  if (reads.at(-1)?.error !== undefined) return 'failing';
  return reads.some(({ error }) => error !== undefined) ? 'recovered' : 'undisturbed';
}

/**
 * Returns the total milliseconds during which reads failed. A period of failure lasts from the start of its first
 * failed read to the end of the next successful read.
 */
function failedTime(reads: readonly Read[]): number {
  let total = 0;
  let since: number | undefined;
  for (const { start, end, error } of reads) {
    if (error !== undefined) since ??= start;
    else if (since !== undefined) {
      total += end - since;
      since = undefined;
    }
  }
  return total + (since === undefined ? 0 : (reads.at(-1)?.end ?? since) - since);
}

export const durationOf = ({ start, end }: Read): number => end - start;

const SECOND_MS = 1000;

/** Formats milliseconds: `12 ms`, or `2.4 s` from one second. */
export function durationText(ms: number): string {
  return ms < SECOND_MS ? `${Math.round(ms)} ms` : `${(ms / SECOND_MS).toFixed(1)} s`;
}

/** Says how long reads failed, and how long the slowest successful read took. */
export function readsText(reads: readonly Read[]): string {
  const last = reads.at(-1);
  if (last === undefined) return 'The first read has not ended.';
  const outcome = outcomeOf(reads);
  const period = durationText(failedTime(reads));
  if (outcome === 'failing') return `Reads fail, so far for ${period}: ${last.error}`;
  const succeeded = reads.filter(({ error }) => error === undefined);
  const slowest = durationText(Math.max(...succeeded.map(durationOf)));
  const count = `${reads.length} ${reads.length === 1 ? 'read' : 'reads'}`;
  if (outcome === 'undisturbed') return `None of ${count} failed. The slowest read took ${slowest}.`;
  const failed = reads.length - succeeded.length;
  return `Reads failed for ${period}, and succeed again. ${failed} of ${count} failed. The slowest successful read took ${slowest}.`;
}

/** Says which member is the primary, when it became the primary, and which member was the primary before. */
export function primaryText({ primaries }: ReadLog, timeOf: (at: number) => string): string {
  const now = primaries.at(-1);
  if (now === undefined) return '';
  if (now.names.length === 0) return 'No member is primary now.';
  if (primaries.length === 1) return `Primary: ${now.names.join(', ')}.`;
  const former = primaries.slice(0, -1).findLast((one) => one.names.length > 0);
  const before = former === undefined ? '' : `; before: ${former.names.join(', ')}`;
  return `Primary since ${timeOf(now.since)}: ${now.names.join(', ')}${before}.`;
}

const WINDOW_MS = 60_000;
const WINDOW_STEP_MS = 30_000;

/**
 * Returns the period that the chart shows. It moves in steps of half its length, so that bars do not move with each
 * read.
 */
export function windowOf(reads: readonly Read[]): readonly [from: number, to: number] {
  const first = reads[0]?.start ?? 0;
  const last = reads.at(-1)?.end ?? 0;
  const steps = Math.max(0, Math.ceil((last - first - WINDOW_MS) / WINDOW_STEP_MS));
  const from = first + steps * WINDOW_STEP_MS;
  return [from, from + WINDOW_MS];
}
