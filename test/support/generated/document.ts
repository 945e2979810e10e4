import type { OpenApiDocument } from '../openapi.ts';

/** The parts of an OpenAPI document from which requests are generated. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly readOnly?: boolean;
  /** Whether a request may have any value in a read-only field. */
  readonly 'x-ignored'?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface DescribedOperation {
  /** The name of the document in its URL: `2025-03-12`, `v1.0`. */
  readonly edition: string;
  readonly id: string;
  readonly method: string;
  readonly template: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  resolve(schema: Schema): Schema;
}

interface Raw {
  readonly parameters?: readonly (Parameter & { readonly $ref?: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Returns every operation of a document. */
export function describedIn(document: OpenApiDocument): readonly DescribedOperation[] {
  const at = (reference: string) =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document.content);
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(at(schema.$ref) as Schema);
  return document.operations.map(({ operation, method, template }) => {
    const { parameters = [], requestBody } = operation as Raw;
    return {
      edition: document.name,
      id: operation.operationId,
      method,
      template,
      parameters: parameters.map((one) => (one.$ref === undefined ? one : (at(one.$ref) as Parameter))),
      body: Object.values(requestBody?.content ?? {})[0]?.schema,
      resolve,
    };
  });
}
