import { metered, passes } from '../../bson/turns.ts';
import { type Statement, unwatched } from '../../statement/statement.ts';
import { allTokens } from '../analysis/index.ts';
import type { Analyzer, Token } from '../analyzers.ts';
import type { Segment } from '../file/segment.ts';
import type { IndexPlan } from '../mapping/definition.ts';
import { type FieldMapping, type FieldType, keys } from '../mapping/field.ts';
import { type FoundField, findAnywhere, findField } from '../mapping/find-field.ts';
import { searchError } from './errors.ts';
import { FieldStatistics, TermStatistics } from './statistics.ts';

/**
 * Maximum number of steps of a search. These steps take a few seconds. A longer search would block other statements of
 * the cluster for too long.
 */
const MAX_STEPS = 500_000_000;
/** Maximum size of what the facets, paths of wildcards, synonyms, spans and `moreLikeThis` of a search keep in memory. */
const MAX_BYTES = 100 * 1024 * 1024;
/** Number of steps between two interruption checks. They take some tens of microseconds. */
const STEPS_OF_CHECK = 4096;
/** Maximum number of clauses of all nested operators together. An operator may have a lower limit. */
const MAX_CLAUSES = 16_384;

/** Returns the synonyms of a synonym mapping by its name. */
export type Synonyms = (name: string) => SynonymSource | undefined;

/** The phrases that are searched instead of a phrase of a query. */
export interface Replacements {
  /** The number of words of the phrase. */
  readonly length: number;
  /** True if the phrase itself is searched as well. An explicit mapping replaces a phrase that is not among its synonyms. */
  readonly itself: boolean;
  readonly others: ReadonlyArray<readonly string[]>;
}

export interface SynonymSource {
  /** The size of the synonyms in memory. */
  readonly bytes?: number;
  /** The name of the analyzer of the synonym mapping. Only fields with this analyzer can be searched. */
  readonly analyzer: string;
  /** The name of the synonym mapping, in error messages. */
  readonly name?: string;
  /**
   * Returns the synonyms of the longest known phrase that begins at a word. A synonym is a phrase of one or several
   * words.
   */
  at(words: readonly string[], from: number): Replacements | undefined;
}

/** Called in loops. Throws to interrupt the search. */
export interface Check {
  (): void;
  /** To be called where milliseconds may have passed since the last check. Absent if every check looks at the time. */
  readonly now?: () => void;
}

/** The index that operators search. Without a plan, operators are only validated. */
export class Searching {
  readonly plan: IndexPlan | undefined;
  readonly segments: readonly Segment[];
  readonly check: Check;
  /** Called after each batch of tokens, which takes up to ten milliseconds. */
  readonly checkNow: () => void;
  /** The interruption checks, for functions that statements use as well. It does not limit memory. */
  readonly statement: Statement;
  readonly synonyms: Synonyms;
  readonly #synonyms = new Map<string, SynonymSource>();
  /** The names of the facets that operators do not affect. Compiling an operator adds its names. */
  readonly unaffected = new Set<string>();
  readonly #fields = new Map<string, FieldStatistics>();
  readonly #terms = new Map<string, TermStatistics>();
  readonly #domains = new Map<string, Uint8Array>();
  readonly #made = new Map<string, unknown>();
  readonly #owned = new WeakMap<object, Map<string, unknown>>();
  /** The path of the embedded documents that the operator being compiled searches. Undefined for the collection. */
  #within: string | undefined;
  #steps = 0;
  #clauses = 0;
  #bytes = 0;

  constructor(
    plan: IndexPlan | undefined,
    segments: readonly Segment[],
    check: Check,
    synonyms: Synonyms = () => undefined,
  ) {
    this.plan = plan;
    this.segments = segments;
    this.check = check;
    this.checkNow = check.now ?? check;
    this.statement = { ...unwatched, check: () => check(), checkNow: this.checkNow };
    this.synonyms = (name) => this.#synonymsOf(name, synonyms);
  }

