import type { AnyOperation, PathParameter } from '../operation.ts';
import { type QueryReader, queryReader } from '../schema/query.ts';
import { versionAt } from '../shapes.ts';
import { LEGACY_VERSION, NEWEST_VERSION, type ReleaseDate } from '../versions.ts';
import { namesIn, type PathWriter, pathWriter } from './path-template.ts';
import { Served } from './served.ts';
import type { Surface } from './surface.ts';

/** A name in a path, with what it stands for. */
export interface RouteParameter {
  readonly name: string;
  readonly rule: PathParameter | undefined;
  readonly pattern: RegExp | undefined;
}

/** An operation with what its path, query and versions need, made at start or on first use. */
export class Route {
  readonly operation: AnyOperation;
  readonly parameters: readonly RouteParameter[];
  /** The parameter that names the project or organization: the last that names one. */
  readonly scopeParameter: RouteParameter | undefined;
  readonly rateLimited: boolean;
  /** Whether it is a custom method (`…/{clusterName}:restart`), whose path without it stands for something else. */
  readonly isCustom: boolean;
  readonly writePath: PathWriter;
  #readQuery: QueryReader | undefined;
  readonly #served = new Map<string, Served>();
  readonly #servedOn = new Map<string, Served>();

  constructor(
    operation: AnyOperation,
    parameters: Readonly<Record<string, PathParameter>>,
    rateLimited: ReadonlySet<string>,
  ) {
    this.operation = operation;
    this.parameters = namesIn(operation.path).map((name) => routeParameter(name, parameters[name]));
    this.scopeParameter = this.parameters.findLast(({ rule }) => rule?.scope !== undefined);
    this.rateLimited =
      operation.rateLimited === true || rateLimited.has(operation.id) || rateLimited.has(operation.tag);
    this.isCustom = operation.path.includes(':');
    this.writePath = pathWriter(operation.path);
  }

  get readQuery(): QueryReader {
    this.#readQuery ??= queryReader(this.operation.query);
    return this.#readQuery;
  }

  /** The newest version that is not later than a date (`YYYY-MM-DD`), for the versioned path. */
  servedOn(date: string): Served | undefined {
    const kept = this.#servedOn.get(date);
    if (kept !== undefined) return kept;
    const version = versionAt(this.operation, date);
    if (version === undefined) return undefined;
    const served = this.served('v2', version);
    // Callers can name any day; only the days on which versions came out are worth keeping.
    if (version === date) this.#servedOn.set(date, served);
    return served;
  }

  /** The operation in a version; below the legacy path in the first, to the operator in the newest. */
  served(
    surface: Surface,
    version: ReleaseDate = surface === 'v1.0' ? LEGACY_VERSION : NEWEST_VERSION,
  ): Served {
    const key = `${surface} ${version}`;
    let served = this.#served.get(key);
    if (served === undefined) {
      served = new Served(this.operation, version, surface);
      this.#served.set(key, served);
    }
    return served;
  }
}

function routeParameter(name: string, rule: PathParameter | undefined): RouteParameter {
  return { name, rule, pattern: rule?.pattern === undefined ? undefined : new RegExp(rule.pattern, 'u') };
}
