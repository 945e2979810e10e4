import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { type Repetition, repeat } from '@portolan/foundation/repeat';
import { Turns } from '@portolan/foundation/turns';
import type { CacheKey } from '../store/cache-keys.ts';
import type { Store } from '../store/store.ts';
import type { EventRecord } from './event.ts';
import { idOfEventKey } from './record.ts';
import { findEvents, findEventsById } from './rows.ts';

/**
 * How often to poll for events of other instances, since instances do not notify each other. Caches notice changes by
 * other instances after the same time.
 */
const POLL_MS = 1000;
/** Maximum number of events that one query reads. */
const CHUNK = 200;
/** Maximum number of remembered event ids per organization. */
const MAX_SEEN = 5000;

type EventListener = (events: readonly EventRecord[]) => void;

/** The cost of a call of a listener, for `Turns`. It formats and encrypts the events for one reader. */
const LISTENER_COST = 10;

/** The listeners to the events of one organization and its projects. */
interface Channel {
  readonly listeners: Set<EventListener>;
  /** Ids of delivered events, oldest first. Empty if no other instance writes to the store. */
  readonly seen: Set<string>;
  readonly opened: Promise<void>;
}

/**
 * Delivers events after their commit: events of this instance at once, events of other instances within about a
 * second. The hub reads an event once for all listeners of its organization. Without listeners, it reads no events.
 */
export class EventHub {
  readonly #store: Store;
  readonly #channels = new Map<string, Channel>();
  readonly #reading: Repetition;
  readonly #stopListening: () => void;
  /** Ids of this instance's committed events that have not been read yet. */
  #committed: string[] = [];

  constructor({ store, machine, log }: { store: Store; machine: MachineClock; log: Log }) {
    this.#store = store;
    this.#reading = repeat({
      machine,
      run: () => this.#read(),
      interval: store.capabilities.shared ? POLL_MS : Number.POSITIVE_INFINITY,
      onError: (error) => log.warn({ reason: error.message }, 'events could not be read for their listeners'),
    });
    this.#stopListening = store.onTouch((keys) => this.#touched(keys));
  }

  /**
   * Adds a listener. Resolves once the listener will get all events that are recorded from then on. Returns a
   * function that removes the listener.
   */
  async listen(orgId: string, listener: EventListener): Promise<() => void> {
    const channel = this.#channels.get(orgId) ?? this.#open(orgId);
    channel.listeners.add(listener);
    const end = () => {
      channel.listeners.delete(listener);
      if (channel.listeners.size === 0 && this.#channels.get(orgId) === channel) this.#channels.delete(orgId);
    };
    await channel.opened.catch((error) => {
      end();
      throw error;
    });
    return end;
  }

  /** Number of listeners to the events of an organization. */
  listenersOf(orgId: string): number {
    return this.#channels.get(orgId)?.listeners.size ?? 0;
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#channels.clear();
    await this.#reading.stop();
  }

  #open(orgId: string): Channel {
    const seen = new Set<string>();
    const channel = { listeners: new Set<EventListener>(), seen, opened: this.#prepare(orgId, seen) };
    this.#channels.set(orgId, channel);
    return channel;
  }

  async #prepare(orgId: string, seen: Set<string>): Promise<void> {
    if (!this.#store.capabilities.shared) return;
    const before = await this.#newest(orgId);
    for (const { id } of before.rows.toReversed()) seen.add(id);
  }

  #touched(keys: ReadonlySet<CacheKey>): void {
    if (this.#channels.size === 0) return;
    const ids = [...keys].flatMap((key) => idOfEventKey(key) ?? []);
    if (ids.length === 0) return;
    this.#committed.push(...ids);
    this.#reading.wake();
  }

  async #read(): Promise<void> {
    while (this.#committed.length > 0) {
      const ids = this.#committed.slice(0, CHUNK);
      const events = await this.#store.read((tx) => findEventsById(tx, ids));
      this.#committed = this.#committed.slice(ids.length);
      await this.#deliver(events);
    }
    if (!this.#store.capabilities.shared) return;
    for (const [orgId, { opened, seen }] of this.#channels) {
      await opened;
      await this.#deliver(await this.#unseen(orgId, seen));
    }
  }

  /** Returns the events that other instances have recorded, oldest first. */
  async #unseen(orgId: string, seen: ReadonlySet<string>): Promise<EventRecord[]> {
    const found: EventRecord[] = [];
    let after: string | undefined;
    do {
      const { rows, next } = await this.#newest(orgId, after);
      const unseen = rows.filter(({ id }) => !seen.has(id));
      found.push(...unseen);
      after = unseen.length === rows.length ? next : undefined;
    } while (after !== undefined && found.length < MAX_SEEN);
    return found.reverse();
  }

  #newest(orgId: string, after?: string) {
    const range = { itemsPerPage: CHUNK, pageNum: 1, ...(after === undefined ? {} : { after }) };
    return this.#store.read((tx) => findEvents(tx, { orgId }, {}, range));
  }

  /** Calls the listeners in turns, because an organization can have hundreds of them. */
  async #deliver(events: readonly EventRecord[]): Promise<void> {
    const turns = new Turns();
    for (const [orgId, own] of Map.groupBy(events, (event) => event.orgId)) {
      const channel = this.#channels.get(orgId);
      if (channel === undefined) continue;
      const fresh = this.#store.capabilities.shared ? own.filter(({ id }) => isNew(channel.seen, id)) : own;
      if (fresh.length === 0) continue;
      // Listeners that are added meanwhile read these events from the store.
      for (const listener of [...channel.listeners]) {
        if (channel.listeners.has(listener)) listener(fresh);
        await turns.take(LISTENER_COST + fresh.length);
      }
    }
  }
}

/** Remembers an id; returns false if it was known. */
function isNew(seen: Set<string>, id: string): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const [oldest] = seen.size > MAX_SEEN ? seen : [];
  if (oldest !== undefined) seen.delete(oldest);
  return true;
}
