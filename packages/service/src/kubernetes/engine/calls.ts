import { errorMessage } from '@portolan/foundation/thrown';
import { NotYet } from '../../tasks/index.ts';
import type { KubernetesApi } from './port.ts';

/** Delay after which a task checks again while the API does not respond. */
export const AWAY_MS = 1_000;
/** Delay after which a task checks again while the operator is working. */
export const WORK_MS = 1_000;

export const apiFailure = (reason: string) => `the Kubernetes API does not respond: ${reason}`;

/** An error reply of the API. */
export class Refused extends Error {
  readonly reason: unknown;

  constructor({ message, reason }: Error & { readonly reason?: unknown }) {
    super(`Kubernetes refuses the request: ${message}`);
    this.reason = reason;
  }
}

/**
 * Sends a request. Throws `NotYet` if the API does not respond, so that tasks wait, and `Refused` for an
 * error reply.
 */
export async function call<T>(api: KubernetesApi, send: (api: KubernetesApi) => Promise<T>): Promise<T> {
  try {
    return await send(api);
  } catch (error) {
    if (isRefusal(error)) throw new Refused(error);
    throw new NotYet(AWAY_MS, apiFailure(errorMessage(error)));
  }
}

/**
 * Whether an error is an error reply of the API below status 500. Replies from 500 on, and errors without a reply,
 * mean that the API does not work.
 */
function isRefusal(error: unknown): error is Error {
  const { code } = error as { readonly code?: unknown };
  return error instanceof Error && typeof code === 'number' && code < 500 && code !== 429;
}
