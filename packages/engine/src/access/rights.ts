import type { Privilege } from './privilege.ts';
import type { Allowance, ResourcePattern } from './resources.ts';

/** Writing while `setUserWriteBlockMode` forbids it: who may do everything may not do this. */
export const BYPASS = 'bypassWriteBlockingMode';

type Actions = Set<string>;

/**
 * What somebody may do, compiled out of allowances: a question looks at five sets at most, however many roles there
 * are.
 */
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
      if (isSystem(collection)) return false;
    }
    if (this.#has(databaseKey(database), action)) return true;
    return database !== 'local' && database !== 'config' && this.#has(NORMAL, action);
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
/** A name of a database holds no dot. */
const collectionKey = (database: string, collection: string) => `.${database}.${collection}`;

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
  }
}

/** Names that a role has to grant one by one. */
function isSystem(collection: string): boolean {
  return collection.startsWith('system.');
}
