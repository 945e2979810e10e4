import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { MachineClock } from '@portolan/foundation/clock';
import { poll } from '@portolan/foundation/wait';

/** How often it is looked whether requests have been answered. */
const LOOK_MS = 5;

/**
 * Stands between the server and the edge that answers, so that one edge can follow another while the port stays open:
 * requests that come in between wait.
 */
export class Front {
  readonly #answered = new Set<ServerResponse>();
  readonly #waiting: [IncomingMessage, ServerResponse][] = [];
  #listener: RequestListener | undefined;
  #server: Server | undefined;

  /** The server of the first edge, made by `make`; for those that follow one that never listens. */
  serverFor(make: (listener: RequestListener) => Server): Server {
    if (this.#server !== undefined) return createServer();
    this.#server = make((request, response) => this.#take(request, response));
    return this.#server;
  }

  /** From now on requests wait. */
  hold(): void {
    this.#listener = undefined;
  }

  /** Requests go here, those first that have waited. */
  serveBy(listener: RequestListener): void {
    this.#listener = listener;
    for (const [request, response] of this.#waiting.splice(0)) this.#take(request, response);
  }

  /**
   * Resolves when no more than so many of the requests that came before `hold` are being answered, or after `limit`
   * milliseconds: what takes longer loses what it works with.
   */
  async quiet(machine: MachineClock, but: number, limit: number): Promise<void> {
    await poll(machine, { step: LOOK_MS, limit }, () => (this.#answered.size <= but ? true : undefined));
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
