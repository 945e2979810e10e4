import type { ResourceKind } from './kinds/kind.ts';

/**
 * The value of a resource, as its kind defines it (see `kinds/kind.ts`); undefined if the resource does not exist.
 */
type Value = string | undefined;

/** How many events of each type a resource has caused. */
export type EventCounts = readonly [created: number, changed: number, deleted: number];

/** The intended effect of a call. */
export type Intent =
  | { readonly what: 'create' | 'change'; readonly value: string }
  | { readonly what: 'delete'; readonly value?: undefined };

/**
 * A possible history of a resource. A call without a response leads to several histories, since it may have been
 * applied or not. While the service that received the call may still be processing it, the call may even be applied
 * after a later call.
 */
interface History {
  readonly value: Value;
  readonly events: EventCounts;
  /** Indexes of calls without a response that have not been applied, but still may be. */
  readonly late: readonly number[];
}

/** A resource that callers create, change and delete, with all histories that the responses permit. */
export interface TrackedResource {
  readonly kind: ResourceKind;
  readonly name: string;
  /** How events name the resource: by its name, or by an id under which it was listed. */
  readonly eventNames: Set<string>;
  /** Whether a call is in progress. There is only one call for a resource at a time. */
  busy: boolean;
  histories: readonly History[];
  /** Calls without a response. */
  readonly unanswered: Intent[];
}

/**
 * Maximum number of calls that may still be applied late. Each of them doubles the number of histories. At this limit,
 * the resource gets no further calls.
 */
const MAX_LATE_CALLS = 4;

export function newResource(kind: ResourceKind, name: string): TrackedResource {
  const histories = [{ value: undefined, events: [0, 0, 0] as const, late: [] }];
  const eventNames = new Set([kind.eventNameOf?.(name) ?? name]);
  return { kind, name, eventNames, busy: false, histories, unanswered: [] };
}

/** Returns the values that a resource may have at the moment. */
export const possibleValues = ({ histories }: TrackedResource): ReadonlySet<Value> =>
  new Set(histories.map(({ value }) => value));

export const hasManyLateCalls = ({ histories }: TrackedResource): boolean =>
  histories.some(({ late }) => late.length >= MAX_LATE_CALLS);

/**
 * The outcome of a call. `absent` and `duplicate` are rejections that show whether the resource exists. With `absent`,
 * the call concerns a resource that does not exist. With `duplicate`, the call creates a resource that already exists.
 */
export type Outcome = 'done' | 'rejected' | 'absent' | 'duplicate' | 'unknown';

/** Records the outcome of a call. Returns false if no history permits it. */
export function recordOutcome(resource: TrackedResource, intent: Intent, outcome: Outcome): boolean {
  const index = resource.unanswered.length;
  if (outcome === 'unknown') resource.unanswered.push(intent);
  const successors: Readonly<Record<Outcome, (history: History) => readonly History[]>> = {
    done: (history) => applied(resource.kind, history, intent),
    rejected: (history) => [history],
    absent: (history) => (history.value === undefined ? [history] : []),
    duplicate: (history) => (history.value === undefined ? [] : [history]),
    unknown: (history) => [{ ...history, late: [...history.late, index] }],
  };
  const after = resource.histories.flatMap(successors[outcome]);
  if (after.length === 0) return false;
  resource.histories = withLateCalls(resource, after);
  return true;
}

/** Returns the history after the call was applied; empty if the call cannot have been applied. */
function applied(
  { isUpsert, isAsynchronous, events: types }: ResourceKind,
  history: History,
  intent: Intent,
): History[] {
  const { value, events } = history;
  const [created, changed, deleted] = events;
  const exists = value !== undefined;
  if (intent.what === 'delete') {
    // A resource that is already being deleted may be deleted again.
    if (!exists) return isAsynchronous === true ? [history] : [];
    return [{ ...history, value: undefined, events: [created, changed, deleted + 1] }];
  }
  if (isUpsert !== true && exists !== (intent.what === 'change')) return [];
  if (!exists) return [{ ...history, value: intent.value, events: [created + 1, changed, deleted] }];
  const causesEvent = types.recordsNoOps === true || value !== intent.value;
  return [{ ...history, value: intent.value, events: [created, changed + (causesEvent ? 1 : 0), deleted] }];
}

/**
 * Returns these histories, and all histories in which calls without a response have been applied since, in any order.
 */
function withLateCalls(
  { kind, unanswered }: TrackedResource,
  histories: readonly History[],
): readonly History[] {
  const known = new Map(histories.map((history) => [JSON.stringify(history), history]));
  const open = [...known.values()];
  for (let history = open.pop(); history !== undefined; history = open.pop()) {
    const { late } = history;
    for (const index of late) {
      const intent = unanswered[index] as Intent;
      for (const next of applied(kind, { ...history, late: late.filter((one) => one !== index) }, intent)) {
        const key = JSON.stringify(next);
        if (!known.has(key)) open.push(next);
        known.set(key, next);
      }
    }
  }
  return [...known.values()];
}

/**
 * Drops the calls that might still be applied late. Call this only when every service that received such a call has
 * ended or is idle, so that no call can be applied any more.
 */
export function dropLateCalls(resource: TrackedResource): void {
  const settled = resource.histories.map((history) => ({ ...history, late: [] }));
  resource.histories = [...new Map(settled.map((history) => [JSON.stringify(history), history])).values()];
}

/** Records an observed value. Drops the histories that contradict it. Returns false if all of them do. */
export function observeValue(resource: TrackedResource, value: Value): boolean {
  return observe(resource, (history) => history.value === value, { value });
}

/** Like `observeValue`, for the number of events. */
export function observeEvents(resource: TrackedResource, events: EventCounts): boolean {
  return observe(resource, (history) => String(history.events) === String(events), { events });
}

function observe(
  resource: TrackedResource,
  fits: (history: History) => boolean,
  observed: Partial<History>,
): boolean {
  const fitting = resource.histories.filter(fits);
  const isPossible = fitting.length > 0;
  // Later comparisons start from the observed state, so that each error is reported only once.
  resource.histories = isPossible
    ? fitting
    : resource.histories.map((history) => ({ ...history, ...observed }));
  return isPossible;
}
