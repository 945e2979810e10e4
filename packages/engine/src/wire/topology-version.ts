import { type Document, deserialize, Long, ObjectId } from 'bson';
import { ServerError } from '../errors/server-error.ts';

export interface KnownVersion {
  /** The id of the process in 24 hexadecimal digits. */
  readonly processId: string;
  readonly counter: number;
}

/**
 * The version of the topology in replies to `hello`. A driver sends the last version that it has received and waits for
 * the next version, so that it need not poll.
 */
export class TopologyVersion {
  readonly #processId: ObjectId;
  readonly #after: (ms: number, run: () => void) => () => void;
  readonly #waiting = new Set<() => void>();
  #counter = 0;

  /** `processId` has 12 bytes. It distinguishes the counters of different processes. `after` uses machine time. */
  constructor(processId: Uint8Array, after: (ms: number, run: () => void) => () => void) {
    this.#processId = new ObjectId(processId);
    this.#after = after;
  }

  get current(): KnownVersion {
    return { processId: this.#processId.toHexString(), counter: this.#counter };
  }

  toDocument(): Document {
    return { processId: this.#processId, counter: Long.fromNumber(this.#counter) };
  }

  increment(): void {
    this.#counter++;
    for (const run of [...this.#waiting]) run();
  }

  is(known: KnownVersion): boolean {
    const { processId, counter } = this.current;
    return processId === known.processId && counter === known.counter;
  }

  /** Calls `run` once: when the version changes, or after `ms` milliseconds. The returned function cancels the wait. */
  wait(ms: number, run: () => void): () => void {
    const finish = () => {
      cancel();
      run();
    };
    const stopClock = this.#after(ms, finish);
    const cancel = () => {
      stopClock();
      this.#waiting.delete(finish);
    };
    this.#waiting.add(finish);
    return cancel;
  }
}

/** How long the reply to `hello` waits: until the topology differs from `known`, but at most `ms` milliseconds. */
export interface HelloAwait {
  readonly known: KnownVersion;
  readonly ms: number;
}

/**
 * Returns what the reply to `hello` waits for. Returns undefined if the reply must be sent at once. Throws
 * `ServerError` for invalid options.
 */
export function awaitOf(body: Document, current: KnownVersion): HelloAwait | undefined {
  const { topologyVersion: version, maxAwaitTimeMS } = body;
  if (version === undefined && maxAwaitTimeMS === undefined) return undefined;
  if (maxAwaitTimeMS === undefined) {
    throw new ServerError(31368, "A request with a 'topologyVersion' must include 'maxAwaitTimeMS'");
  }
  if (version === undefined) {
    throw new ServerError(31368, "A request with 'maxAwaitTimeMS' must include a 'topologyVersion'");
  }
  const ms = Number(maxAwaitTimeMS);
  if (!(ms >= 0)) throw new ServerError(31373, 'maxAwaitTimeMS must be a non-negative integer');
  const known = knownVersion(version);
  if (known.processId === current.processId && known.counter > current.counter) {
    throw new ServerError(
      31382,
      `Received a topology version with counter: ${known.counter} which is greater than the server topology ` +
        `version counter: ${current.counter}`,
    );
  }
  return { known, ms };
}

/** Like `awaitOf`, for an encoded command. Returns undefined for invalid options, which the command rejects. */
export function validAwaitOf(bytes: Uint8Array, current: KnownVersion): HelloAwait | undefined {
  try {
    return awaitOf(deserialize(bytes), current);
  } catch (error) {
    if (error instanceof ServerError) return undefined;
    throw error;
  }
}

function knownVersion(version: unknown): KnownVersion {
  const { processId, counter } = typeof version === 'object' && version !== null ? (version as Document) : {};
  if (!(processId instanceof ObjectId)) {
    throw new ServerError('TypeMismatch', "BSON field 'topologyVersion.processId' is not an objectId");
  }
  // Drivers send the counter as a double, int32 or int64.
  const number = Number(counter);
  if (!(number >= 0)) throw new ServerError(31372, 'topologyVersion must have a non-negative counter');
  return { processId: processId.toHexString(), counter: number };
}
