import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { MachineClock } from '@portolan/foundation/clock';
import { networkOf } from '../../access/index.ts';
import { Input } from './input.ts';

/**
 * In each turn of the event loop, the input of a network is parsed as long as less time than this has passed since the
 * first slice, and no request has begun. So one slow request of a network begins per turn.
 */
const TURN_MS = 2;
/** After this time, new connections and new input are looked for, even if the input of some networks still waits. */
const ROUND_MS = 10;

/** A piece of work. Returns whether there is more. */
type Work = () => boolean;

/**
 * Lets networks (`networkOf`) take turns with their input and their requests. 64 KiB can contain 2,500 requests, or a
 * body in 10,000 pieces. Node would parse all of it at once, and do so for each connection, before it serves anybody
 * else.
 */
export class InputTurns {
  readonly #clock: Pick<MachineClock, 'monotonic'>;
  readonly #inputs = new WeakMap<Socket, Input>();
  /** The work that waits, by network. The network whose turn is next comes first. */
  readonly #waiting = new Map<string, Work[]>();
  /** When each network began its first work in this turn of the event loop. */
  readonly #begun = new Map<string, number>();
  #requests = 0;
  #isScheduled = false;

  constructor(clock: Pick<MachineClock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Reads the input of all connections of a server. Must be called before the server listens. */
  watch(server: Server): void {
    const isSecure = 'setSecureContext' in server;
    server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
      const network = networkOfSocket(socket);
      this.#inputs.set(socket, new Input(socket, (input) => this.#add(network, () => input.readSlice())));
    });
  }

  /** Returns the input of a connection; undefined if its server is not watched. */
  of(socket: Socket): Input | undefined {
    return this.#inputs.get(socket);
  }

  /** Must be called when a request begins. */
  countRequest(): void {
    this.#requests++;
  }

  /** Calls `next` in a later turn of the event loop, when it is the turn of the network of a connection. */
  later(socket: Socket, next: () => void): void {
    this.#enqueue(networkOfSocket(socket), () => {
      next();
      return false;
    });
  }

  #add(network: string, work: Work): void {
    const isFirst = !this.#waiting.has(network);
    this.#enqueue(network, work);
    if (isFirst && this.#isInTime(network)) this.#serve(network);
  }

  #enqueue(network: string, work: Work): void {
    const own = this.#waiting.get(network);
    if (own === undefined) this.#waiting.set(network, [work]);
    else own.push(work);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#round());
  }

  #round(): void {
    this.#begun.clear();
    const end = this.#clock.monotonic() + ROUND_MS;
    for (const network of [...this.#waiting.keys()]) {
      this.#serve(network);
      if (this.#clock.monotonic() >= end) break;
    }
    this.#isScheduled = this.#waiting.size > 0;
    if (this.#isScheduled) setImmediate(() => this.#round());
  }

  /**
   * Does work of a network until its time is over, or a request has begun. The rest of the request runs only after this
   * function has returned. Connections take turns, too.
   */
  #serve(network: string): void {
    const own = this.#waiting.get(network) ?? [];
    const before = this.#requests;
    if (!this.#begun.has(network)) this.#begun.set(network, this.#clock.monotonic());
    do {
      const work = own[0];
      const isReady = work?.() === true;
      own.shift();
      if (isReady && work !== undefined) own.push(work);
    } while (own.length > 0 && this.#requests === before && this.#isInTime(network));
    this.#waiting.delete(network);
    if (own.length > 0) this.#waiting.set(network, own);
  }

  #isInTime(network: string): boolean {
    const begun = this.#begun.get(network);
    return begun === undefined || this.#clock.monotonic() - begun < TURN_MS;
  }
}

const networkOfSocket = ({ remoteAddress = '' }: Socket) => networkOf(remoteAddress);
