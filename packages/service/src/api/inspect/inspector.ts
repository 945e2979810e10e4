import type { Caller } from '../../access/index.ts';

/** How much of each call is recorded. */
export const recordings = ['NOTHING', 'HEADERS', 'BODIES'] as const;
export type Recording = (typeof recordings)[number];

/** The request or the response of a call, without secrets. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON text. Absent if bodies are not recorded, if the body is too long, or if it is not JSON. */
  readonly body?: string | undefined;
}

interface Unread {
  readonly fields: readonly string[];
  readonly parameters: readonly string[];
}

/** A call to the API with its response. */
export interface RecordedCall {
  readonly requestId: string;
  /** When the response ended, in milliseconds of machine time. */
  readonly at: number;
  /** The caller. Absent for the operator and for callers without valid credentials. */
  readonly caller: Pick<Caller, 'id' | 'kind' | 'name'> | undefined;
  readonly address: string;
  /** The id of the operation or mount; `none` if no path and method match. */
  readonly operation: string;
  readonly method: string;
  readonly origin: string;
  /** The request target: path and query. */
  readonly target: string;
  /** The resource version that served the request; absent if the request ended before its version was determined. */
  readonly version: string | undefined;
  readonly status: number;
  readonly errorCode: string | undefined;
  /** The detail of the error, without secrets. */
  readonly detail: string | undefined;
  /** The path of the page that documents the operation and the error. */
  readonly reference: string | undefined;
  /** Fields of the body, and parameters of the query, that had no effect. */
  readonly unread: Unread;
  readonly milliseconds: number;
  readonly request: Message;
  readonly response: Message;
  /** Whether a page of the console sent the request only to show data. */
  readonly isBackground: boolean;
}

interface Most {
  readonly calls: number;
  readonly bytes: number;
}

export const MAX_CALLS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * Limits for background requests. Pages of the console send many of them. Without separate limits, they would replace
 * all other requests within minutes.
 */
export const MAX_BACKGROUND_CALLS = 1000;
const MAX_BACKGROUND_BYTES = 4 * 1024 * 1024;
/**
 * Estimated memory of the objects and header names of a call. `bytesOf` adds the memory of its target, header values
 * and bodies.
 */
const CALL_BYTES = 1024;

/** Keeps the latest calls to this instance in memory. Background requests are in a list of their own. */
export class Inspector {
  recording: Recording = 'HEADERS';
  readonly #calls: LatestCalls;
  readonly #background: LatestCalls;

  constructor(
    most: Most = { calls: MAX_CALLS, bytes: MAX_BYTES },
    mostBackground: Most = { calls: MAX_BACKGROUND_CALLS, bytes: MAX_BACKGROUND_BYTES },
  ) {
    this.#calls = new LatestCalls(most);
    this.#background = new LatestCalls(mostBackground);
  }

  record(call: RecordedCall): void {
    (call.isBackground ? this.#background : this.#calls).add(call);
  }

  /** Yields the recorded calls, newest first. Omits background requests unless `withBackground`. */
  calls(withBackground = false): Iterable<RecordedCall> {
    return withBackground ? newestFirst(this.#calls.all(), this.#background.all()) : this.#calls.all();
  }

  clear(): void {
    this.#calls.clear();
    this.#background.clear();
  }
}

/** Merges calls from two sources, each of which yields its newest call first. */
function* newestFirst(one: Generator<RecordedCall>, other: Generator<RecordedCall>): Generator<RecordedCall> {
  let [a, b] = [one.next(), other.next()];
  while (!a.done || !b.done) {
    if (!a.done && (b.done || a.value.at >= b.value.at)) {
      yield a.value;
      a = one.next();
    } else if (!b.done) {
      yield b.value;
      b = other.next();
    }
  }
}

class LatestCalls {
  readonly #most: Most;
  /** A ring buffer: call number `n` is at `n % most.calls`. */
  readonly #calls: Array<{ readonly call: RecordedCall; readonly bytes: number } | undefined> = [];
  #first = 0;
  #next = 0;
  #bytes = 0;

  constructor(most: Most) {
    this.#most = most;
  }

  add(call: RecordedCall): void {
    const bytes = bytesOf(call);
    if (this.#next - this.#first === this.#most.calls) this.#forgetFirst();
    this.#calls[this.#next++ % this.#most.calls] = { call, bytes };
    this.#bytes += bytes;
    while (this.#bytes > this.#most.bytes) this.#forgetFirst();
  }

  *all(): Generator<RecordedCall> {
    for (let number = this.#next - 1; number >= this.#first; number--) {
      const kept = this.#calls[number % this.#most.calls];
      if (kept !== undefined) yield kept.call;
    }
  }

  clear(): void {
    while (this.#first < this.#next) this.#forgetFirst();
  }

  #forgetFirst(): void {
    const at = this.#first++ % this.#most.calls;
    this.#bytes -= this.#calls[at]?.bytes ?? 0;
    this.#calls[at] = undefined;
  }
}

export function bytesOf({ target, detail = '', unread, request, response }: RecordedCall): number {
  const texts = [target, detail, ...unread.fields, ...unread.parameters];
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  return CALL_BYTES + 2 * characters + messageBytes(request) + messageBytes(response);
}

/** Estimates the memory of a message. A text takes one or two bytes per character. */
export function messageBytes({ headers, body = '' }: Message): number {
  let length = body.length;
  for (const name in headers) length += headers[name]?.length ?? 0;
  return 2 * length;
}
