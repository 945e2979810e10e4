import { expectStatus } from '../expect.ts';
import type { Setup } from '../setups.ts';
import type { ListDocument } from '../stage.ts';
import { kinds } from './kinds/index.ts';
import type { Kind, Place, Shown } from './kinds/kind.ts';
import { type EventCounts, sawFate, sawTold, settle, type Thing } from './worlds.ts';

type Event = Readonly<Record<string, unknown>> & { readonly id: string; readonly eventTypeName: string };

/** Compares resources and events with what the responses to calls allow. */
export class Comparison {
  readonly #setup: Setup;
  readonly #place: Place;
  /** What others have made before. */
  readonly #known = new Map<Kind, ReadonlySet<string>>();
  readonly #told = new Set<string>();

  constructor(setup: Setup, place: Place) {
    this.#setup = setup;
    this.#place = place;
  }

  /** Looks at what is there before the first call. */
  async begin(): Promise<void> {
    for (const kind of kinds) {
      const shown = await kind.list(this.#setup.account, this.#place);
      this.#known.set(kind, new Set(shown.map(({ name }) => name)));
    }
    for (const { id } of await this.#events()) this.#told.add(id);
  }

  /**
   * While nothing is under way: no call can be carried out any more, and each thing is what it is. Of what is worked at
   * behind the answer that is known when all is `atRest`.
   */
  async findings(things: readonly Thing[], atRest: boolean): Promise<string[]> {
    const wrong: string[] = [];
    for (const thing of things) settle(thing);
    const looked = kinds.filter(({ isSlow }) => atRest || isSlow !== true);
    for (const kind of looked) wrong.push(...(await this.#wrongFates(kind, of(things, kind))));
    const events = await this.#events();
    for (const kind of looked) wrong.push(...wrongEvents(kind, of(things, kind), events));
    return wrong;
  }

  /** Nothing that was acknowledged is lost, nothing is there twice or was made by nobody, and lists count what they hold. */
  async #wrongFates(kind: Kind, things: readonly Thing[]): Promise<string[]> {
    const wrong: string[] = [];
    const known = this.#known.get(kind);
    const listed = await kind.list(this.#setup.account, this.#place);
    const there = new Map<string, Shown>();
    for (const shown of listed.filter(({ name }) => known?.has(name) !== true)) {
      if (there.has(shown.name)) wrong.push(`${shown.name} is there twice`);
      there.set(shown.name, shown);
    }
    for (const thing of things) {
      const found = there.get(thing.name);
      there.delete(thing.name);
      if (found) thing.called.add(found.called ?? found.id ?? found.name);
      const may = [...new Set(thing.worlds.map(({ fate }) => String(fate)))].join(' or ');
      if (!sawFate(thing, found?.value)) wrong.push(`${thing.name} is ${found?.value}, not ${may}`);
    }
    return [...wrong, ...[...there.keys()].map((name) => `nobody has made ${name}`)];
  }

  /** All that have happened since the beginning, of the organization and its projects. */
  async #events(): Promise<Event[]> {
    const types = kinds.flatMap(({ events: { made, changed = made, removed } }) => [made, changed, removed]);
    const query = [...new Set(types)].map((type) => `eventType=${type}`).join('&');
    const results: Event[] = [];
    for (let pageNum = 1; ; pageNum++) {
      const path = `/orgs/${this.#place.orgId}/events?${query}&itemsPerPage=${PAGE}&pageNum=${pageNum}`;
      const page = expectStatus<ListDocument<Event>>(await this.#setup.account.get(path), 200).results;
      results.push(...page);
      if (page.length < PAGE) return results.filter(({ id }) => !this.#told.has(id));
    }
  }
}

const PAGE = 500;
const of = (things: readonly Thing[], kind: Kind) => things.filter((thing) => thing.kind === kind);

/** For each thing that was made, changed or removed there is one event, and none for what was not. */
function wrongEvents(kind: Kind, things: readonly Thing[], all: readonly Event[]): string[] {
  const { made, changed, removed, field } = kind.events;
  const types = [made, changed, removed];
  const own = all.filter(({ eventTypeName }) => types.includes(eventTypeName));
  const counted = (events: readonly Event[]) =>
    types.map(
      (type) => events.filter(({ eventTypeName }) => eventTypeName === type).length,
    ) as unknown as EventCounts;
  if (field === undefined) return wrongSum(kind, things, counted(own));
  const wrong: string[] = [];
  const named = Map.groupBy(own, (event) => String(event[field]));
  for (const thing of things) {
    const told = counted([...thing.called].flatMap((name) => named.get(name) ?? []));
    const may = tellings(thing).join(' or ');
    for (const name of thing.called) named.delete(name);
    if (!sawTold(thing, told))
      wrong.push(`${thing.name} was made, changed and removed ${told} times by its events, not ${may}`);
  }
  for (const [name, events] of named)
    wrong.push(`${events.map(({ eventTypeName }) => eventTypeName)} of ${name}, which nobody has asked for`);
  return wrong;
}

const tellings = ({ worlds }: Thing) => [...new Set(worlds.map(({ told }) => String(told)))];

/** Events that do not say what they are about are as many as all things together may have. */
function wrongSum({ name }: Kind, things: readonly Thing[], told: EventCounts): string[] {
  let sums = new Set(['0,0,0']);
  for (const thing of things) sums = new Set([...sums].flatMap((sum) => tellings(thing).map(added(sum))));
  if (sums.has(String(told))) return [];
  return [
    `all of ${name} were made, changed and removed ${told} times by their events, not ${[...sums].join(' or ')}`,
  ];
}

function added(one: string): (other: string) => string {
  const parts = one.split(',').map(Number);
  return (other) => String(other.split(',').map((part, index) => Number(part) + (parts[index] ?? 0)));
}
