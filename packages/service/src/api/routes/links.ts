import type { EntityRule } from '../entity.ts';
import type { AnyOperation } from '../operation.ts';
import type { Link } from '../schema/presenter.ts';
import type { Params, PathWriter } from './path-template.ts';
import type { Route } from './route.ts';
import { isServedIn, type Surface } from './surface.ts';

export type { Link };

interface Relation {
  readonly name: string;
  readonly writePath: PathWriter;
}

/** Link targets below one base path. */
interface Targets {
  /** Paths by operation id. */
  readonly gets: ReadonlyMap<string, PathWriter>;
  /** Relations by entity name. */
  readonly relations: ReadonlyMap<string, readonly Relation[]>;
}

/** The parts of a request on which its links depend. */
export interface LinkContext {
  readonly surface: Surface;
  /** Origin and base path as the caller used them: `https://127.0.0.1:8443/api/service/v2`. */
  readonly base: string;
  /** Prefix of relation names (docs/contract/access.md 5). */
  readonly publicUrl: string;
  /** Path parameters of the request, for entities that do not repeat them. */
  readonly params: Readonly<Record<string, string>>;
}

/** Links of entities in one dialect, derived from its operations. */
export class Links {
  readonly #targets: ReadonlyMap<Surface['kind'], Targets>;

  constructor(routes: readonly Route[], surfaces: readonly Surface[]) {
    this.#targets = new Map(surfaces.map((surface) => [surface.kind, targetsOf(surface, routes)]));
  }

  /** Links of a nested entity or a list item. */
  self(rule: EntityRule<never>, entity: unknown, at: LinkContext): readonly Link[] {
    const get =
      typeof rule.self === 'string' ? rule.self : (rule.self as (entity: unknown) => string)(entity);
    const path = this.#targets.get(at.surface.kind)?.gets.get(get)?.(paramsOf(rule, entity), at.params);
    return path === undefined ? [] : [{ href: at.base + path, rel: 'self' }];
  }

  /** Links of an entity that is the whole response. */
  all(rule: EntityRule<never>, entity: unknown, at: LinkContext): readonly Link[] {
    const relations = this.#targets.get(at.surface.kind)?.relations.get(rule.name);
    const self = this.self(rule, entity, at);
    if (relations === undefined) return self;
    const params = paramsOf(rule, entity);
    const lacking = (rule.lacks as ((entity: unknown) => readonly string[]) | undefined)?.(entity) ?? [];
    const links = [...self];
    for (const relation of relations) {
      if (lacking.includes(relation.name)) continue;
      const path = relation.writePath(params, at.params);
      // Skip a relation whose path parameters this entity lacks.
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
