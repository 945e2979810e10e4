import { errorMessage } from '@portolan/foundation/thrown';
import { KIND_MISSING, kinds } from '../engine/kinds.ts';

/** A reply of the API that is an error. Other errors mean that there was no reply. */
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
 * Translates an error of the client, whose message contains all headers of the reply. `kind` is that of the request. If
 * the API does not know it, the reason is `KIND_MISSING`.
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
 * Whether the API does not know the kind of an object, rather than the object: it replies with a text, or with a status
 * that names no object. If it knows other kinds of the same group, the client itself finds none.
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

/** A connection that fails on several addresses has an empty message and a code. */
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
