import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Json, merged, pathsOf, treeOf, valueAt, without } from './fields.ts';

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

/** An answer of the API that is an error. */
export class Refused extends Error {
  readonly code: number;
  readonly reason: string;

  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

interface Event {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: string;
  readonly object: StoredObject;
}

interface Manager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly paths: ReadonlySet<string>;
}

/** Fields that identify an object or that the server sets. Nobody owns them. */
const unowned =
  /^\["(apiVersion|kind|status"|metadata","(name|namespace|uid|generation|resourceVersion|managedFields))/;
const ownedPaths = (object: Json) => pathsOf(object).filter((path) => !unowned.test(path));

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
    if (version < this.#oldest) throw new Refused(410, 'Expired', `too old resource version: ${version}`);
    return this.#events.filter((event) => event.version > version);
  }

  /** Forgets all events, so that watches from earlier versions fail. */
  compact(): void {
    this.#events = [];
    this.#version++;
    this.#oldest = this.#version;
  }

  /** Server-side apply. */
  apply(key: string, given: Json, manager: string, force: boolean): StoredObject {
    const before = this.#objects.get(key);
    const { status: _, ...wanted } = given;
    const paths = new Set(ownedPaths(wanted));
    const managers = this.#managers.get(key) ?? [];
    const isOwn = (one: Manager) => one.manager === manager && one.operation === 'Apply';
    const others = managers.filter((one) => !isOwn(one));
    const differing = new Set(
      [...paths].filter((path) => !isDeepStrictEqual(valueAt(before, path), valueAt(wanted, path))),
    );
    const conflicts = others.filter((one) =>
      [...one.paths].some((path) => differing.has(path) && !isSet(path)),
    );
    if (conflicts.length > 0 && !force) {
      throw new Refused(409, 'Conflict', `conflicts with ${conflicts.map((one) => one.manager).join(', ')}`);
    }
    const left = others.map((one) => ({ ...one, paths: minus(one.paths, differing) }));
    const dropped = [...(managers.find(isOwn)?.paths ?? [])].filter(
      (path) => !paths.has(path) && !left.some((one) => one.paths.has(path)),
    );
    const kept = dropped.reduce<Json>((object, path) => without(object, path), before ?? {});
    const after = merged(kept, withFinalizers(wanted, before));
    return this.#store(key, after, [...left, { manager, operation: 'Apply', paths }]);
  }

  /** A change by a merge patch. */
  merge(key: string, change: Json, manager: string): StoredObject {
    const before = this.#objects.get(key);
    if (before === undefined) throw notFound(key);
    const paths = new Set(ownedPaths(change));
    const managers = this.#managers.get(key) ?? [];
    const isOwn = (one: Manager) => one.manager === manager && one.operation === 'Update';
    const others = managers
      .filter((one) => !isOwn(one))
      .map((one) => ({ ...one, paths: minus(one.paths, paths) }));
    const all = new Set([...(managers.find(isOwn)?.paths ?? []), ...paths]);
    return this.#store(key, merged(before, change), [
      ...others,
      { manager, operation: 'Update', paths: all },
    ]);
  }

  setStatus(key: string, status: Json): StoredObject {
    const before = this.#objects.get(key);
    if (before === undefined) throw notFound(key);
    return this.#store(key, { ...before, status }, this.#managers.get(key) ?? []);
  }

  delete(key: string): void {
    const before = this.#objects.get(key);
    if (before === undefined) throw notFound(key);
    if (before.metadata.deletionTimestamp !== undefined) return;
    const metadata = { ...before.metadata, deletionTimestamp: new Date().toISOString() };
    this.#store(key, { ...before, metadata }, this.#managers.get(key) ?? []);
  }

  #store(key: string, given: Json, managers: readonly Manager[]): StoredObject {
    const before = this.#objects.get(key);
    const {
      managedFields: _,
      resourceVersion: _version,
      ...metadata
    } = given.metadata as StoredObject['metadata'];
    const isNewSpec = !isDeepStrictEqual(before?.spec, given.spec);
    const { managedFields: _fields, resourceVersion: _old, ...known } = before?.metadata ?? ({} as Json);
    const isSame = isDeepStrictEqual({ ...before, metadata: known }, { ...given, metadata });
    this.#managers.set(key, managers);
    if (!isSame) this.#version++;
    const object = {
      ...given,
      metadata: {
        ...metadata,
        uid: before?.metadata.uid ?? randomUUID(),
        generation: (before?.metadata.generation ?? 0) + (isNewSpec || before === undefined ? 1 : 0),
        resourceVersion: isSame ? before?.metadata.resourceVersion : String(this.#version),
        managedFields: managers.map(({ manager, operation, paths }) => ({
          ...{ manager, operation, fieldsType: 'FieldsV1', fieldsV1: treeOf(paths) },
        })),
      },
    } as unknown as StoredObject;
    if (isSame) return object;
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    const isGone = deletionTimestamp !== undefined && finalizers.length === 0;
    if (isGone) this.#objects.delete(key);
    else this.#objects.set(key, object);
    this.#emit(key, isGone ? 'DELETED' : before === undefined ? 'ADDED' : 'MODIFIED', object);
    return object;
  }

  #emit(key: string, type: Event['type'], object: StoredObject): void {
    const event = { version: this.#version, type, key, object };
    this.#events.push(event);
    for (const watcher of this.watchers) watcher(event);
  }
}

const notFound = (key: string) => new Refused(404, 'NotFound', `${key} not found`);

/** Managers share finalizers: applying adds them. */
const isSet = (path: string) => path === '["metadata","finalizers"]';

function withFinalizers(wanted: Json, before: StoredObject | undefined): Json {
  const metadata = wanted.metadata as StoredObject['metadata'];
  if (metadata.finalizers === undefined) return wanted;
  const finalizers = [...new Set([...(before?.metadata.finalizers ?? []), ...metadata.finalizers])];
  return { ...wanted, metadata: { ...metadata, finalizers } };
}

const minus = (paths: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> =>
  new Set([...paths].filter((path) => !others.has(path)));
