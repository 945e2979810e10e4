import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  type DocumentSet,
  type FoundOperation,
  type Get,
  loadDocuments,
  type OpenApiDocument,
  type ResponseObject,
} from './openapi.ts';

/** A response of the service, and the request that caused it. */
export interface Answer {
  readonly method: string;
  /** An absolute URL or a path, including the query. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** The body as received. */
  readonly body: string;
}

export interface AnswerChecker {
  /** Throws an Error that names the operation and the invalid part of the body. */
  check(answer: Answer): void;
}

/** Checks responses strictly against the OpenAPI documents of the service. */
export async function answerChecker(get: Get): Promise<AnswerChecker> {
  return checkerOf(await loadDocuments(get));
}

export function checkerOf(documents: DocumentSet): AnswerChecker {
  const validators = new Validators();
  return {
    check(answer) {
      const problem = problemOf(answer, documents, validators);
      if (problem !== undefined) throw new Error(problem);
    },
  };
}

const operationPaths = /^\/(api\/service\/(v1\.0|v2)|console|operator\/v1)(\/|$)/;
/** The documents describe the endpoints of the console that return JSON, but not its pages. */
const consolePaths = /^\/console(\/|$)/;

function problemOf(answer: Answer, documents: DocumentSet, validators: Validators): string | undefined {
  const { pathname, searchParams } = new URL(answer.url, 'http://service');
  // The OpenAPI documents describe neither themselves nor the endpoints for tokens and health.
  if (!operationPaths.test(pathname)) return undefined;
  const isPage = consolePaths.test(pathname) && !documents.newest.find(answer.method, pathname);
  if (isPage) return undefined;
  const place = `${answer.method} ${pathname} → ${answer.status}`;
  const document = documentFor(pathname, mediaType(answer), documents);
  if (!document) return `${place}: there is no document for ${mediaType(answer)}`;
  const found = document.find(answer.method === 'HEAD' ? 'GET' : answer.method, pathname);
  const subject = found ? `${found.operation.operationId} (${place}, document ${document.name})` : place;
  const expected = found ? responseFor(found, answer.status, document) : refusalOf(answer.status);
  if (!expected) return `${subject}: this status is not in the document`;
  const enveloped = searchParams.get('envelope') === 'true';
  const fault =
    headerFault(expected, answer, document) ??
    stageFault(answer, found) ??
    bodyFault(expected, answer, enveloped, document, validators);
  return fault === undefined ? undefined : `${subject}: ${fault}`;
}

/** Whether the deprecation headers are wrong: only versions that a newer one has replaced have them. */
function stageFault({ status, headers }: Answer, found: FoundOperation | undefined): string | undefined {
  const isOld = found?.operation.deprecated === true;
  return status < 400 && !isOld && headers.has('deprecation')
    ? 'header Deprecation on a version that is not'
    : undefined;
}

/**
 * Returns the document for a response. The version in the response selects it, since the document of that date
 * describes this version of the operation.
 */
function documentFor(path: string, type: string, documents: DocumentSet): OpenApiDocument | undefined {
  if (path.startsWith('/api/service/v1.0')) return documents.legacy;
  const date = /^application\/vnd\.service\.(.*)\+(?:gzip|json)$/.exec(type)?.[1];
  return date === undefined ? documents.newest : documents.dated(date);
}

function mediaType({ headers }: Answer): string {
  return headers.get('content-type')?.split(';')[0]?.trim() ?? '';
}

interface Expected {
  readonly response: ResponseObject;
  /** The JSON pointer to the response's schema in the document. */
  readonly pointer: string;
}

function responseFor(found: FoundOperation, status: number, document: OpenApiDocument): Expected | undefined {
  const { responses } = found.operation;
  const key = responses[status] ? String(status) : 'default';
  const response = responses[key];
  if (!response || (key === 'default' && status < 400)) return undefined;
  if ('$ref' in response) return referred(response.$ref, document);
  const steps = ['paths', found.template, found.method.toLowerCase(), 'responses', key];
  return { response, pointer: `#/${steps.map(escapedStep).join('/')}` };
}

/** Returns the expected error response with this status. Used for a path or method that no document describes. */
function refusalOf(status: number): Expected | undefined {
  if (status < 400) return undefined;
  const pointer = '#/components/responses/Refusal';
  return { response: { content: { 'application/json': {} } }, pointer };
}

function referred(pointer: string, { content }: OpenApiDocument): Expected {
  return { response: valueAt(pointer, content) as ResponseObject, pointer };
}

