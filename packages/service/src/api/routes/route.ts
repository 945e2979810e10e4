import type { AnyOperation, PathParameter } from '../operation.ts';
import { type QueryReader, queryReader } from '../schema/query.ts';
import { versionAt } from '../shapes.ts';
import { LEGACY_VERSION, NEWEST_VERSION, type ReleaseDate } from '../versions.ts';
import { OperationVersion } from './operation-version.ts';
import { namesIn, type PathWriter, pathWriter } from './path-template.ts';
import type { Surface } from './surface.ts';

/** A path parameter of a route. */
export interface RouteParameter {
  readonly name: string;
  readonly rule: PathParameter | undefined;
  readonly pattern: RegExp | undefined;
}

/** An operation prepared for routing; parts are built on first use. */
export class Route {
  readonly operation: AnyOperation;
  readonly parameters: readonly RouteParameter[];
  /** The last parameter that names a project or organization. */
  readonly scopeParameter: RouteParameter | undefined;
  readonly rateLimited: boolean;
  /** Whether it is a custom method: `…/{clusterName}:restart`. */
  readonly isCustom: boolean;
  readonly writePath: PathWriter;
  #readQuery: QueryReader | undefined;
  readonly #served = new Map<string, OperationVersion>();
  readonly #servedOn = new Map<string, OperationVersion>();

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
  servedOn(date: string): OperationVersion | undefined {
    const kept = this.#servedOn.get(date);
    if (kept !== undefined) return kept;
    const version = versionAt(this.operation, date);
    if (version === undefined) return undefined;
    const served = this.served('v2', version);
    // Callers can name any day; only release dates are cached.
    if (version === date) this.#servedOn.set(date, served);
    return served;
  }

  /** The operation in a version: by default the first on the legacy path, the newest for the operator. */
  served(
    surface: Surface,
    version: ReleaseDate = surface === 'v1.0' ? LEGACY_VERSION : NEWEST_VERSION,
  ): OperationVersion {
    const key = `${surface} ${version}`;
    let served = this.#served.get(key);
    if (served === undefined) {
      served = new OperationVersion(this.operation, version, surface);
      this.#served.set(key, served);
    }
    return served;
  }
}

function routeParameter(name: string, rule: PathParameter | undefined): RouteParameter {
  return { name, rule, pattern: rule?.pattern === undefined ? undefined : new RegExp(rule.pattern, 'u') };
}
