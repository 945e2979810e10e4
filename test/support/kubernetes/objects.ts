import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Json, merged, without } from './fields.ts';
import { type Change, entriesOf, ManagedFields, type Manager } from './managers.ts';
import { Refused } from './refused.ts';

export interface StoredObject extends Json {
  readonly metadata: Json & {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly generation: number;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
  };
  readonly spec?: Json;
  readonly status?: Json;
}

export interface Event {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: string;
  readonly object: StoredObject;
}

/** Objects with their versions, managers and events. Keys begin with the kind in the plural. */
export class Objects {
  #version = 100;
  readonly #objects = new Map<string, StoredObject>();
  readonly #managers = new Map<string, readonly Manager[]>();
  #events: Event[] = [];
  #oldest = 0;
  readonly watchers = new Set<(event: Event) => void>();

  get version(): number {
    return this.#version;
  }

  find(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  list(prefix: string): StoredObject[] {
    return [...this.#objects].filter(([key]) => key.startsWith(prefix)).map(([, object]) => object);
  }

  /** Events after a version. Throws if they have been removed. */
  since(version: number): readonly Event[] {
    if (version < this.#oldest) {
      throw new Refused(410, 'Expired', `too old resource version: ${version} (${this.#oldest})`);
    }
    return this.#events.filter((event) => event.version > version);
  }

  /** Removes all events, so that watches from earlier versions fail. */
  compact(): void {
    this.#events = [];
    this.#oldest = this.#version;
  }

  /** Increases the version, as changes of objects of other kinds do. */
  advance(): void {
    this.#version++;
  }

  /** Applies an object as the API server does for a server-side apply. */
  apply(key: string, given: Json, manager: string, force: boolean): StoredObject {
    const before = this.#objects.get(key);
    this.#checkVersion(key, before, given);
    const { status: _, ...wanted } = given;
    const fields = new ManagedFields(this.#managers.get(key) ?? [], before);
    const { managers, dropped } = fields.apply(wanted, manager, force);
    const kept = dropped.reduce<Json>((object, path) => without(object, path), before ?? {});
    return this.#store(key, merged(kept, withFinalizers(wanted, before)), managers);
  }

  /** Applies a merge patch to the object without its status, or to the status alone. */
  merge(key: string, change: Json, { manager, subresource }: Change): StoredObject {
    const before = this.#require(key);
    const { status, ...rest } = change;
    const part = subresource === 'status' ? { status } : rest;
    const fields = new ManagedFields(this.#managers.get(key) ?? [], before);
    return this.#store(
      key,
      merged(before, part as Json),
      fields.update(part as Json, { manager, subresource }),
    );
  }

  /** Replaces the status. */
  setStatus(key: string, status: Json): StoredObject {
    const { status: _, ...rest } = this.#require(key);
    const fields = new ManagedFields(this.#managers.get(key) ?? [], rest);
    const change = { manager: 'operator', subresource: 'status' };
    return this.#store(key, { ...rest, status }, fields.update({ status }, change));
  }

  delete(key: string): void {
    const before = this.#require(key);
    if (before.metadata.deletionTimestamp !== undefined) return;
    const deletionTimestamp = `${new Date().toISOString().slice(0, 19)}Z`;
    const generation = before.metadata.generation + 1;
    const metadata = { ...before.metadata, generation, deletionTimestamp, deletionGracePeriodSeconds: 0 };
    this.#store(key, { ...before, metadata }, this.#managers.get(key) ?? []);
  }

  #require(key: string): StoredObject {
    const object = this.#objects.get(key);
    if (object === undefined) throw notFound(key);
    return object;
  }

  /** Throws if a change names a version, and the object has another version. */
  #checkVersion(key: string, before: StoredObject | undefined, { metadata }: Json): void {
    const { resourceVersion } = metadata as Partial<StoredObject['metadata']>;
    if (resourceVersion === undefined || resourceVersion === before?.metadata.resourceVersion) return;
    throw new Refused(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${key}: the object has been modified`,
    );
  }

  #store(key: string, given: Json, managers: readonly Manager[]): StoredObject {
    const before = this.#objects.get(key);
    const metadata = ownMetadata(given);
    const isNewSpec = !isDeepStrictEqual(before?.spec, given.spec);
    const isSame = isDeepStrictEqual(
      { ...before, metadata: before && ownMetadata(before) },
      { ...given, metadata },
    );
    const areSame = isDeepStrictEqual(this.#managers.get(key), managers);
    if (before !== undefined && isSame && areSame) return before;
    this.#version++;
    this.#managers.set(key, managers);
    const object = {
      ...given,
      metadata: {
        ...metadata,
        uid: before?.metadata.uid ?? randomUUID(),
        generation: (metadata.generation ?? 0) + (isNewSpec || before === undefined ? 1 : 0),
        resourceVersion: String(this.#version),
        managedFields: entriesOf(managers, String(given.apiVersion)),
      },
    } as unknown as StoredObject;
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    const isGone = deletionTimestamp !== undefined && finalizers.length === 0;
    if (isGone) {
      this.#objects.delete(key);
      this.#managers.delete(key);
    } else this.#objects.set(key, object);
    this.#emit(key, isGone ? 'DELETED' : before === undefined ? 'ADDED' : 'MODIFIED', object);
    return object;
  }

  #emit(key: string, type: Event['type'], object: StoredObject): void {
    const event = { version: this.#version, type, key, object };
    this.#events.push(event);
    for (const watcher of this.watchers) watcher(event);
  }
}

/** Returns the metadata without the fields that the server adds to each stored version. */
function ownMetadata({ metadata }: Json): Partial<StoredObject['metadata']> {
  const { managedFields: _, resourceVersion: _version, ...rest } = metadata as Json;
  return rest;
}

const notFound = (key: string) => new Refused(404, 'NotFound', `${key} not found`);

/** Adds the finalizers of an apply to the existing ones, since several managers can own finalizers. */
function withFinalizers(wanted: Json, before: StoredObject | undefined): Json {
  const metadata = wanted.metadata as StoredObject['metadata'];
  const { resourceVersion: _, ...given } = metadata;
  if (metadata.finalizers === undefined) return { ...wanted, metadata: given };
  const finalizers = [...new Set([...(before?.metadata.finalizers ?? []), ...metadata.finalizers])];
  return { ...wanted, metadata: { ...given, finalizers } };
}
