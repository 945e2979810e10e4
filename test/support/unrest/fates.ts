import type { Client } from '../client.ts';
import type { Reply } from '../http.ts';

/** What a thing may be after all that was asked: nothing at all, or with one of these values. */
type Fate = string | undefined;

/** One thing that callers make, change and remove, and what is known of it. */
export interface Thing {
  readonly kind: Kind;
  readonly name: string;
  /** One call at a time speaks of it. */
  busy: boolean;
  /** What it may be; more than one where an answer never came. */
  fates: Set<Fate>;
  /** What calls without an answer wanted: they may be carried out behind a later one. */
  late: Set<Fate>;
  /** How often it was made: those that were acknowledged, and those of which nobody knows. */
  made: { sure: number; unsure: number };
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** A kind of thing: how it is made, changed, removed and looked at. Values are texts that it shows again. */
export interface Kind {
  readonly name: string;
  readonly values: readonly string[];
  make(place: Place, name: string, value: string): Asked;
  /** Absent where nothing of it can be changed. Nothing is asked of what is not found. */
  change?(place: Place, name: string, value: string, client: Client): Asked | Promise<Asked | undefined>;
  remove(place: Place, name: string, client: Client): Asked | Promise<Asked | undefined>;
  /** All that are there, by name, one entry each. */
  list(client: Client, place: Place): Promise<readonly (readonly [name: string, value: string])[]>;
  /** The event that tells of its making, and the field that names it. */
  readonly made?: { readonly type: string; readonly field: string };
  /** Several may be called the same: one of which nobody knows is not made again. */
  readonly isNamedFreely?: boolean;
  /** Made in the background: as many as there may be at once. */
  readonly atMost?: number;
}

export interface Place {
  readonly project: string;
  readonly orgId: string;
}

const ACKNOWLEDGED = 300;
const BAD_REQUEST = 400;
const SERVER_ERROR = 500;

/** What came of a call; a connection that broke has told nothing. */
export type Outcome = 'done' | 'refused' | 'unknown';

export function outcomeOf(reply: Reply | undefined): Outcome {
  if (reply === undefined || reply.status >= SERVER_ERROR) return 'unknown';
  if (reply.status < ACKNOWLEDGED) return 'done';
  if (reply.status >= BAD_REQUEST) return 'refused';
  throw new Error(`A status that nobody expects: ${reply.status}`);
}

/** The thing after a call that wanted it to be `wanted`. */
export function learn(thing: Thing, wanted: Fate, outcome: Outcome): void {
  const isMaking = wanted !== undefined && thing.fates.has(undefined);
  if (outcome === 'refused') return;
  if (outcome === 'unknown') thing.late.add(wanted);
  const before = outcome === 'done' ? [] : thing.fates;
  thing.fates = new Set([wanted, ...before, ...thing.late]);
  if (!isMaking) return;
  if (outcome === 'done') thing.made.sure++;
  else thing.made.unsure++;
}
