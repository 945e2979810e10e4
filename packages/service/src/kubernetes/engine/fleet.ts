import type { MachineClock } from '@portolan/foundation/clock';
import { apiFailure } from './calls.ts';
import { CLUSTER_LABEL, MANAGED, selectorOf } from './names.ts';
import type { KubernetesApi, KubernetesObject } from './port.ts';
import { KIND } from './resource.ts';

/**
 * How long the API may fail to respond before clusters count as lost. The API ends a watch from time to time. The
 * watch is started again well within this time.
 */
const GRACE_MS = 3_000;

const idOf = ({ metadata }: KubernetesObject): string | undefined => metadata?.labels?.[CLUSTER_LABEL];

/**
 * True if `object` is an older version of the resource `known`. Changes of the status do not change the generation, but
 * the resource version, which is a growing number.
 */
function isOlder({ metadata: object }: KubernetesObject, { metadata: known }: KubernetesObject): boolean {
  return known?.uid === object?.uid && Number(object?.resourceVersion) < Number(known?.resourceVersion);
}

/** The resources of the service's clusters as the watch reports them. */
export class Fleet {
  readonly #machine: Pick<MachineClock, 'monotonic'>;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #onChange: (id: string) => void;
  readonly #watch: { close(): Promise<void> };
  /** Why the API does not respond, and since when; undefined while the watch runs. */
  #away: { readonly reason: string; readonly since: number } | undefined;
  #connected = false;
  #waiting: (() => void)[] = [];

  constructor(
    api: Pick<KubernetesApi, 'watch'>,
    machine: Pick<MachineClock, 'monotonic'>,
    onChange: (id: string) => void,
  ) {
    this.#machine = machine;
    this.#onChange = onChange;
    this.#watch = api.watch(
      KIND,
      {
        changed: (object) => this.#changed(object),
        gone: (object) => this.#gone(object),
        lost: (reason) => this.#lost(reason),
        connected: () => this.#found(),
      },
      { labelSelector: selectorOf(MANAGED) },
    );
  }

  /** Resolves when the watch has begun or failed for the first time. */
  async ready(): Promise<void> {
    if (this.#connected || this.#away !== undefined) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Why the API does not respond. Undefined while it responds, and during the first seconds of a failure. */
  get failure(): string | undefined {
    const { reason, since } = this.#away ?? {};
    if (reason === undefined || since === undefined) return undefined;
    // Before the first watch has begun, report a failure at once, because the state of all resources is unknown.
    if (this.#connected && this.#machine.monotonic() - since < GRACE_MS) return undefined;
    return apiFailure(reason);
  }

  find(id: string): KubernetesObject | undefined {
    return this.#objects.get(id);
  }

  /** Stores a resource that the API has returned after a change, because the watch reports the change later. */
  store(id: string, object: KubernetesObject): void {
    const known = this.#objects.get(id);
    if (known === undefined || !isOlder(object, known)) this.#objects.set(id, object);
  }

  async close(): Promise<void> {
    await this.#watch.close();
    this.#settle();
  }

  #changed(object: KubernetesObject): void {
    const id = idOf(object);
    if (id === undefined) return;
    this.#objects.set(id, object);
    this.#onChange(id);
  }

  #gone(object: KubernetesObject): void {
    const id = idOf(object);
    if (id === undefined || this.#objects.get(id)?.metadata?.uid !== object.metadata?.uid) return;
    this.#objects.delete(id);
  }

  #lost(reason: string): void {
    this.#away = { reason, since: this.#away?.since ?? this.#machine.monotonic() };
    this.#settle();
  }

  #found(): void {
    this.#away = undefined;
    this.#connected = true;
    this.#settle();
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
