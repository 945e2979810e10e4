import type * as Client from '@kubernetes/client-node';
import type { MachineClock } from '@portolan/foundation/clock';
import { repeat } from '@portolan/foundation/repeat';
import { type KindFor, kinds } from '../engine/kinds.ts';
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
  readonly kind: KindFor<'watch'>;
  readonly labelSelector: string | undefined;
}

/** Returns the path of the objects of a kind in all namespaces. */
function pathOf({ kind }: Watched): string {
  const { apiVersion, plural } = kinds[kind];
  return `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}/${plural}`;
}

const BACK_OFF = { first: 250, greatest: 10_000 };
/** Minimum time between two lists, in case the API ends each watch at once. */
const PAUSE_MS = 100;

/**
 * Lists the objects of a kind, then watches for changes after the version of the list. If the API ends the watch,
 * watches again from the last version that the API has reported. If the API no longer has that version, lists again.
 */
export function openWatch(
  parts: Parts,
  watched: Watched,
  handlers: WatchHandlers,
): { close(): Promise<void> } {
  const objects = new WatchedObjects(parts, watched, handlers);
  let isClosed = false;
  const rounds = repeat({
    machine: parts.machine,
    async run(signal) {
      let version: string | undefined = await objects.list(signal);
      handlers.connected?.();
      while (version !== undefined && !signal.aborted) {
        version = await objects.follow(version, signal);
        // A frozen server does not end the watch. Send a request, which fails if the server does not respond.
        if (version !== undefined && !signal.aborted) await objects.ping(signal);
      }
    },
    first: 0,
    interval: PAUSE_MS,
    backOff: BACK_OFF,
    onError: (error) => {
      if (!isClosed) handlers.lost(refusalOf(error, watched.kind).message);
    },
  });
  return {
    async close() {
      isClosed = true;
      await rounds.stop();
    },
  };
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

  /** Reports all present objects, and those that were deleted since the last list. Returns the version of the list. */
  async list(signal: AbortSignal): Promise<string> {
    const list = await this.#request(undefined, signal);
    const before = this.#known;
    this.#known = new Map((list.items as KubernetesObject[]).map((object) => [keyOf(object), object]));
    for (const [key, object] of before) if (!this.#known.has(key)) this.#handlers.gone(object);
    for (const object of this.#known.values()) this.#handlers.changed(object);
    return list.metadata?.resourceVersion ?? '';
  }

  async ping(signal: AbortSignal): Promise<void> {
    await this.#request(1, signal);
  }

  /** Resolves when the watch has ended: with the last reported version, or with undefined if `from` is too old. */
  follow(from: string, signal: AbortSignal): Promise<string | undefined> {
    const { labelSelector } = this.#watched;
    const query = { resourceVersion: from, allowWatchBookmarks: true, labelSelector };
    const settled = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const onAbort = (run: () => void) =>
      signal.addEventListener('abort', run, { once: true, signal: settled.signal });
    let version: string | undefined = from;
    // On abort, resolve immediately. The client can abort the watch itself only after the API has replied, which may
    // take long.
    onAbort(() => resolve(version));
    const onEvent = (type: string, object: KubernetesObject) => {
      version = type === 'ERROR' ? undefined : (object.metadata?.resourceVersion ?? version);
      this.#pass(type, object);
    };
    const onEnd = (error: unknown) => {
      if (isExpired(error)) resolve(undefined);
      else if (isNormal(error)) resolve(version);
      else reject(error);
    };
    this.#watch.watch(pathOf(this.#watched), query, onEvent, onEnd).then((controller) => {
      if (signal.aborted) controller.abort();
      else onAbort(() => controller.abort());
    }, reject);
    return promise.finally(() => settled.abort());
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

  #request(limit: number | undefined, signal: AbortSignal) {
    const { machine, objects } = this.#parts;
    const { kind, labelSelector } = this.#watched;
    const blank = [undefined, undefined, undefined, undefined, undefined] as const;
    const list = objects.list(kinds[kind].apiVersion, kind, ...blank, labelSelector, limit);
    return withinLimit(machine, list, signal);
  }
}

const keyOf = ({ metadata }: KubernetesObject): string => metadata?.uid ?? metadata?.name ?? '';

/** Whether the API no longer has the requested version. The API can also report this before the watch has begun. */
const isExpired = (error: unknown): boolean =>
  (error as { readonly statusCode?: unknown } | null | undefined)?.statusCode === 410;

/**
 * Whether a watch has ended without a failure. The client ends a watch that reports no events for some time.
 */
function isNormal(error: unknown): boolean {
  return (
    error === null || error === undefined || ['TimeoutError', 'AbortError'].includes((error as Error).name)
  );
}
