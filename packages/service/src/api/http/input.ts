import type { Socket } from 'node:net';

/** How many bytes are parsed without a pause. They contain at most 80 requests. */
const SLICE_BYTES = 2_048;

type Parse = (bytes: Buffer) => void;

/**
 * The input of a connection that Node's HTTP server serves. Node parses the input in slices, and nothing is read from
 * the connection while a slice waits.
 */
export class Input {
  readonly #socket: Socket;
  readonly #parse: Parse;
  readonly #enqueue: () => void;
  readonly #pause: () => void;
  readonly #resume: () => void;
  #rest: Buffer[] = [];
  /** Whether `readSlice` will be called, so that the input must not be enqueued again. */
  #isQueued = false;
  /** Whether Node has paused the connection, for example until a body or a response was read. */
  #isPaused = false;
  #isStopped = false;

  /** `enqueue` must call `readSlice` until it returns false, now or later. */
  constructor(socket: Socket, enqueue: (input: Input) => void) {
    this.#socket = socket;
    this.#enqueue = () => enqueue(this);
    this.#parse = takeListener(socket);
    this.#pause = socket.pause.bind(socket);
    this.#resume = socket.resume.bind(socket);
    socket.pause = () => {
      this.#isPaused = true;
      this.#pause();
      return socket;
    };
    socket.resume = () => {
      this.#isPaused = false;
      this.#continue();
      return socket;
    };
    socket.on('data', (bytes: Buffer) => {
      this.#rest.push(bytes);
      this.#continue();
    });
  }

  /** Stops parsing and reading until `start` is called. */
  stop(): void {
    this.#isStopped = true;
    this.#pause();
  }

  start(): void {
    this.#isStopped = false;
    this.#continue();
  }

  /** Parses one slice. Returns whether another slice can be parsed now. */
  readSlice(): boolean {
    const [first] = this.#rest;
    if (first !== undefined && this.#isOpen) {
      if (first.length > SLICE_BYTES) this.#rest[0] = first.subarray(SLICE_BYTES);
      else this.#rest.shift();
      this.#parse(first.subarray(0, SLICE_BYTES));
    }
    if (this.#isOpen && this.#rest.length > 0) return true;
    this.#isQueued = false;
    if (this.#isOpen) this.#resume();
    return false;
  }

  get #isOpen(): boolean {
    return !this.#isPaused && !this.#isStopped && !this.#socket.destroyed;
  }

  #continue(): void {
    if (this.#isQueued || !this.#isOpen) return;
    if (this.#rest.length === 0) {
      this.#resume();
      return;
    }
    this.#isQueued = true;
    this.#enqueue();
    // Read nothing while a slice waits.
    if (this.#isQueued) this.#pause();
  }
}

/** Removes the listener with which Node parses the input of a connection, and returns it. */
function takeListener(socket: Socket): Parse {
  const [listener] = socket.listeners('data');
  if (listener === undefined) throw new TypeError('An HTTP server does not serve this connection');
  socket.removeListener('data', listener as Parse);
  return (bytes) => listener.call(socket, bytes);
}
