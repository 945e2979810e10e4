import { type Repetition, repeat } from '@portolan/foundation/repeat';
import type { Services } from '../services.ts';
import { existingSessions, idOfSessionKey, type SessionRow } from './rows.ts';
import { endsOf } from './rules.ts';

/** How often to look for sessions that another instance has ended, since instances do not notify each other. */
const POLL_MS = 1000;

type Listener = () => void;

/**
 * Calls listeners when sessions end: at once if this instance ends the session, and within about a second if another
 * instance ends it.
 */
export class SessionWatch {
  readonly #services: Services;
  readonly #listeners = new Map<string, Set<Listener>>();
  /** Sessions that may have ended between the authentication of a request and the beginning of the watch. */
  readonly #unchecked = new Set<string>();
  readonly #looking: Repetition;

  constructor(services: Services) {
    const { store, machine, log } = services;
    this.#services = services;
    const isShared = store.capabilities.shared;
    this.#looking = repeat({
      machine,
      run: () => this.#look(isShared ? this.#listeners : this.#unchecked),
      interval: () => (isShared && this.#listeners.size > 0 ? POLL_MS : Number.POSITIVE_INFINITY),
      onError: (error) => log.warn({ reason: error.message }, 'the ends of sessions could not be read'),
    });
    store.onTouch((keys) => {
      for (const key of keys) this.#end(idOfSessionKey(key) ?? '');
    });
  }

  /** Calls a listener when the session ends. Returns a function that removes the listener. */
  whenEnded(session: SessionRow, listener: Listener): () => void {
    const { id } = session;
    const { machine } = this.#services;
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    this.#unchecked.add(id);
    this.#looking.wake();
    const cancel = machine.after(Math.max(0, endsOf(session).latest - machine.now()), listener);
    return () => {
      cancel();
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
  }

  stop(): Promise<void> {
    return this.#looking.stop();
  }

  async #look(watched: { keys(): Iterable<string> }): Promise<void> {
    const ids = [...watched.keys()];
    this.#unchecked.clear();
    if (ids.length === 0) return;
    const existing = await this.#services.store.read((tx) => existingSessions(tx, ids));
    for (const id of ids) if (!existing.has(id)) this.#end(id);
  }

  #end(id: string): void {
    const listeners = this.#listeners.get(id) ?? [];
    this.#listeners.delete(id);
    for (const listener of listeners) listener();
  }
}

const watches = new WeakMap<Services['store'], SessionWatch>();

/** Returns the `SessionWatch` of an instance of the service. Creates it at the first call. */
export function sessionWatch(services: Services): SessionWatch {
  const known = watches.get(services.store);
  if (known !== undefined) return known;
  const created = new SessionWatch(services);
  watches.set(services.store, created);
  return created;
}
