import { errorMessage } from '@portolan/foundation/thrown';

/** A reply of the API that is an error. Other errors mean that there was no reply. */
class KubernetesRefusal extends Error {
  /** The HTTP status, such as 409 for a conflict and 422 for an invalid object. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'KubernetesRefusal';
    this.code = code;
  }
}

/** Translates an error of the client, whose message contains all headers of the reply. */
export function refusalOf(error: unknown): Error {
  const { code, statusCode, body } = error as { code?: unknown; statusCode?: unknown; body?: unknown };
  const status = typeof code === 'number' ? code : statusCode;
  if (typeof status === 'number') return new KubernetesRefusal(status, messageIn(body) ?? `status ${status}`);
  const { cause } = error as { readonly cause?: unknown };
  return new Error(cause instanceof Error ? causeOf(cause) : errorMessage(error));
}

/** A connection that fails on several addresses has an empty message and a code. */
function causeOf(cause: Error): string {
  return cause.message === '' ? String((cause as { code?: unknown }).code ?? cause.name) : cause.message;
}

function messageIn(body: unknown): string | undefined {
  try {
    const status = (typeof body === 'string' ? JSON.parse(body) : body) as { readonly message?: unknown };
    return typeof status?.message === 'string' ? status.message : undefined;
  } catch {
    return undefined;
  }
}
