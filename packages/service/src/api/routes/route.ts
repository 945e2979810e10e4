import type { DialectChanges } from '../dialect/dialect.ts';
import { type TextTranslator, type TextWords, textTranslator, type Words } from '../dialect/words.ts';
import type { AnyOperation, PathParameter } from '../operation.ts';
import { type QueryReader, queryReader } from '../schema/query.ts';
import { versionAt } from '../shapes.ts';
import type { ReleaseDate } from '../versions.ts';
import { OperationVersion } from './operation-version.ts';
import { namesIn, type Params, type PathWriter, pathWriter } from './path-template.ts';
import type { Surface } from './surface.ts';

export interface RouteParameter {
  readonly name: string;
  readonly rule: PathParameter | undefined;
  readonly pattern: RegExp | undefined;
  /** Converts a value from the words of the dialect to the words of the declared operation. */
  readonly read: TextTranslator | undefined;
}

/** An operation that is prepared for routing. Its parts are built on first use. */
export class Route {
  readonly operation: AnyOperation;
  readonly parameters: readonly RouteParameter[];
  /** The last parameter that names a project or organization. */
  readonly scopeParameter: RouteParameter | undefined;
  readonly rateLimited: boolean;
  /** Whether the operation is a custom method: `…/{clusterName}:restart`. */
  readonly isCustom: boolean;
  readonly writePath: PathWriter;
  #readQuery: QueryReader | undefined;
  readonly #changes: RouteChanges;
  readonly #served = new Map<string, OperationVersion>();
  readonly #servedOn = new Map<string, OperationVersion>();

  constructor(
    operation: AnyOperation,
    parameters: Readonly<Record<string, PathParameter>>,
    rateLimited: ReadonlySet<string>,
    changes: RouteChanges = {},
  ) {
    const words = changes.words?.parameters ?? {};
    this.operation = operation;
    this.#changes = changes;
    this.parameters = namesIn(operation.path).map((name) =>
      routeParameter(name, parameters[name], words[name]),
    );
    this.scopeParameter = this.parameters.findLast(({ rule }) => rule?.scope !== undefined);
    this.rateLimited =
      operation.rateLimited === true || rateLimited.has(operation.id) || rateLimited.has(operation.tag);
    this.isCustom = operation.path.includes(':');
    this.writePath = pathWriterIn(words, pathWriter(operation.path));
  }

  get readQuery(): QueryReader {
    const { isLenient = false, words } = this.#changes;
    this.#readQuery ??= queryReader(this.operation.query, { isLenient, translators: translatorsOf(words) });
    return this.#readQuery;
  }

  /** Returns the newest version below a versioned path that was released on or before `date` (`YYYY-MM-DD`). */
  servedOn(surface: Surface, date: string): OperationVersion | undefined {
    const kept = this.#servedOn.get(date);
    if (kept !== undefined) return kept;
    const version = versionAt(this.operation, date);
    if (version === undefined) return undefined;
    const served = this.served(surface, version);
    // Cache only release dates, since callers can request any date.
    if (version === date) this.#servedOn.set(date, served);
    return served;
  }

  /** Returns the operation in a version; by default, in the version of requests that name no version. */
  served(
    surface: Surface,
    version: ReleaseDate = versionAt(this.operation, surface.version) ?? surface.version,
  ): OperationVersion {
    const key = `${surface.base} ${version}`;
    let served = this.#served.get(key);
    if (served === undefined) {
      served = new OperationVersion(this.operation, version, surface);
      this.#served.set(key, served);
    }
    return served;
  }

  /** Returns this operation in the version that the caller has requested for another operation. */
  servedWith({ surface, version }: OperationVersion): OperationVersion | undefined {
    return surface.kind === 'versioned' ? this.servedOn(surface, version) : this.served(surface);
  }
}

/** The changes of a dialect that concern parameters. */
type RouteChanges = Partial<Pick<DialectChanges, 'isLenient'>> & {
  readonly words?: Pick<Words, 'parameters'>;
};

function translatorsOf({ parameters }: Pick<Words, 'parameters'> = { parameters: {} }) {
  return new Map(Object.entries(parameters).map(([name, of]) => [name, textTranslator(of, 'in')] as const));
}

/** Patterns by their text. A few patterns serve the parameters of all routes. */
const patterns = new Map<string, RegExp>();

function patternOf(text: string): RegExp {
  const pattern = patterns.get(text) ?? new RegExp(text, 'u');
  patterns.set(text, pattern);
  return pattern;
}

function routeParameter(
  name: string,
  rule: PathParameter | undefined,
  words: TextWords | undefined,
): RouteParameter {
  const pattern = rule?.pattern === undefined ? undefined : patternOf(rule.pattern);
  return { name, rule, pattern, read: words && textTranslator(words, 'in') };
}

/** Writes parameter values in the words of the dialect. */
function pathWriterIn(words: Words['parameters'], write: PathWriter): PathWriter {
  const translators = Object.entries(words).map(([name, of]) => [name, textTranslator(of, 'out')] as const);
  if (translators.length === 0) return write;
  const translated = (params: Params): Params => {
    const own = translators.flatMap(([name, translate]) => {
      const value = params[name];
      return value === undefined ? [] : [[name, translate(value)]];
    });
    return own.length === 0 ? params : { ...params, ...Object.fromEntries(own) };
  };
  return (params, others) => write(translated(params), translated(others));
}
