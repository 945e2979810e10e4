import { errorMessage } from '@portolan/foundation/thrown';
import { KIND_MISSING, kinds } from '../engine/kinds.ts';

/** An error that the API has returned. All other errors mean that the API has not replied. */
class KubernetesRefusal extends Error {
  /** The HTTP status, such as 409 for a conflict and 422 for an invalid object. */
  readonly code: number;
  /** The reason as one word, such as `Conflict`; undefined if the reply has none. */
  readonly reason: string | undefined;

  constructor(code: number, message: string, reason: string | undefined) {
    super(message);
    this.name = 'KubernetesRefusal';
    this.code = code;
    this.reason = reason;
  }
}

/**
 * Converts an error of the client library to a shorter error, because the message of the library contains all headers
 * of the reply. `kind` is the kind of the requested object. If the API does not know this kind, the reason is
 * `KIND_MISSING`.
 */
export function refusalOf(error: unknown, kind: string): Error {
  const { code, statusCode, body } = error as { code?: unknown; statusCode?: unknown; body?: unknown };
  const status = typeof code === 'number' ? code : statusCode;
  if (isUnknownKind(error, status, statusIn(body)))
    return new KubernetesRefusal(404, missingText(kind), KIND_MISSING);
  if (typeof status === 'number') {
    const { message, reason } = statusIn(body);
    return new KubernetesRefusal(status, message ?? `status ${status}`, reason);
  }
  const { cause } = error as { readonly cause?: unknown };
  return new Error(cause instanceof Error ? causeOf(cause) : errorMessage(error));
}

/**
 * Whether the API lacks the kind of the requested object rather than the object. The API then replies 404 with a
 * text, or with a `Status` that names no object. If the API knows other kinds of the same group, the client finds the
 * missing kind itself, and throws an error without a status.
 */
function isUnknownKind(error: unknown, status: unknown, { message, reason }: Status): boolean {
  if (status === 404) return reason !== 'NotFound' || message === UNKNOWN_RESOURCE;
  return status === undefined && errorMessage(error).startsWith('Unrecognized API version and kind');
}

const UNKNOWN_RESOURCE = 'the server could not find the requested resource';

function missingText(kind: string): string {
  const { apiVersion = 'v1' } = Object.entries(kinds).find(([name]) => name === kind)?.[1] ?? {};
  return `Kubernetes does not know the kind ${kind} of ${apiVersion}: install the Percona operator for MongoDB`;
}

/**
 * Returns the reason why a connection failed. If it failed on several addresses, the error has a code and an empty
 * message.
 */
function causeOf(cause: Error): string {
  return cause.message === '' ? String((cause as { code?: unknown }).code ?? cause.name) : cause.message;
}

interface Status {
  readonly message?: string;
  readonly reason?: string;
}

/** Returns the `Status` object of a reply; empty for other replies, such as those of proxies. */
function statusIn(body: unknown): Status {
  try {
    const status = typeof body === 'string' ? JSON.parse(body) : body;
    return status?.kind === 'Status' ? (status as Status) : {};
  } catch {
    return {};
  }
}
