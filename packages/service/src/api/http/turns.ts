import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Maximum number of requests of a connection that wait for an earlier request. While this many wait, the connection is
 * not read.
 */
const MAX_WAITING = 64;

/**
 * After reading from a connection has stopped, Node may still deliver one chunk, which can contain about this many
 * requests. A connection that delivers more is closed.
 */
const MAX_READ_AHEAD = 4_096;

/**
 * Serves pipelined requests of a connection one after another, with requests of other connections in between. Node
 * itself would start all requests of one chunk before it reads from other connections.
 */
export function inTurns(listener: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, Queue>();
  return (request, response) => {
    const { socket } = request;
    let queue = queues.get(socket);
    if (queue === undefined) {
      queue = new Queue(socket);
      queues.set(socket, queue);
    }
    queue.add((done) => {
      response.once('close', done);
      listener(request, response);
    });
  };
}

type Start = (done: () => void) => void;

class Queue {
  readonly #socket: Socket;
  readonly #waiting: Start[] = [];
  #isBusy = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  add(start: Start): void {
    if (!this.#isBusy) this.#begin(start);
    else if (this.#waiting.length < MAX_READ_AHEAD) {
      this.#waiting.push(start);
      if (this.#waiting.length === MAX_WAITING) this.#hold();
    } else this.#socket.destroy();
  }

  #begin(start: Start): void {
    this.#isBusy = true;
    start(() => {
      if (this.#waiting.length === 0) this.#isBusy = false;
      else setImmediate(() => this.#next());
    });
  }

  #next(): void {
    const start = this.#socket.destroyed ? undefined : this.#waiting.shift();
    if (start === undefined) {
      this.#waiting.length = 0;
      this.#isBusy = false;
      return;
    }
    if (this.#waiting.length === MAX_WAITING - 1) this.#release();
    this.#begin(start);
  }

  /**
   * Stops reading from the connection. Only the last of the waiting requests can be incomplete, so no request waits for
   * the body of another request.
   */
  #hold(): void {
    this.#socket.pause();
    // Prevent Node from resuming the connection after each request.
    this.#socket.resume = () => this.#socket;
  }

  #release(): void {
    Reflect.deleteProperty(this.#socket, 'resume');
    this.#socket.resume();
  }
}