  /** Finds a field of the documents that the operator being compiled searches. */
  field(path: string): FoundField {
    return this.plan === undefined
      ? { mappings: [], embedded: undefined }
      : findField(this.plan, path, this.#within);
  }

  /** Finds a field at any level of embedded documents. */
  fieldAnywhere(path: string): FoundField {
    return this.plan === undefined ? { mappings: [], embedded: undefined } : findAnywhere(this.plan, path);
  }

  /** Calls a function that compiles an operator or facet of documents embedded at a path. */
  at<T>(within: string | undefined, compile: () => T): T {
    const before = this.#within;
    this.#within = within;
    try {
      return compile();
    } finally {
      this.#within = before;
    }
  }

  /** True if the path is indexed as embedded documents. */
  isEmbedded(path: string): boolean {
    return this.embeddedMapping(path) !== undefined;
  }

  embeddedMapping(path: string): FieldMapping | undefined {
    return this.fieldAnywhere(path).mappings.find(({ type }) => type === 'embeddedDocuments');
  }

  /** Returns the mapping of a type at a path, or undefined if there is none. */
  mapping(path: string, type: FieldType): FieldMapping | undefined {
    const all = this.field(path).mappings.filter((one) => one.type === type);
    return all.find(({ facet }) => facet === undefined) ?? all[0];
  }

  /** Returns the mapping of a facet's field. An outdated type that only facets read takes precedence. */
  facetMapping(path: string, type: FieldType): FieldMapping | undefined {
    const all = this.field(path).mappings.filter((one) => one.type === type);
    return all.find(({ facet }) => facet !== undefined) ?? all[0];
  }

  /** Returns an analyzer by name. Without an index, returns an analyzer that finds no tokens. */
  analyzer(name: string | undefined): Analyzer {
    return this.plan === undefined || name === undefined ? () => [] : this.plan.analyzers(name);
  }

  /** Applies the filters of a field's analyzer to a pattern, without its tokenizer. */
  normalize(mapping: FieldMapping | undefined, pattern: string): string {
    const { whole } = this.analyzer(mapping?.analyzer);
    const [only, ...others] = whole === undefined ? [] : this.allTokens(whole, pattern);
    return only === undefined || others.length > 0 ? pattern : only.term;
  }

  /** Returns all tokens of a text, up to the limit. */
  allTokens(analyzer: Analyzer, text: string): readonly Token[] {
    return allTokens(analyzer, text, this.checkNow);
  }

  /** Yields the tokens of a text in batches, for callers that may not need all of them. */
  *tokens(name: string, text: string): Generator<readonly Token[]> {
    for (const tokens of this.analyzer(name)(text)) {
      this.checkNow();
      yield tokens;
    }
  }

  statistics(field: string): FieldStatistics {
    let known = this.#fields.get(field);
    if (known === undefined) {
      known = new FieldStatistics(field, this.segments);
      this.#fields.set(field, known);
    }
    return known;
  }

  term(field: string, term: string): TermStatistics {
    const key = `${field}\0${term}`;
    let known = this.#terms.get(key);
    if (known === undefined) {
      this.check();
      known = new TermStatistics(field, term, this.segments);
      this.#terms.set(key, known);
    }
    return known;
  }

  /** Returns the cached value of a key. Creates it on first use. */
  once<T>(key: string, make: () => T): T {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key) as T;
  }

  /** Returns the cached value of a key for an object, such as the results that a facet counts. */
  onceFor<T>(owner: object, key: string, make: () => T): T {
    const own = this.#owned.get(owner) ?? new Map<string, unknown>();
    this.#owned.set(owner, own);
    if (!own.has(key)) own.set(key, make());
    return own.get(key) as T;
  }

  /**
   * Runs work whose steps count towards the limit of the search. These are all steps that functions of `bson/turns.ts`
   * count, so an operator counts what it reads and what it does for each document.
   */
  limited<T>(work: () => T): T {
    return metered((steps) => this.spend(steps), work);
  }

  /** Counts work towards the limit of a search, and calls `check` often enough. */
  spend(steps: number): void {
    this.check();
    for (let rest = steps; rest > STEPS_OF_CHECK; rest -= STEPS_OF_CHECK) this.check();
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw searchError(`the search takes more than ${MAX_STEPS} steps`);
  }

  /** Reads the synonyms of a mapping once, even if several operators use them. */
  #synonymsOf(name: string, read: Synonyms): SynonymSource | undefined {
    const known = this.#synonyms.get(name);
    if (known !== undefined) return known;
    const source = read(name);
    if (source === undefined) return undefined;
    this.hold(source.bytes ?? 0);
    this.#synonyms.set(name, source);
    return source;
  }

  /** Counts memory that facets, paths, synonyms, spans or `moreLikeThis` keep. */
  hold(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_BYTES)
      throw searchError(
        `the facets, paths, synonyms, spans and moreLikeThis of the search take more than ${MAX_BYTES} bytes of memory`,
      );
  }

  /** Counts memory that the facets no longer keep. */
  release(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** Counts an operator or search term towards the limit. */
  clause(): void {
    if (++this.#clauses > MAX_CLAUSES) throw searchError(`the search has more than ${MAX_CLAUSES} clauses`);
  }

  /** Returns the documents at one level of a segment: those of the collection, or those embedded at a path. */
  domain(segment: Segment, embedded: string | undefined): Uint8Array {
    const key = `${segment.number} ${embedded ?? ''}`;
    let known = this.#domains.get(key);
    if (known === undefined) {
      known = domainOf(segment, embedded);
      this.#domains.set(key, known);
    }
    return known;
  }
}

function domainOf(segment: Segment, embedded: string | undefined): Uint8Array {
  passes(segment.size);
  const found = new Uint8Array(segment.size);
  if (embedded !== undefined) {
    for (const doc of segment.postings(keys.embedded, embedded)?.docs ?? [])
      if (segment.lives(doc)) found[doc] = 1;
    return found;
  }
  const parents = segment.parents();
  for (let doc = 0; doc < segment.size; doc++) {
    if ((parents === undefined || (parents[doc] as number) < 0) && segment.lives(doc)) found[doc] = 1;
  }
  return found;
}
