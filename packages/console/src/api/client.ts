import { parseInOrder, stringifyInOrder } from '@portolan/foundation/ordered-json';
import { fieldsOf } from './error-fields.ts';
import type { List } from './lists.ts';
import type { Method, Reply, Schemas, Served, Surface } from './operations.ts';
import type { ChangeRequest } from './requests.ts';

/** This module calls the service that serves the page, with the session cookie of the browser. */

const VERSION = 'application/vnd.service.2025-03-12+json';

/** An error response of the service. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The names of the fields that caused the error. */
  readonly fields: readonly string[];

  constructor(status: number, body: ErrorBody) {
    super(body.detail ?? `The service returned the status ${status}.`);
    this.status = status;
    this.code = body.errorCode ?? '';
    this.fields = fieldsOf(body);
  }
}

type ErrorBody = Partial<Schemas['Error']>;

/** The page is at `/console/`, possibly with a path prefix from a proxy. */
const base = new URL('../', document.baseURI);

/** Returns the absolute URL of a path of the service. */
export function urlOf(path: string): URL {
  return new URL(path, base);
}

let csrfToken = '';

/** Sets the CSRF token, which each request that changes something must contain. The token is kept in memory only. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** The media type that a request accepts, by the kind of the response. */
const accepted = { json: VERSION, gzip: VERSION.replace('json', 'gzip') };

interface Options {
  readonly kind?: keyof typeof accepted;
  /** Parses the text of the response. */
  readonly parse?: (text: string) => unknown;
  /**
   * Whether the page sends the request by itself to show data, and not because of an action of the person. The page
   * Requests hides such requests, and all GET requests of the console.
   */
  readonly isBackground?: boolean;
}

async function request(method: Method, path: string, body: unknown, options: Options) {
  const { kind = 'json', isBackground = false } = options;
  const response = await fetch(urlOf(path), {
    method,
    headers: {
      accept: path.startsWith('api/') ? accepted[kind] : 'application/json',
      // If a request has this header, a response with status 401 contains no challenge. A challenge would make the
      // browser ask for a password.
      'x-csrf-token': csrfToken,
      ...(isBackground ? { 'x-purpose': 'background' } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: stringifyInOrder(body) }),
  });
  if (response.ok) return response;
  const text = await response.text();
  throw new ApiError(response.status, text === '' ? {} : (JSON.parse(text) as ErrorBody));
}

/** Sends a request to a path of the service, such as `operator/v1/clock`. Throws an `ApiError`. */
async function send<T>(method: Method, path: string, body?: unknown, options: Options = {}): Promise<T> {
  const text = await (await request(method, path, body, options)).text();
  const { parse = JSON.parse } = options;
  return (text === '' ? undefined : parse(text)) as T;
}

/** The base paths of the operations. */
const bases: Readonly<Record<Surface, string>> = {
  api: 'api/service/v2',
  console: 'console',
  operator: 'operator/v1',
};

/** Calls an operation whose response consists of compressed bytes. */
export async function download<const Path extends string>(
  path: Path & Served<'api', 'GET', Path>,
): Promise<Blob> {
  return (await request('GET', bases.api + path, undefined, { kind: 'gzip' })).blob();
}

/** Calls an operation that reads, and returns its response. */
export function read<S extends Surface, const Path extends string>(
  surface: S,
  path: Path & Served<S, 'GET', Path>,
): Promise<Reply<S, 'GET', Path>> {
  return send('GET', bases[surface] + path);
}

/** Reads a page of a list. The caller has checked that the operation exists. */
export function readList<T>(surface: Surface, path: string): Promise<List<T>> {
  return send('GET', bases[surface] + path);
}

/** Sends a request that changes something. */
export function sendChange<Result>({ method, surface, path, body }: ChangeRequest<Result>): Promise<Result> {
  return send(method, bases[surface] + path, body);
}

/**
 * Calls an operation whose request and response contain documents of a database. The fields of these documents keep
 * their order.
 */
export function sendInOrder<Result>(
  { method, surface, path, body }: ChangeRequest<Result>,
  isBackground: boolean,
): Promise<Result> {
  return send(method, bases[surface] + path, body, { parse: parseInOrder, isBackground });
}
