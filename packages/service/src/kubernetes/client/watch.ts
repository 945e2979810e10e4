import type * as Client from '@kubernetes/client-node';
import type { MachineClock } from '@portolan/foundation/clock';
import { repeat } from '@portolan/foundation/repeat';
import type { KubernetesObject, WatchHandlers } from '../engine/port.ts';
import { withinLimit } from './limit.ts';
import { refusalOf } from './refusal.ts';

export type ClientModule = typeof Client;

interface Parts {
  readonly client: ClientModule;
  readonly config: Client.KubeConfig;
  readonly objects: Client.KubernetesObjectApi;
  readonly machine: MachineClock;
}

interface Watched {
  readonly apiVersion: string;
  readonly kind: string;
  readonly labelSelector: string | undefined;
}

/** The path of the objects of a kind in all namespaces. */
const plural = (kind: string): string => `${kind.toLowerCase()}s`;
const pathOf = ({ apiVersion, kind }: Watched): string =>
  `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}/${plural(kind)}`;

const BACK_OFF = { first: 250, greatest: 10_000 };
/** Time between two lists if the API ends watches at once. */
const PAUSE_MS = 100;

/**
 * Lists the objects of a kind, then watches them from that version on. If the API ends the watch, it continues from the
 * last version that it has seen; if the API no longer has that version, it lists again.
 */
export function openWatch(
  parts: Parts,
  watched: Watched,
  handlers: WatchHandlers,
): { close(): Promise<void> } {
  const objects = new WatchedObjects(parts, watched, handlers);
  const rounds = repeat({
    machine: parts.machine,
    async run(signal) {
      let version: string | undefined = await objects.list();
      handlers.connected?.();
      while (version !== undefined && !signal.aborted) {
        version = await objects.follow(version, signal);
        // A frozen server ends no watch. A request shows whether it responds.
        if (version !== undefined && !signal.aborted) await objects.ping();
      }
    },
    first: 0,
    interval: PAUSE_MS,
    backOff: BACK_OFF,
    onError: (error) => handlers.lost(refusalOf(error).message),
  });
  return { close: () => rounds.stop() };
}

class WatchedObjects {
  readonly #parts: Parts;
  readonly #watched: Watched;
  readonly #handlers: WatchHandlers;
  readonly #watch: Client.Watch;
  #known = new Map<string, KubernetesObject>();

  constructor(parts: Parts, watched: Watched, handlers: WatchHandlers) {
    this.#parts = parts;
    this.#watched = watched;
    this.#handlers = handlers;
    this.#watch = new parts.client.Watch(parts.config);
  }

  /** Passes on all present objects, and those that are gone since the last list. Returns the version of the list. */
  async list(): Promise<string> {
    const list = await this.#request(undefined);
    const before = this.#known;
    this.#known = new Map((list.items as KubernetesObject[]).map((object) => [keyOf(object), object]));
    for (const [key, object] of before) if (!this.#known.has(key)) this.#handlers.gone(object);
    for (const object of this.#known.values()) this.#handlers.changed(object);
    return list.metadata?.resourceVersion ?? '';
  }

  async ping(): Promise<void> {
    await this.#request(1);
  }

  /** Resolves to the last version when the watch has ended, or to undefined if the version is too old. */
  follow(from: string, signal: AbortSignal): Promise<string | undefined> {
    const { labelSelector } = this.#watched;
    const query = { resourceVersion: from, allowWatchBookmarks: true, labelSelector };
    let version: string | undefined = from;
    return new Promise((resolve, reject) => {
      const onEvent = (type: string, object: KubernetesObject) => {
        version = type === 'ERROR' ? undefined : (object.metadata?.resourceVersion ?? version);
        this.#pass(type, object);
      };
      const onEnd = (error: unknown) => (isNormal(error) ? resolve(version) : reject(error));
      this.#watch.watch(pathOf(this.#watched), query, onEvent, onEnd).then((controller) => {
        if (signal.aborted) controller.abort();
        else signal.addEventListener('abort', () => controller.abort(), { once: true });
      }, reject);
    });
  }

  #pass(type: string, object: KubernetesObject): void {
    if (type === 'ADDED' || type === 'MODIFIED') {
      this.#known.set(keyOf(object), object);
      this.#handlers.changed(object);
    } else if (type === 'DELETED') {
      this.#known.delete(keyOf(object));
      this.#handlers.gone(object);
    }
  }

  #request(limit: number | undefined) {
    const { machine, objects } = this.#parts;
    const { apiVersion, kind, labelSelector } = this.#watched;
    const blank = [undefined, undefined, undefined, undefined, undefined] as const;
    return withinLimit(machine, objects.list(apiVersion, kind, ...blank, labelSelector, limit));
  }
}

const keyOf = ({ metadata }: KubernetesObject): string => metadata?.uid ?? metadata?.name ?? '';

/** The client ends a watch without events after some time. */
function isNormal(error: unknown): boolean {
  return (
    error === null || error === undefined || ['TimeoutError', 'AbortError'].includes((error as Error).name)
  );
}
