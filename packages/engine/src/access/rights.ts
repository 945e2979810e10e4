import { BUCKETS } from '../storage/buckets/layout.ts';
import type { Privilege } from './privilege.ts';
import type { Allowance, ResourcePattern } from './resources.ts';

/**
 * The action that allows writes while `setUserWriteBlockMode` blocks the writes of users. A privilege for all
 * actions does not include it, so a role must grant it explicitly.
 */
export const BYPASS = 'bypassWriteBlockingMode';

type Actions = Set<string>;

/** The compiled privileges of a user. The number of lookups per check does not grow with the number of roles. */
export class Rights {
  readonly #all: boolean;
  readonly #byPattern = new Map<string, Actions>();

  constructor(allowances: Iterable<Allowance>) {
    let all = false;
    for (const { resource, actions } of allowances) {
      if (actions === 'all') all = true;
      else this.#add(keyOf(resource), actions);
    }
    this.#all = all;
  }

  allows({ action, database, collection = '' }: Privilege): boolean {
    if (this.#all && action !== BYPASS) return true;
    if (this.#has(ANYTHING, action)) return true;
    if (database === undefined) return this.#has(CLUSTER, action);
    if (collection !== '') {
      if (this.#has(collectionKey(database, collection), action)) return true;
      if (this.#has(collectionKey('', collection), action)) return true;
      if (collection.startsWith(BUCKETS))
        return this.#allowsBuckets(action, database, collection.slice(BUCKETS.length));
      if (isSystem(collection)) return false;
    }
    if (this.#has(databaseKey(database), action)) return true;
    return database !== 'local' && database !== 'config' && this.#has(NORMAL, action);
  }

  #allowsBuckets(action: string, database: string, series: string): boolean {
    const databases = [database, ''];
    return databases.some((one) => [series, ''].some((name) => this.#has(bucketsKey(one, name), action)));
  }

  #has(key: string, action: string): boolean {
    return this.#byPattern.get(key)?.has(action) === true;
  }

  #add(key: string, actions: ReadonlySet<string>): void {
    const found = this.#byPattern.get(key) ?? new Set();
    for (const action of actions) found.add(action);
    this.#byPattern.set(key, found);
  }
}

const CLUSTER = 'c';
const ANYTHING = 'a';
const NORMAL = 'n';
const databaseKey = (database: string) => `d${database}`;
/** The key is unambiguous, because the name of a database contains no dot. */
const collectionKey = (database: string, collection: string) => `.${database}.${collection}`;
const bucketsKey = (database: string, series: string) => `b${database}.${series}`;

function keyOf(resource: ResourcePattern): string {
  switch (resource.kind) {
    case 'cluster':
      return CLUSTER;
    case 'anything':
      return ANYTHING;
    case 'anyNormal':
      return NORMAL;
    case 'database':
      return databaseKey(resource.database);
    case 'collection':
      return collectionKey(resource.database, resource.collection);
    case 'buckets':
      return bucketsKey(resource.database, resource.series);
  }
}

/** True for a system collection. Privileges on a whole database do not apply to its system collections. */
function isSystem(collection: string): boolean {
  return collection.startsWith('system.');
}
