import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Input } from './input.ts';
import type { InputTurns } from './input-turns.ts';

/**
 * Maximum number of requests of a connection that wait for an earlier request. While this many wait, the connection is
 * not read.
 */
const MAX_WAITING = 8;

/**
 * Serves pipelined requests of a connection one after another, with requests of other connections in between. Node
 * itself would start all requests of one chunk before it reads from other connections.
 */
export function inTurns(listener: RequestListener, inputs: InputTurns): RequestListener {
  const queues = new WeakMap<Socket, Queue>();
  return (request, response) => {
    const { socket } = request;
    let queue = queues.get(socket);
    if (queue === undefined) {
      queue = new Queue(socket, inputs);
      queues.set(socket, queue);
    }
    queue.add((done) => {
      inputs.countRequest();
      response.once('close', done);
      listener(request, response);
    });
  };
}

type Start = (done: () => void) => void;

class Queue {
  readonly #socket: Socket;
  readonly #inputs: InputTurns;
  readonly #input: Input | undefined;
  readonly #waiting: Start[] = [];
  #isBusy = false;

  constructor(socket: Socket, inputs: InputTurns) {
    this.#socket = socket;
    this.#inputs = inputs;
    this.#input = inputs.of(socket);
  }

  /**
   * Starts a request when the earlier ones are finished. Only the last of the waiting requests can be incomplete, so no
   * request waits for the body of another request.
   */
  add(start: Start): void {
    if (!this.#isBusy) this.#begin(start);
    else {
      this.#waiting.push(start);
      if (this.#waiting.length === MAX_WAITING) this.#input?.stop();
    }
  }

  #begin(start: Start): void {
    this.#isBusy = true;
    start(() => {
      if (this.#waiting.length === 0) this.#isBusy = false;
      else this.#inputs.later(this.#socket, () => this.#next());
    });
  }

  #next(): void {
    const start = this.#socket.destroyed ? undefined : this.#waiting.shift();
    if (start === undefined) {
      this.#waiting.length = 0;
      this.#isBusy = false;
      return;
    }
    if (this.#waiting.length === MAX_WAITING - 1) this.#input?.start();
    this.#begin(start);
  }
}
