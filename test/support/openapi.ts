/** The OpenAPI documents of a running service, as tests read them. */

/** Fetches a path of the service: `/api/service/openapi/v1.0.json`. */
export type Get = (path: string) => Promise<Response>;

interface OperationObject {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>;
  readonly deprecated?: boolean;
  readonly 'x-extension'?: boolean;
}

export interface ResponseObject {
  readonly headers?: Readonly<Record<string, { readonly $ref?: string }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

export interface OpenApiDocument {
  /** As in its address: `2025-03-12`, `v1.0`. */
  readonly name: string;
  readonly content: object;
  /** What a method and path mean; nothing where the document has no such operation. */
  find(method: string, path: string): FoundOperation | undefined;
  readonly operations: readonly FoundOperation[];
}

export interface FoundOperation {
  readonly operation: OperationObject;
  readonly method: string;
  readonly template: string;
}

export interface DocumentSet {
  readonly legacy: OpenApiDocument;
  readonly newest: OpenApiDocument;
  /** The document of a date, where there is one. */
  dated(date: string): OpenApiDocument | undefined;
  /** The newest last. */
  readonly all: readonly OpenApiDocument[];
}

const newestDate = '2025-03-12';
const olderDates = [
  '2023-01-01',
  '2023-02-01',
  '2023-10-01',
  '2023-11-15',
  '2024-05-30',
  '2024-08-05',
  '2024-10-23',
  '2024-11-13',
  '2025-02-19',
];

/** Reads all documents that the service has. */
export async function loadDocuments(get: Get): Promise<DocumentSet> {
  const [legacy, newest] = await Promise.all([load(get, 'v1.0'), load(get, newestDate)]);
  if (!legacy || !newest) throw new Error(`The service has no document for v1.0 or ${newestDate}`);
  const older = await Promise.all(olderDates.map((date) => load(get, date)));
  const byDate = new Map([...older, newest].flatMap((one) => (one ? [[one.name, one]] : [])));
  return { legacy, newest, dated: (date) => byDate.get(date), all: [legacy, ...byDate.values()] };
}

async function load(get: Get, name: string): Promise<OpenApiDocument | undefined> {
  const response = await get(`/api/service/openapi/${name}.json`);
  if (response.status === 404) return undefined;
  if (response.status !== 200) throw new Error(`Document ${name} answers ${response.status}`);
  return openApiDocument(name, (await response.json()) as RawDocument);
}

export interface RawDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}

export function openApiDocument(name: string, content: RawDocument): OpenApiDocument {
  const operations = Object.entries(content.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      operation,
      template,
      method: method.toUpperCase(),
    })),
  );
  const matchers = operations.map((found) => ({ found, ...matcherOf(found.template) }));
  // `/clusters/provider/regions` before `/clusters/{clusterName}/{…}`: the more is said, the earlier it is tried.
  matchers.sort((a, b) => a.parameters - b.parameters);
  return {
    name,
    content,
    operations,
    find: (method, path) =>
      matchers.find(({ found, pattern }) => found.method === method && pattern.test(path.replace(/\/$/, '')))
        ?.found,
  };
}

function matcherOf(template: string): { pattern: RegExp; parameters: number } {
  const pieces = template.split(/\{[^}]+\}/);
  const pattern = pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^/]+?');
  return { pattern: new RegExp(`^${pattern}$`), parameters: pieces.length - 1 };
}
