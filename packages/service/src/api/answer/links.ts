import type { EntityRule } from '../entity.ts';
import type { AnyOperation } from '../operation.ts';
import type { Params, PathWriter } from '../routes/path-template.ts';
import type { Route } from '../routes/route.ts';
import { isServedIn, type Surface, surfaces } from '../routes/surface.ts';
import type { Link } from '../schema/presenter.ts';

export type { Link };

interface Relation {
  readonly name: string;
  readonly writePath: PathWriter;
}

/** Where links lead, by the base path of the request that asks. */
interface Targets {
  /** Paths of the operations that get an entity, by operation id. */
  readonly gets: ReadonlyMap<string, PathWriter>;
  /** Relations by entity name. */
  readonly relations: ReadonlyMap<string, readonly Relation[]>;
}

/** Where the caller of one request stands, so that links continue from there. */
export interface Standpoint {
  readonly surface: Surface;
  /** Origin and base path as the caller reached them: `https://127.0.0.1:8443/api/service/v2`. */
  readonly base: string;
  /** Where extension relations live (behaviour reference 5). */
  readonly publicUrl: string;
  /** Parameters of the request's own path; an entity that does not repeat them is reached by them. */
  readonly params: Readonly<Record<string, string>>;
}

/** Links of entities, out of the declarations of operations. An operation that is not served adds none. */
export class Links {
  readonly #targets: ReadonlyMap<Surface, Targets>;

  constructor(routes: readonly Route[]) {
    this.#targets = new Map(surfaces.map((surface) => [surface, targetsOf(surface, routes)]));
  }

  /** For an entity within another or in a list. */
  self(rule: EntityRule<never>, entity: unknown, at: Standpoint): readonly Link[] {
    const get =
      typeof rule.self === 'string' ? rule.self : (rule.self as (entity: unknown) => string)(entity);
    const path = this.#targets.get(at.surface)?.gets.get(get)?.(paramsOf(rule, entity), at.params);
    return path === undefined ? [] : [{ href: at.base + path, rel: 'self' }];
  }

  /** For an entity that is the whole answer. */
  all(rule: EntityRule<never>, entity: unknown, at: Standpoint): readonly Link[] {
    const relations = this.#targets.get(at.surface)?.relations.get(rule.name);
    const self = this.self(rule, entity, at);
    if (relations === undefined) return self;
    const params = paramsOf(rule, entity);
    const lacking = (rule.lacks as ((entity: unknown) => readonly string[]) | undefined)?.(entity) ?? [];
    const links = [...self];
    for (const relation of relations) {
      if (lacking.includes(relation.name)) continue;
      const path = relation.writePath(params, at.params);
      // A relation that needs what this entity does not have leads nowhere.
      if (path !== undefined) links.push({ href: at.base + path, rel: `${at.publicUrl}/${relation.name}` });
    }
    return links;
  }
}

function paramsOf(rule: EntityRule<never>, entity: unknown): Params {
  return (rule.params as (entity: unknown) => Params)(entity);
}

function targetsOf(surface: Surface, routes: readonly Route[]): Targets {
  const reached = routes.filter((route) => isServedIn(route.operation, surface));
  const relations = new Map<string, Relation[]>();
  for (const { operation, writePath } of reached) {
    for (const [entity, name] of relationsOf(operation)) {
      const relation = { name, writePath: withQuery(writePath, operation.reachedWith) };
      relations.set(entity, [...(relations.get(entity) ?? []), relation]);
    }
  }
  for (const list of relations.values()) list.sort((left, right) => (left.name < right.name ? -1 : 1));
  return { gets: new Map(reached.map((route) => [route.operation.id, route.writePath])), relations };
}

function withQuery(
  writePath: Relation['writePath'],
  query: AnyOperation['reachedWith'],
): Relation['writePath'] {
  if (query === undefined) return writePath;
  const text = new URLSearchParams(query).toString();
  return (...of) => {
    const path = writePath(...of);
    return path === undefined ? undefined : `${path}?${text}`;
  };
}

function relationsOf(operation: AnyOperation): readonly [string, string][] {
  return Object.entries(operation.reachedFrom ?? {});
}
