import type { Kind } from './kinds/kind.ts';

/** What a thing is: nothing at all, or with one of the values of its kind. */
type Fate = string | undefined;

/** How often it was made, changed and removed, as its events tell. */
export type EventCounts = readonly [made: number, changed: number, removed: number];

/** What a call wants: to make the thing, to give it another value, or to remove it. */
export type Intent =
  | { readonly what: 'make' | 'change'; readonly value: string }
  | { readonly what: 'remove'; readonly value?: undefined };

/**
 * One course that the calls of a thing may have taken. There is more than one where an answer never came: what was asked
 * for is done or not, and may be done behind a later call, as long as the service that had it may still be at it.
 */
interface World {
  readonly fate: Fate;
  readonly told: EventCounts;
  /** Numbers of the calls without an answer that are not carried out and still may be. */
  readonly late: readonly number[];
}

/** One thing that callers make, change and remove, and all courses that their answers allow. */
export interface Thing {
  readonly kind: Kind;
  readonly name: string;
  /** What its events call it: its name, or ids that it was seen with. */
  readonly called: Set<string>;
  /** One call at a time speaks of it. */
  busy: boolean;
  worlds: readonly World[];
  /** Calls without an answer. */
  readonly unanswered: Intent[];
}

/** With so many calls that may be carried out late a thing is left alone: every one of them doubles the courses. */
const MOST_LATE = 4;

export function newThing(kind: Kind, name: string): Thing {
  const worlds = [{ fate: undefined, told: [0, 0, 0] as const, late: [] }];
  return { kind, name, called: new Set([kind.called?.(name) ?? name]), busy: false, worlds, unanswered: [] };
}

/** All that it may be now. */
export const fatesOf = ({ worlds }: Thing): ReadonlySet<Fate> => new Set(worlds.map(({ fate }) => fate));

export const isMuddled = ({ worlds }: Thing): boolean => worlds.some(({ late }) => late.length >= MOST_LATE);

/**
 * What came of a call. `absent` and `taken` are refusals that tell what is there: what was to be changed is not, or what
 * was to be made is.
 */
export type Outcome = 'done' | 'refused' | 'absent' | 'taken' | 'unknown';

/** The thing after a call; false where no course leads to this outcome. */
export function learn(thing: Thing, wish: Intent, outcome: Outcome): boolean {
  const number = thing.unanswered.length;
  if (outcome === 'unknown') thing.unanswered.push(wish);
  const lead: Readonly<Record<Outcome, (world: World) => readonly World[]>> = {
    done: (world) => carriedOut(thing.kind, world, wish),
    refused: (world) => [world],
    absent: (world) => (world.fate === undefined ? [world] : []),
    taken: (world) => (world.fate === undefined ? [] : [world]),
    unknown: (world) => [{ ...world, late: [...world.late, number] }],
  };
  const after = thing.worlds.flatMap(lead[outcome]);
  if (after.length === 0) return false;
  thing.worlds = withLateOnes(thing, after);
  return true;
}

/** The world in which this was done; none where it cannot be. */
function carriedOut({ isPut, isSlow, events }: Kind, world: World, wish: Intent): World[] {
  const { fate, told } = world;
  const [made, changed, removed] = told;
  const isThere = fate !== undefined;
  if (wish.what === 'remove') {
    // What is on its way out may be removed once more.
    if (!isThere) return isSlow === true ? [world] : [];
    return [{ ...world, fate: undefined, told: [made, changed, removed + 1] }];
  }
  if (isPut !== true && isThere !== (wish.what === 'change')) return [];
  if (!isThere) return [{ ...world, fate: wish.value, told: [made + 1, changed, removed] }];
  const isTold = events.tellsSame === true || fate !== wish.value;
  return [{ ...world, fate: wish.value, told: [made, changed + (isTold ? 1 : 0), removed] }];
}

/** These worlds, and those in which calls without an answer have been carried out meanwhile, in any order. */
function withLateOnes({ kind, unanswered }: Thing, worlds: readonly World[]): readonly World[] {
  const known = new Map(worlds.map((world) => [JSON.stringify(world), world]));
  const open = [...known.values()];
  for (let world = open.pop(); world !== undefined; world = open.pop()) {
    const { late } = world;
    for (const number of late) {
      const wish = unanswered[number] as Intent;
      for (const next of carriedOut(kind, { ...world, late: late.filter((one) => one !== number) }, wish)) {
        const key = JSON.stringify(next);
        if (!known.has(key)) open.push(next);
        known.set(key, next);
      }
    }
  }
  return [...known.values()];
}

/** From now on nothing can be carried out late: every service that had a call is gone, or has nothing under way. */
export function settle(thing: Thing): void {
  const settled = thing.worlds.map((world) => ({ ...world, late: [] }));
  thing.worlds = [...new Map(settled.map((world) => [JSON.stringify(world), world])).values()];
}

/** The thing was seen to be this; false where no course leads there. What was seen is what counts from then on. */
export function sawFate(thing: Thing, fate: Fate): boolean {
  return saw(thing, (world) => world.fate === fate, { fate });
}

/** So many events were seen. */
export function sawTold(thing: Thing, told: EventCounts): boolean {
  return saw(thing, (world) => String(world.told) === String(told), { told });
}

function saw(thing: Thing, fits: (world: World) => boolean, seen: Partial<World>): boolean {
  const fitting = thing.worlds.filter(fits);
  const isPossible = fitting.length > 0;
  // Report each mistake only once.
  thing.worlds = isPossible ? fitting : thing.worlds.map((world) => ({ ...world, ...seen }));
  return isPossible;
}
