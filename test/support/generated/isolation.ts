import type { Client } from '../client.ts';
import type { Reply } from '../http.ts';
import type { OpenApiDocument } from '../openapi.ts';
import type { Dice } from '../random.ts';
import { type DescribedOperation, describedIn } from './document.ts';
import type { Pools } from './pools.ts';
import { Values } from './values.ts';

/** The path of an existing resource, as a template and its parameters. */
export interface KnownPath {
  readonly template: string;
  readonly values: PathValues;
}
type PathValues = Readonly<Record<string, string>>;

export interface IsolationOptions {
  readonly document: OpenApiDocument;
  /**
   * The owner of another organization. `theirs` contains paths of the attacked organization. `own` contains paths of
   * the owner's organization, in which clusters have the same names.
   */
  readonly client: Client;
  readonly theirs: readonly KnownPath[];
  readonly own: readonly KnownPath[];
  readonly dice: Dice;
  /** Values from which to generate bodies. */
  readonly pools: Pools;
}

export interface IsolationReport {
  /** Requests that were permitted, and requests whose response contains ids of the attacked organization. */
  readonly findings: string[];
  /** Operations with a path parameter for which no value is known. */
  readonly untried: string[];
  /** Operations that returned only errors about the request itself. */
  readonly undecided: string[];
  sent: number;
}

/** The path parameters that name the owner of a resource. */
const scopes: readonly string[] = ['groupId', 'orgId'];
/** Whether a value is an id, and therefore unique. Names may exist in several organizations. */
const isId = (value: string) => /^(db_sa_id_)?[0-9a-f]{24}$/.test(value);
/** Maximum number of bodies to try for a request. A body may be rejected before the path is resolved. */
const ATTEMPTS = 20;
const BAD_REQUEST = 400;

/**
 * Calls every operation with ids of the attacked organization. First, all ids are of that organization, then one id at
 * a time.
 */
export async function testIsolation(options: IsolationOptions): Promise<IsolationReport> {
  const stranger = new IsolationTest(options);
  for (const operation of describedIn(options.document)) {
    const isOperators = operation.template.startsWith('/operator');
    if (!isOperators && operation.template.includes('{')) await stranger.callWithVariants(operation);
  }
  return stranger.report;
}

class IsolationTest {
  readonly report: IsolationReport = { findings: [], untried: [], undecided: [], sent: 0 };
  readonly #options: IsolationOptions;
  readonly #theirIds: ReadonlySet<string>;

  constructor(options: IsolationOptions) {
    this.#options = options;
    const own = new Set(options.own.flatMap(({ values }) => Object.values(values)));
    const ids = options.theirs.flatMap(({ values }) => Object.values(values)).filter(isId);
    this.#theirIds = new Set(ids.filter((id) => !own.has(id)));
  }

  async callWithVariants(operation: DescribedOperation): Promise<void> {
    const names = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    const theirs = this.#valuesFor(this.#options.theirs, operation.template, names);
    const missing = names.filter((name) => theirs[name] === undefined);
    if (missing.length > 0) {
      this.report.untried.push(`${operation.id} ${missing.join(', ')}`);
      return;
    }
    for (const place of this.#variants(operation.template, names, theirs)) await this.#try(operation, place);
  }

  /** Prefers values from the most similar paths, so that a snapshot, for example, is combined with its own cluster. */
  #valuesFor(places: readonly KnownPath[], template: string, names: readonly string[]): PathValues {
    const closest = places.toSorted(
      (a, b) => likeness(b.template, template) - likeness(a.template, template),
    );
    return Object.fromEntries(
      names.flatMap((name) => {
        const value = closest.find(({ values }) => values[name] !== undefined)?.values[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }

  /**
   * Variants of the parameters. In the first, all ids are of the attacked organization. In others, the project or
   * organization is the caller's. In the last ones, a single id is of the attacked organization, and the other ids are
   * the caller's.
   */
  #variants(template: string, names: readonly string[], theirs: PathValues): PathValues[] {
    const own = this.#valuesFor(this.#options.own, template, names);
    const ownScope = Object.fromEntries(
      scopes.flatMap((name) => (name in theirs && own[name] !== undefined ? [[name, own[name]]] : [])),
    );
    const variants: PathValues[] = [theirs, { ...theirs, ...ownScope }];
    // Replace ids only, since names exist in both organizations.
    const ownIds = Object.fromEntries(Object.entries(own).filter(([, value]) => isId(value)));
    for (const name of names) variants.push({ ...theirs, ...ownIds, [name]: theirs[name] ?? '' });
    const concerned = variants.filter((place) => Object.values(place).some((id) => this.#theirIds.has(id)));
    const texts = new Set<string>();
    return concerned.filter((place) => {
      const text = JSON.stringify(names.map((name) => place[name]));
      return texts.has(text) ? false : Boolean(texts.add(text));
    });
  }

  async #try(operation: DescribedOperation, place: PathValues): Promise<void> {
    const { client } = this.#options;
    const target = operation.template.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(place[name] ?? ''),
    );
    const query = this.#query(operation);
    let reply: Reply | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      this.report.sent++;
      reply = await client.send(operation.method, target + query, this.#body(operation));
      if (reply.status !== BAD_REQUEST || operation.body === undefined) break;
    }
    if (reply === undefined) return;
    const what = `${operation.method} ${target}: ${reply.status} ${reply.text.slice(0, 300)}`;
    if (reply.status < BAD_REQUEST || reply.status >= 500) this.report.findings.push(what);
    else if (this.#leaks(reply.text, place)) this.report.findings.push(`tells too much: ${what}`);
    const isUnknown = /_(NOT_FOUND|NOT_EXIST)$/.test(reply.headers.get('x-error-code') ?? '');
    if (reply.status === BAD_REQUEST && !isUnknown) this.report.undecided.push(what);
  }

  /** Whether a text contains ids of the attacked organization that the request did not contain. */
  #leaks(text: string, place: PathValues): boolean {
    const named = new Set(Object.values(place));
    return (text.match(/[0-9a-f]{24}/g) ?? []).some((id) => this.#theirIds.has(id) && !named.has(id));
  }

  #query({ parameters, resolve }: DescribedOperation): string {
    const values = new Values(this.#options.dice, this.#options.pools, resolve);
    const wanted = parameters.filter((one) => one.in === 'query' && one.required === true);
    const pairs = wanted.flatMap(({ name, schema }) =>
      [values.of(schema, name)].flat().map((value) => `${name}=${encodeURIComponent(String(value))}`),
    );
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  }

  #body({ body, resolve, method }: DescribedOperation): unknown {
    if (body === undefined) return method === 'POST' ? '' : undefined;
    return new Values(this.#options.dice, this.#options.pools, resolve).of(body, 'body');
  }
}

/** How many segments two templates have in common at their beginning. */
function likeness(one: string, other: string): number {
  const [pieces, others] = [one.split('/'), other.split('/')];
  const different = pieces.findIndex((piece, index) => piece !== others[index]);
  return different < 0 ? pieces.length : different;
}
