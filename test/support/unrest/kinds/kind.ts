import type { Client } from '../../client.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Where callers do what they do. */
export interface Place {
  readonly project: string;
  readonly orgId: string;
}

/** One of the things that a list holds. */
export interface Shown {
  readonly name: string;
  readonly value: string;
  /** What paths call it; absent where that is its name. */
  readonly id?: string;
  /** What events call it; absent where that is what paths call it. */
  readonly called?: string;
}

/** The events that tell what happened to things of a kind. */
interface Events {
  readonly made: string;
  readonly changed?: string;
  readonly removed: string;
  /** The field that says to which; absent where none does, so that they can only be counted. */
  readonly field?: string;
  /** Whether a change without effect also records an event. */
  readonly tellsSame?: boolean;
}

/** A kind of thing: how it is made, changed, removed and looked at. Values are texts that it shows again. */
export interface Kind {
  readonly name: string;
  readonly values: readonly string[];
  readonly events: Events;
  make(place: Place, name: string, value: string): Asked;
  /** Absent where nothing of it can be changed. `key`: its id, or its name where that is what paths call it. */
  change?(place: Place, key: string, value: string, name: string): Asked;
  remove(place: Place, key: string): Asked;
  /** All that are there. */
  list(client: Client, place: Place): Promise<readonly Shown[]>;
  /** What events call a thing, where that is neither its name nor shown. */
  called?(name: string): string;
  /** The code which says that there is one of this name. */
  readonly taken?: string;
  /** Paths contain its id. Names may repeat, so one whose id is unknown is not created again. */
  readonly isKnownById?: boolean;
  /** To make one that is there changes it. */
  readonly isPut?: boolean;
  /** The work is done behind the answer: what is there is known when all is at rest. */
  readonly isSlow?: boolean;
  /** As many as there may be at once; 40 where nothing is said. */
  readonly atMost?: number;
}
