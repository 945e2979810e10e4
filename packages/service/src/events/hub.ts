import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { type Repetition, repeat } from '@portolan/foundation/repeat';
import { Turns } from '@portolan/foundation/turns';
import type { CacheKey } from '../store/cache-keys.ts';
import type { ReadTx, Store } from '../store/store.ts';
import { type EventBatch, findInRanges, positionOf } from './numbered.ts';
import { type Position, rangesBetween } from './position.ts';
import { ownerOfEventKey } from './record.ts';

/**
 * How often to poll for events of other instances, since instances do not notify each other. Caches notice changes by
 * other instances after the same time.
 */
const POLL_MS = 1000;
/** Maximum number of events that are read at once. */
const CHUNK = 200;

type BatchListener = (batch: EventBatch) => void;

/**
 * The cost of calling a listener, in the unit of `Turns`. A listener formats and encrypts the events for one reader.
 */
const LISTENER_COST = 10;

/** The listeners to the events of one organization and its projects. */
interface Channel {
  readonly listeners: Set<BatchListener>;
  /** The number of listeners, including those that `listen` is still adding. */
  users: number;
  /** The position after the events that were delivered. */
  position: Position;
  readonly opened: Promise<void>;
  /** Resolves when no batch is being delivered. Batches are delivered one after the other. */
  delivered: Promise<void>;
}

interface Listening {
  /** The listener gets all events after this position. */
  readonly position: Position;
  readonly end: () => void;
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
  /** The organizations with events of this instance that have not been read yet. */
  readonly #touched = new Set<string>();

  constructor({ store, machine, log }: { store: Store; machine: MachineClock; log: Log }) {
    this.#store = store;
    this.#reading = repeat({
      machine,
      run: () => this.#read(),
      interval: store.capabilities.shared ? POLL_MS : Number.POSITIVE_INFINITY,
      backOff: { first: POLL_MS, greatest: 60 * POLL_MS },
      onError: (error) => log.warn({ reason: error.message }, 'events could not be read for their listeners'),
    });
    this.#stopListening = store.onTouch((keys) => this.#onTouch(keys));
  }

  /**
   * Adds a listener to the events of an organization and its projects. `from` is the position that the listener has
   * reached before, possibly at another instance. The returned position is not before it, if `from` is a position of
   * this organization.
   */
  async listen(orgId: string, listener: BatchListener, from: Position = new Map()): Promise<Listening> {
    const channel = this.#channels.get(orgId) ?? this.#open(orgId);
    channel.users++;
    const end = () => {
      channel.users--;
      channel.listeners.delete(listener);
      if (channel.users === 0 && this.#channels.get(orgId) === channel) this.#channels.delete(orgId);
    };
    try {
      await channel.opened;
      // The other listeners may not have received the newest events of other instances yet.
      if (rangesBetween(from, channel.position) === undefined) await this.#deliverTo(orgId);
    } catch (error) {
      end();
      throw error;
    }
    channel.listeners.add(listener);
    return { position: channel.position, end };
  }

  /** Returns the number of listeners to the events of an organization. */
  listenersOf(orgId: string): number {
    return this.#channels.get(orgId)?.users ?? 0;
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#channels.clear();
    await this.#reading.stop();
  }

  #open(orgId: string): Channel {
    const opened = this.#store
      .read((tx) => positionOf(tx, orgId))
      .then((position) => {
        channel.position = position;
      });
    const channel: Channel = {
      listeners: new Set(),
      users: 0,
      position: new Map(),
      opened,
      delivered: Promise.resolve(),
    };
    this.#channels.set(orgId, channel);
    return channel;
  }

  #onTouch(keys: ReadonlySet<CacheKey>): void {
    if (this.#channels.size === 0) return;
    for (const key of keys) {
      const orgId = ownerOfEventKey(key);
      if (orgId === undefined || !this.#channels.has(orgId)) continue;
      this.#touched.add(orgId);
      this.#reading.wake();
    }
  }

  async #read(): Promise<void> {
    for (const orgId of this.#store.capabilities.shared ? this.#channels.keys() : this.#touched) {
      this.#touched.delete(orgId);
      try {
        await this.#deliverTo(orgId);
      } catch (error) {
        this.#touched.add(orgId);
        throw error;
      }
    }
  }

  async #deliverTo(orgId: string): Promise<void> {
    const channel = this.#channels.get(orgId);
    if (channel === undefined) return;
    const delivering = channel.delivered.then(() => this.#deliverAll(orgId, channel));
    channel.delivered = delivering.catch(() => {});
    await delivering;
  }

  async #deliverAll(orgId: string, channel: Channel): Promise<void> {
    await channel.opened;
    for (;;) {
      const batch = await this.#store.read((tx) => nextBatch(tx, orgId, channel.position));
      await deliver(channel, batch);
      if (batch.events.length < CHUNK) return;
    }
  }
}

/** Calls the listeners in turns, because an organization can have hundreds of them. */
async function deliver(channel: Channel, batch: EventBatch): Promise<void> {
  // Listeners that are added meanwhile read these events from the store.
  channel.position = batch.position;
  if (batch.events.length === 0) return;
  const turns = new Turns();
  for (const listener of [...channel.listeners]) {
    if (channel.listeners.has(listener)) listener(batch);
    await turns.take(LISTENER_COST + batch.events.length);
  }
}

/** Returns the next events after a position. */
async function nextBatch(tx: ReadTx, orgId: string, from: Position): Promise<EventBatch> {
  const newest = await positionOf(tx, orgId);
  const ranges = rangesBetween(from, newest);
  // If the counter has been deleted with its organization, continue with the events that are recorded from now on.
  return ranges === undefined
    ? { events: [], position: newest }
    : findInRanges(tx, { orgId }, { from, ranges }, CHUNK);
}
