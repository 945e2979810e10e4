import { errorMessage } from '@portolan/foundation/thrown';

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

/** Translates an error of the client, whose message contains all headers of the reply. */
export function refusalOf(error: unknown): Error {
  const { code, statusCode, body } = error as { code?: unknown; statusCode?: unknown; body?: unknown };
  const status = typeof code === 'number' ? code : statusCode;
  if (typeof status === 'number') {
    const { message, reason } = statusIn(body);
    return new KubernetesRefusal(status, message ?? `status ${status}`, reason);
  }
  const { cause } = error as { readonly cause?: unknown };
  return new Error(cause instanceof Error ? causeOf(cause) : errorMessage(error));
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
