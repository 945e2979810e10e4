import type { EntityRule } from '../entity.ts';
import type { AnyOperation } from '../operation.ts';
import { isPlainObject } from '../schema/json-schema.ts';
import type { Link } from '../schema/presenter.ts';
import type { Params, PathWriter } from './path-template.ts';
import type { Route } from './route.ts';
import { isServedIn, type Surface } from './surface.ts';

export type { Link };

interface Relation {
  readonly name: string;
  readonly operationId: string;
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
  /** Path parameters of the request, for entities that lack these values. */
  readonly params: Readonly<Record<string, string>>;
}

/** Links of entities in one dialect, derived from its operations. */
export class Links {
  readonly #routes: readonly Route[];
  readonly #surfaces: readonly Surface[];
  readonly #targets = new Map<string, Targets>();

  constructor(routes: readonly Route[], surfaces: readonly Surface[]) {
    this.#routes = routes;
    this.#surfaces = surfaces;
  }

  /** Returns the links of a nested entity or a list item. Undefined if the document represents no entity. */
  self(rule: EntityRule<never>, entity: unknown, at: LinkContext): readonly Link[] | undefined {
    if (isAbsent(rule, entity)) return undefined;
    const get =
      typeof rule.self === 'string'
        ? rule.self
        : (rule.self as (entity: unknown, path: Params) => string)(entity, at.params);
    const path = this.#below(at.surface)?.gets.get(get)?.(paramsOf(rule, entity, at), at.params);
    if (path === undefined) return [];
    const query = (rule.query as ((entity: unknown) => Query) | undefined)?.(entity);
    return [{ href: at.base + withQuery(path, query), rel: 'self' }];
  }

  /** Returns the links of an entity that is the whole response. Undefined if the document represents no entity. */
  all(rule: EntityRule<never>, entity: unknown, at: LinkContext): readonly Link[] | undefined {
    const relations = this.#below(at.surface)?.relations.get(rule.name);
    const self = this.self(rule, entity, at);
    if (self === undefined || relations === undefined) return self;
    const params = paramsOf(rule, entity, at);
    const lacking = (rule.lacks as ((entity: unknown) => readonly string[]) | undefined)?.(entity) ?? [];
    const links = [...self];
    for (const relation of relations) {
      if (lacking.includes(relation.name) || lacking.includes(relation.operationId)) continue;
      const path = relation.writePath(params, at.params);
      // Omit the link if this entity lacks a path parameter of the linked operation.
      if (path !== undefined) links.push({ href: at.base + path, rel: `${at.publicUrl}/${relation.name}` });
    }
    return links;
  }

  /** Collects the targets on first use, which shortens the start of a service. */
  #below({ base }: Surface): Targets | undefined {
    const kept = this.#targets.get(base);
    if (kept !== undefined) return kept;
    const surface = this.#surfaces.find((each) => each.base === base);
    if (surface === undefined) return undefined;
    const targets = targetsOf(surface, this.#routes);
    this.#targets.set(base, targets);
    return targets;
  }
}

function isAbsent(rule: EntityRule<never>, entity: unknown): boolean {
  return rule.mayBeEmpty === true && isPlainObject(entity) && Object.keys(entity).length === 0;
}

function paramsOf(rule: EntityRule<never>, entity: unknown, at: LinkContext): Params {
  return (rule.params as (entity: unknown, path: Params) => Params)(entity, at.params);
}

function targetsOf(surface: Surface, routes: readonly Route[]): Targets {
  const reached = routes.filter((route) => isServedIn(route.operation, surface));
  const relations = new Map<string, Relation[]>();
  for (const { operation, writePath } of reached) {
    for (const [entity, name] of relationsOf(operation)) {
      const write: PathWriter = (...of) => {
        const path = writePath(...of);
        return path === undefined ? undefined : withQuery(path, Object.entries(operation.reachedWith ?? {}));
      };
      const relation = { name, operationId: operation.id, writePath: write };
      relations.set(entity, [...(relations.get(entity) ?? []), relation]);
    }
  }
  for (const list of relations.values()) list.sort((left, right) => (left.name < right.name ? -1 : 1));
  return { gets: new Map(reached.map((route) => [route.operation.id, route.writePath])), relations };
}

type Query = readonly (readonly [name: string, value: string])[];

function withQuery(path: string, query: Query = []): string {
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return text === '' ? path : `${path}?${text}`;
}

function relationsOf(operation: AnyOperation): readonly [string, string][] {
  return Object.entries(operation.reachedFrom ?? {});
}
