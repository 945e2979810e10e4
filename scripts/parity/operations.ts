/** The operations of the service, as its OpenAPI documents describe them. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly readOnly?: boolean;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { operationId: string; requestBody?: Content }>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** The path template, relative to the base path. */
  readonly template: string;
  readonly body: Schema | undefined;
  readonly pattern: RegExp;
}

const BASE = '/api/atlas/v2';

export function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id, requestBody }]) => {
      const template = path.slice(BASE.length);
      const body = Object.values(requestBody?.content ?? {}).find(({ schema }) => schema)?.schema;
      return { id, method: method.toUpperCase(), template, body, pattern: patternOf(template) };
    }),
  );
}

/**
 * Returns a pattern for the names of an operation's recordings. In these names, `_` replaces `/` and `:`, and values
 * may also contain `_`.
 */
function patternOf(template: string): RegExp {
  const parts = template.slice(1).split(/(\{\w+\})/);
  const anyValue = (part: string) =>
    part === '{groupId}' || part === '{orgId}' ? '([0-9a-f]{24})' : '(.+?)';
  const fixed = (part: string) => part.replace(/[/:]/g, '_').replaceAll('.', String.raw`\.`);
  return new RegExp(
    `^${parts.map((part) => (part.startsWith('{') ? anyValue(part) : fixed(part))).join('')}$`,
  );
}

/**
 * Returns the operation that a recording calls. If several operations match, returns the one with the longest fixed
 * text.
 */
export function operationFor(
  operations: readonly Operation[],
  { method, flatPath }: { readonly method: string; readonly flatPath: string },
): Operation | undefined {
  const fixed = ({ template }: Operation) => template.replace(/\{\w+\}/g, '').length;
  return operations
    .filter((one) => one.method === method && one.pattern.test(flatPath))
    .sort((a, b) => fixed(b) - fixed(a))[0];
}
