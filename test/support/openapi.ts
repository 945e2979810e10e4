/** Reads the OpenAPI documents of a running service. */

interface Got {
  readonly status: number;
  readonly text: string;
}

/** Fetches a path of the service, such as `/api/service/openapi/v1.0.json`. */
export type Get = (path: string) => Promise<Got>;

interface OperationObject {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>;
  readonly deprecated?: boolean;
  /** The accepted credentials; empty if the operation requires none. */
  readonly security?: readonly object[];
  readonly 'x-extension'?: boolean;
}

export interface ResponseObject {
  readonly headers?: Readonly<Record<string, { readonly $ref?: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly type?: string } }>>;
}

export interface OpenApiDocument {
  /** The name of the document in its URL: `2025-03-12`, `v1.0`. */
  readonly name: string;
  readonly content: object;
  /** Returns the operation with this method and path; undefined if the document has none. */
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
  /** Returns the document of a date; undefined if there is none. */
  dated(date: string): OpenApiDocument | undefined;
  /** All documents, the newest last. */
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

/** Reads all documents of the service. Each is parsed on first use, since few are needed. */
export async function loadDocuments(get: Get): Promise<DocumentSet> {
  const names = ['v1.0', ...olderDates, newestDate];
  const texts: (string | undefined)[] = [];
  // Read the documents one after another, since a service generates one at a time and closes a connection on which no
  // request has arrived within ten seconds.
  for (const name of names) texts.push(await textOf(get, name));
  const parsed = new Map<string, OpenApiDocument>();
  const open = (name: string): OpenApiDocument | undefined => {
    const text = texts[names.indexOf(name)];
    if (text === undefined) return undefined;
    const document = parsed.get(name) ?? openApiDocument(name, JSON.parse(text) as RawDocument);
    parsed.set(name, document);
    return document;
  };
  const [legacy, newest] = [open('v1.0'), open(newestDate)];
  if (!legacy || !newest) throw new Error(`The service has no document for v1.0 or ${newestDate}`);
  return {
    legacy,
    newest,
    dated: (date) => (date === legacy.name ? undefined : open(date)),
    get all() {
      return names.flatMap((name) => open(name) ?? []);
    },
  };
}

async function textOf(get: Get, name: string): Promise<string | undefined> {
  const { status, text } = await get(`/api/service/openapi/${name}.json`);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`Document ${name} answers ${status}`);
  return text;
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
  // Literal segments take precedence: `/clusters/provider/regions` comes before `/clusters/{clusterName}/{…}`.
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
