import { expectStatus } from '../expect.ts';
import type { Setup } from '../setups.ts';
import type { ListDocument } from '../stage.ts';
import {
  dropLateCalls,
  type EventCounts,
  observeEvents,
  observeValue,
  type TrackedResource,
} from './histories.ts';
import { kinds } from './kinds/index.ts';
import type { ListedResource, ResourceKind, Target } from './kinds/kind.ts';

type Event = Readonly<Record<string, unknown>> & { readonly id: string; readonly eventTypeName: string };

/** Compares resources and events with what the responses to calls permit. */
export class Comparison {
  readonly #setup: Setup;
  readonly #target: Target;
  /** Names that existed before the first call. */
  readonly #earlierNames = new Map<ResourceKind, ReadonlySet<string>>();
  readonly #earlierEvents = new Set<string>();

  constructor(setup: Setup, target: Target) {
    this.#setup = setup;
    this.#target = target;
  }

  /** Records the names and events that exist before the first call. */
  async begin(): Promise<void> {
    for (const kind of kinds) {
      const shown = await kind.list(this.#setup.account, this.#target);
      this.#earlierNames.set(kind, new Set(shown.map(({ name }) => name)));
    }
    for (const { id } of await this.#events()) this.#earlierEvents.add(id);
  }

  /**
   * Compares while no call is in progress, so that no call can be applied after the comparison. Asynchronous kinds are
   * compared only with `atRest`, which means that all tasks have ended.
   */
  async findings(resources: readonly TrackedResource[], atRest: boolean): Promise<string[]> {
    const wrong: string[] = [];
    for (const resource of resources) dropLateCalls(resource);
    const compared = kinds.filter(({ isAsynchronous: isSlow }) => atRest || isSlow !== true);
    for (const kind of compared) wrong.push(...(await this.#wrongValues(kind, of(resources, kind))));
    const events = await this.#events();
    for (const kind of compared) wrong.push(...wrongEvents(kind, of(resources, kind), events));
    return wrong;
  }

  /** Finds resources that are missing, listed twice or never created, and values that the calls do not permit. */
  async #wrongValues(kind: ResourceKind, resources: readonly TrackedResource[]): Promise<string[]> {
    const wrong: string[] = [];
    const known = this.#earlierNames.get(kind);
    const listed = await kind.list(this.#setup.account, this.#target);
    const there = new Map<string, ListedResource>();
    for (const shown of listed.filter(({ name }) => known?.has(name) !== true)) {
      if (there.has(shown.name)) wrong.push(`${shown.name} is listed twice`);
      there.set(shown.name, shown);
    }
    for (const resource of resources) {
      const found = there.get(resource.name);
      there.delete(resource.name);
      if (found) resource.eventNames.add(found.eventName ?? found.id ?? found.name);
      const may = [...new Set(resource.histories.map(({ value }) => String(value)))].join(' or ');
      if (!observeValue(resource, found?.value))
        wrong.push(`${resource.name} is ${found?.value}, not ${may}`);
    }
    return [...wrong, ...[...there.keys()].map((name) => `no call has created ${name}`)];
  }

  /** Returns all events of the organization and its projects since `begin`. */
  async #events(): Promise<Event[]> {
    const types = kinds.flatMap(({ events: { created, changed = created, deleted } }) => [
      created,
      changed,
      deleted,
    ]);
    const query = [...new Set(types)].map((type) => `eventType=${type}`).join('&');
    const results: Event[] = [];
    for (let pageNum = 1; ; pageNum++) {
      const path = `/orgs/${this.#target.orgId}/events?${query}&itemsPerPage=${PAGE}&pageNum=${pageNum}`;
      const page = expectStatus<ListDocument<Event>>(await this.#setup.account.get(path), 200).results;
      results.push(...page);
      if (page.length < PAGE) return results.filter(({ id }) => !this.#earlierEvents.has(id));
    }
  }
}

const PAGE = 500;
const of = (resources: readonly TrackedResource[], kind: ResourceKind) =>
  resources.filter((resource) => resource.kind === kind);

/** Finds wrong events: each creation, change and deletion must have caused exactly one event. */
function wrongEvents(
  kind: ResourceKind,
  resources: readonly TrackedResource[],
  all: readonly Event[],
): string[] {
  const { created, changed, deleted, resourceField } = kind.events;
  const types = [created, changed, deleted];
  const own = all.filter(({ eventTypeName }) => types.includes(eventTypeName));
  const counted = (events: readonly Event[]) =>
    types.map(
      (type) => events.filter(({ eventTypeName }) => eventTypeName === type).length,
    ) as unknown as EventCounts;
  if (resourceField === undefined) return wrongSum(kind, resources, counted(own));
  const wrong: string[] = [];
  const named = Map.groupBy(own, (event) => String(event[resourceField]));
  for (const resource of resources) {
    const events = counted([...resource.eventNames].flatMap((name) => named.get(name) ?? []));
    const may = possibleEvents(resource).join(' or ');
    for (const name of resource.eventNames) named.delete(name);
    if (!observeEvents(resource, events))
      wrong.push(`${resource.name} has ${events} events of creation, change and deletion, not ${may}`);
  }
  for (const [name, rest] of named)
    wrong.push(`${rest.map(({ eventTypeName }) => eventTypeName)} of ${name} without a call`);
  return wrong;
}

const possibleEvents = ({ histories }: TrackedResource) => [
  ...new Set(histories.map(({ events }) => String(events))),
];

/**
 * Finds wrong numbers of events that do not name their resource. Compares these numbers with the totals that the
 * calls for all resources of the kind permit.
 */
function wrongSum(
  { name }: ResourceKind,
  resources: readonly TrackedResource[],
  counts: EventCounts,
): string[] {
  let sums = new Set(['0,0,0']);
  for (const resource of resources)
    sums = new Set([...sums].flatMap((sum) => possibleEvents(resource).map(added(sum))));
  if (sums.has(String(counts))) return [];
  return [
    `all ${name} resources have ${counts} events of creation, change and deletion, not ${[...sums].join(' or ')}`,
  ];
}

function added(one: string): (other: string) => string {
  const parts = one.split(',').map(Number);
  return (other) => String(other.split(',').map((part, index) => Number(part) + (parts[index] ?? 0)));
}
