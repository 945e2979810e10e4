import { withoutPaths } from '@portolan/foundation/paths-in-text';
import { errorCode, errorMessage } from '@portolan/foundation/thrown';
import { BucketError, type ObjectStore } from './object-store.ts';

/** Maximum length of the text that a message quotes from a cloud library. */
const MESSAGE_LENGTH = 200;

/** The kind and the name of a bucket, for messages. */
interface NamedBucket {
  readonly kind: 'bucket' | 'container';
  readonly name: string;
}

/** A failed request, as the cloud's library reports it. */
export interface FailedRequest {
  /** The status of the response; undefined without a response. */
  readonly status: number | undefined;
  readonly reason: string | number;
  /** What is denied or missing: access, or credentials. Only if the library reports this without a status. */
  readonly denied?: 'access' | 'credentials' | undefined;
}

/** Wraps a store so that its methods reject with `BucketError`s instead of the library's errors. */
export function withBucketErrors(
  store: ObjectStore,
  bucket: NamedBucket,
  describe: (error: Error) => FailedRequest,
): ObjectStore {
  const translated = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      throw error instanceof Error && !(error instanceof BucketError)
        ? bucketError(bucket, describe(error), error)
        : error;
    });
  return {
    put: (key, content) => translated(store.put(key, content)),
    get: (key) => translated(store.get(key)),
    list: (prefix) => translated(store.list(prefix)),
    delete: (keys) => translated(store.delete(keys)),
  };
}

function bucketError(
  { kind, name }: NamedBucket,
  { status, reason, denied }: FailedRequest,
  cause: Error,
): BucketError {
  if (denied === 'credentials')
    return new BucketError('denied', `there are no credentials for the ${kind} ${name}`, { cause });
  if (denied === 'access' || status === 401 || status === 403)
    return new BucketError('denied', `the ${kind} ${name} refuses access (${reason})`, { cause });
  if (status === 404) return new BucketError('absent', `there is no ${kind} ${name}`, { cause });
  return new BucketError('unavailable', `the ${kind} ${name} did not answer (${wordFor(reason, cause)})`, {
    cause,
  });
}

/**
 * Returns the reason in the form for a message. A name such as `Error` explains nothing, so the system's error code
 * or the error's message replaces it.
 */
function wordFor(reason: string | number, cause: Error): string | number {
  if (reason !== 'Error' && reason !== 'AggregateError' && reason !== 'TypeError') return reason;
  const [first] = cause instanceof AggregateError ? cause.errors : [cause.cause];
  const message = withoutPaths(cause.message || errorMessage(first ?? reason)).slice(0, MESSAGE_LENGTH);
  return errorCode(cause) ?? errorCode(first) ?? message;
}
