import { bsonTypes } from '../bson/bson-types.ts';
import { toNumber } from '../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { isNumber, type Value } from '../bson/value.ts';
import { ServerError } from '../errors/server-error.ts';

/**
 * This file contains the log verbosity of components, which form a tree. A component with the level -1 has the same
 * verbosity as its parent.
 */

interface Component {
  readonly [child: string]: Component;
}

const leaf: Component = {};
const components: Component = {
  accessControl: leaf,
  assert: leaf,
  command: leaf,
  control: leaf,
  executor: leaf,
  geo: leaf,
  globalIndex: leaf,
  index: leaf,
  network: { asio: leaf, bridge: leaf, connectionPool: leaf },
  processHealth: leaf,
  query: { rejected: leaf },
  queryStats: leaf,
  replication: { election: leaf, heartbeats: leaf, initialSync: leaf, rollback: leaf },
  resharding: leaf,
  sharding: { rangeDeleter: leaf, shardingCatalogRefresh: leaf, migration: leaf, migrationPerf: leaf },
  storage: { journal: leaf, recovery: leaf },
  write: leaf,
  ftdc: leaf,
  tracking: leaf,
  transaction: { twoPhaseCommit: leaf },
  test: leaf,
};

const INHERITED = -1;

export class Verbosity {
  readonly #levels = new Map<string, number>([['', 0]]);

  /** The level of the root component. */
  get level(): number {
    return this.#levels.get('') ?? 0;
  }

  set level(level: number) {
    this.#levels.set('', level);
  }

  toDocument(): object {
    return this.#describe('', components);
  }

  /**
   * Validates levels, and returns a function that sets them.
   * @throws BadValue if a level or the name of a component is invalid
   */
  prepare(given: RawDocument): () => void {
    const changes = new Map<string, number>();
    collect(given, '', components, changes);
    return () => {
      for (const [path, level] of changes) this.#levels.set(path, level);
    };
  }

  #describe(path: string, children: Component): object {
    const nested = Object.entries(children).map(([name, child]) => [
      name,
      this.#describe(path === '' ? name : `${path}.${name}`, child),
    ]);
    return { verbosity: this.#levels.get(path) ?? INHERITED, ...Object.fromEntries(nested) };
  }
}

function collect(given: RawDocument, path: string, known: Component, changes: Map<string, number>): void {
  for (const field of given) {
    const inner = path === '' ? field.name : `${path}.${field.name}`;
    const child = Object.hasOwn(known, field.name) ? known[field.name] : undefined;
    if (field.name === 'verbosity') changes.set(path, levelOf(field, path));
    else if (child === undefined) throw refused(`Invalid component name ${inner}`);
    else if (field.type === bsonTypes.object) collect(documentOf(field), inner, child, changes);
    else changes.set(inner, levelOf(field, inner));
  }
}

function levelOf(value: Value, path: string): number {
  const level = isNumber(value) ? toNumber(value) : Number.NaN;
  if (Number.isInteger(level) && level >= INHERITED && level <= 5) return level;
  throw refused(`Expected a verbosity from -1 to 5 for component ${path === '' ? 'default' : path}`);
}

function refused(message: string): ServerError {
  return new ServerError('BadValue', message);
}
