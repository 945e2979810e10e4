import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { MachineClock } from '@portolan/foundation/clock';
import { poll } from '@portolan/foundation/wait';

/** Polling interval for finished responses. */
const POLL_INTERVAL_MS = 5;

/**
 * Forwards requests from the server to an `Edge`, which can be replaced while the port stays open. Requests
 * wait while the gate is closed.
 */
export class RequestGate {
  readonly #answered = new Set<ServerResponse>();
  readonly #waiting: [IncomingMessage, ServerResponse][] = [];
  #listener: RequestListener | undefined;
  #server: Server | undefined;

  /**
   * Returns the server of the first `Edge`, which `make` creates. Later edges get a server that never
   * listens.
   */
  serverFor(make: (listener: RequestListener) => Server): Server {
    if (this.#server !== undefined) return createServer();
    this.#server = make((request, response) => this.#take(request, response));
    return this.#server;
  }

  /** Closes the gate: requests wait. */
  close(): void {
    this.#listener = undefined;
  }

  /** Forwards requests to `listener`, beginning with those that waited. */
  openTo(listener: RequestListener): void {
    this.#listener = listener;
    for (const [request, response] of this.#waiting.splice(0)) this.#take(request, response);
  }

  /**
   * Waits for the requests that arrived before `close`. Resolves when at most `but` of them are unfinished, or after
   * `limit` milliseconds. Requests that take longer fail.
   */
  async drained(machine: MachineClock, but: number, limit: number): Promise<void> {
    await poll(machine, { step: POLL_INTERVAL_MS, limit }, () =>
      this.#answered.size <= but ? true : undefined,
    );
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#listener === undefined) {
      this.#waiting.push([request, response]);
      return;
    }
    this.#answered.add(response);
    response.once('close', () => this.#answered.delete(response));
    this.#listener(request, response);
  }
}
