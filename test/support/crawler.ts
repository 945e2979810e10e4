import { type DocumentSet, type Get, loadDocuments, type OpenApiDocument } from './openapi.ts';

export interface CrawlOptions {
  /** Fetches a path with credentials. */
  readonly get: Get;
  /**
   * How many paths of each template to visit. This is more than one, since entities of one kind may have different
   * links.
   */
  readonly perTemplate?: number;
  /** Maximum number of paths. If there are more, the crawl fails, since links may be endless. */
  readonly atMost?: number;
}

export interface CrawlReport {
  /** Ids of the GET operations that links have reached, by base path. */
  readonly reached: ReadonlyMap<string, ReadonlySet<string>>;
  /** GET operations in the documents that no link has reached, such as `v1.0 getCluster`. */
  readonly missed: readonly string[];
  /** Broken links, as paths with the response. */
  readonly broken: readonly string[];
  /** The template and the parameters of each path that was reached. */
  readonly places: readonly {
    readonly template: string;
    readonly values: Readonly<Record<string, string>>;
  }[];
}

const families = ['/api/service/v1.0', '/api/service/v2'];

/** Follows all links, starting at the root of each base path. */
export async function crawl(options: CrawlOptions): Promise<CrawlReport> {
  const documents = await loadDocuments(options.get);
  const crawler = new Crawler(options, documents);
  for (const root of families) await crawler.follow(root);
  return crawler.report();
}

class Crawler {
  readonly #get: Get;
  readonly #perTemplate: number;
  readonly #atMost: number;
  readonly #documents: DocumentSet;
  readonly #seen = new Set<string>();
  readonly #visits = new Map<string, number>();
  readonly #reached = new Map<string, Set<string>>(families.map((family) => [family, new Set()]));
  readonly #broken: string[] = [];
  readonly #places: { template: string; values: Record<string, string> }[] = [];

  constructor({ get, perTemplate = 3, atMost = 2000 }: CrawlOptions, documents: DocumentSet) {
    this.#get = get;
    this.#perTemplate = perTemplate;
    this.#atMost = atMost;
    this.#documents = documents;
  }

  /** Follows links breadth first, so that each template is reached by its shortest path. */
  async follow(start: string): Promise<void> {
    const waiting = [start];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      if (!this.#isWorthVisiting(path)) continue;
      const { status, text } = await this.#get(path);
      if (status === 200) waiting.push(...linksIn(text));
      else this.#broken.push(`${path} answers ${status}`);
    }
  }

  #isWorthVisiting(path: string): boolean {
    if (this.#seen.has(path)) return false;
    this.#seen.add(path);
    if (this.#seen.size > this.#atMost)
      throw new Error(`More than ${this.#atMost} addresses; the last was ${path}`);
    const family = familyOf(path);
    const { pathname } = new URL(path, 'http://service');
    const found = family && this.#documentOf(family).find('GET', pathname);
    if (!family || !found) {
      this.#broken.push(`${path} is no operation`);
      return false;
    }
    this.#reached.get(family)?.add(found.operation.operationId);
    this.#places.push({ template: found.template, values: valuesIn(found.template, pathname) });
    const visits = this.#visits.get(family + found.template) ?? 0;
    this.#visits.set(family + found.template, visits + 1);
    return visits < this.#perTemplate;
  }

  #documentOf(family: string): OpenApiDocument {
    return family.endsWith('v1.0') ? this.#documents.legacy : this.#documents.newest;
  }

  report(): CrawlReport {
    const missed = families.flatMap((family) => {
      const reached = this.#reached.get(family);
      const name = family.slice(family.lastIndexOf('/') + 1);
      return this.#documentOf(family)
        .operations.filter(({ method, operation }) => method === 'GET' && operation['x-extension'] !== true)
        .filter(({ operation }) => reached?.has(operation.operationId) !== true)
        .map(({ operation }) => `${name} ${operation.operationId}`);
    });
    return { reached: this.#reached, missed, broken: this.#broken, places: this.#places };
  }
}

/** Returns the values of a template's parameters in a path. */
function valuesIn(template: string, pathname: string): Record<string, string> {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '([^/]+?)');
  const values = new RegExp(`^${pattern}/?$`).exec(pathname)?.slice(1) ?? [];
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]));
}

function familyOf(path: string): string | undefined {
  return families.find(
    (family) => path === family || path.startsWith(`${family}/`) || path.startsWith(`${family}?`),
  );
}

/** Returns the paths in all `links` of a JSON document, at any depth. */
function linksIn(text: string): string[] {
  const paths: string[] = [];
  // Skip compressed responses, which are not JSON documents.
  if (text.startsWith('\u001f')) return paths;
  JSON.parse(text, (key, value) => {
    if (key === 'href' && typeof value === 'string') {
      const { pathname, search } = new URL(value);
      paths.push(pathname + search);
    }
    return value;
  });
  return paths;
}
