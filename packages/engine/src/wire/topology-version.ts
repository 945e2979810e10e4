import { type Document, Long, ObjectId } from 'bson';
import { ServerError } from '../errors/server-error.ts';

export interface KnownVersion {
  /** 24 hexadecimal digits. */
  readonly processId: string;
  readonly counter: number;
}

/** Which state of the topology a greeting describes: drivers wait for the next one instead of asking again. */
export class TopologyVersion {
  readonly #processId: ObjectId;
  readonly #after: (ms: number, run: () => void) => () => void;
  readonly #waiting = new Set<() => void>();
  #counter = 0;

  /** `processId` has 12 bytes and tells apart counters that began anew; `after` is a machine clock's. */
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

  grow(): void {
    this.#counter++;
    for (const run of [...this.#waiting]) run();
  }

  is(known: KnownVersion): boolean {
    const { processId, counter } = this.current;
    return processId === known.processId && counter === known.counter;
  }

  /** Runs once: when the version grows, or after `ms`. The answer cancels. */
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

/** A greeting that may wait. */
export interface HelloAwait {
  readonly known: KnownVersion;
  readonly ms: number;
}

/** How long a greeting may wait, and for what; none when it wants its answer now. Throws `ServerError`. */
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

function knownVersion(version: unknown): KnownVersion {
  const { processId, counter } = typeof version === 'object' && version !== null ? (version as Document) : {};
  if (!(processId instanceof ObjectId)) {
    throw new ServerError('TypeMismatch', "BSON field 'topologyVersion.processId' is not an objectId");
  }
  // Numbers of the driver come as double, int32 or int64.
  const number = Number(counter);
  if (!(number >= 0)) throw new ServerError(31372, 'topologyVersion must have a non-negative counter');
  return { processId: processId.toHexString(), counter: number };
}