function valueAt(pointer: string, content: object): unknown {
  const steps = pointer
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], content);
}

function escapedStep(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}

interface HeaderObject {
  readonly required?: boolean;
  readonly schema: { readonly type: string };
}

function headerFault(
  { response }: Expected,
  { headers }: Answer,
  { content }: OpenApiDocument,
): string | undefined {
  for (const [name, { $ref }] of Object.entries(response.headers ?? {})) {
    const value = headers.get(name);
    const rule = valueAt($ref ?? '', content) as HeaderObject;
    if (value === null && rule.required === true) return `header ${name} is missing`;
    if (value !== null && rule.schema.type === 'integer' && !/^\d+$/.test(value)) {
      return `header ${name} is no number: ${value}`;
    }
  }
  return undefined;
}

function bodyFault(
  expected: Expected,
  answer: Answer,
  enveloped: boolean,
  document: OpenApiDocument,
  validators: Validators,
): string | undefined {
  const types = Object.keys(expected.response.content ?? {});
  if (types.length > 0 && !types.includes(mediaType(answer))) {
    return `the media type is ${mediaType(answer) || 'absent'} instead of ${types.join(', ')}`;
  }
  if (answer.method === 'HEAD' || types.length === 0) {
    return answer.body === '' ? undefined : `a body where there should be none: ${answer.body.slice(0, 200)}`;
  }
  // The response is not a JSON document.
  if (!types.some((type) => type.endsWith('json'))) return undefined;
  // Do not parse a response whose schema is a text, although its media type is that of JSON documents.
  const pointer = `${expected.pointer}/content/${escapedStep(types[0] ?? '')}/schema`;
  if (expected.response.content?.[types[0] ?? '']?.schema?.type === 'string') return undefined;
  const validate = validators.get(document, pointer);
  const parsed = parse(answer.body);
  if (parsed === undefined) return `the body is no JSON: ${answer.body.slice(0, 200)}`;
  // A challenge has no envelope, since it is sent before the request is read.
  const wrapped = enveloped && !answer.headers.has('www-authenticate');
  if (wrapped && !isEnvelope(parsed.value, answer.status)) {
    return `the envelope is not one: ${answer.body.slice(0, 200)}`;
  }
  if (!wrapped && isEnvelope(parsed.value, answer.status)) return 'an envelope that nobody asked for';
  if (validate(parsed.value)) return undefined;
  return (validate.errors ?? []).map(describe).join('; ');
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Whether a body is `{status, content}`, or a list with a status. */
function isEnvelope(body: unknown, status: number): boolean {
  if (typeof body !== 'object' || body === null || !('status' in body) || body.status !== status)
    return false;
  return 'results' in body || ('content' in body && Object.keys(body).length === 2);
}

type SchemaError = NonNullable<ValidateFunction['errors']>[number];

function describe({ instancePath, message, params }: SchemaError): string {
  const name = params.additionalProperty ?? params.unevaluatedProperty ?? params.missingProperty;
  const detail = name ?? params.allowedValues;
  return `${instancePath || '/'} ${message}${detail === undefined ? '' : ` (${JSON.stringify(detail)})`}`;
}

/** Validators of schemas. Each is compiled on first use. */
class Validators {
  readonly #ajv = new Map<OpenApiDocument, Ajv2020>();

  get(document: OpenApiDocument, pointer: string): ValidateFunction {
    const validate = this.#ajvOf(document).getSchema(`document${pointer}`);
    if (!validate) throw new Error(`Document ${document.name} has nothing at ${pointer}`);
    return validate;
  }

  #ajvOf(document: OpenApiDocument): Ajv2020 {
    const known = this.#ajv.get(document);
    if (known) return known;
    const ajv = new Ajv2020({
      ...{ allErrors: true, strict: true, strictTypes: false, validateSchema: false },
      // Compiling takes more time than validating, and a quarter less with these options.
      ...{ inlineRefs: false, code: { optimize: false } },
    });
    addFormats.default(ajv);
    ajv.addVocabulary([...Object.keys(document.content), ...extensionKeywords(document.content)]);
    ajv.addSchema(document.content, 'document');
    this.#ajv.set(document, ajv);
    return ajv;
  }
}

/** Members named `x-…`, which do not affect validity. */
function extensionKeywords(content: object): string[] {
  return [...new Set(JSON.stringify(content).match(/(?<=")x-[a-z-]+(?=":)/g) ?? [])];
}
