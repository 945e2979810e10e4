import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { MachineClock } from '@portolan/foundation/clock';
import { networkOf } from '../../access/index.ts';
import { Input } from './input.ts';

/** How long the input of a network may occupy the service before the input of other networks is read. */
const TURN_MS = 2;
/** After this time, new connections and new input are looked for, even if the input of some networks still waits. */
const ROUND_MS = 10;

/**
 * Lets networks (`networkOf`) take turns with their input. 64 KiB can contain 2,500 requests, or a body in 10,000
 * pieces. Node would parse all of it at once, and do so for each connection, before it serves anybody else.
 */
export class InputTurns {
  readonly #clock: Pick<MachineClock, 'monotonic'>;
  readonly #inputs = new WeakMap<Socket, Input>();
  /** The connections with unread input, by network. The network whose turn is next comes first. */
  readonly #waiting = new Map<string, Input[]>();
  /** How long the input of each network has occupied the service in this turn of the event loop. */
  readonly #spent = new Map<string, number>();
  #isScheduled = false;

  constructor(clock: Pick<MachineClock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Reads the input of all connections of a server. Must be called before the server listens. */
  watch(server: Server): void {
    const isSecure = 'setSecureContext' in server;
    server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
      const network = networkOf(socket.remoteAddress ?? '');
      this.#inputs.set(socket, new Input(socket, (input) => this.#add(network, input)));
    });
  }

  /** Returns the input of a connection; undefined if its server is not watched. */
  of(socket: Socket): Input | undefined {
    return this.#inputs.get(socket);
  }

  #add(network: string, input: Input): void {
    const own = this.#waiting.get(network);
    if (own !== undefined) own.push(input);
    else {
      this.#waiting.set(network, [input]);
      this.#serve(network);
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#round());
  }

  #round(): void {
    this.#spent.clear();
    const end = this.#clock.monotonic() + ROUND_MS;
    for (const network of [...this.#waiting.keys()]) {
      this.#serve(network);
      if (this.#clock.monotonic() >= end) break;
    }
    this.#isScheduled = this.#waiting.size > 0;
    if (this.#isScheduled) setImmediate(() => this.#round());
  }

  /** Reads input of a network until there is no more, or until its time is over. Its connections take turns, too. */
  #serve(network: string): void {
    const own = this.#waiting.get(network) ?? [];
    let spent = this.#spent.get(network) ?? 0;
    for (let input = own[0]; input !== undefined && spent < TURN_MS; input = own[0]) {
      const began = this.#clock.monotonic();
      const isReady = input.readSlice();
      spent += this.#clock.monotonic() - began;
      own.shift();
      if (isReady) own.push(input);
    }
    this.#spent.set(network, spent);
    this.#waiting.delete(network);
    if (own.length > 0) this.#waiting.set(network, own);
  }
}
