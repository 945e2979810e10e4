import type { MachineClock } from '@portolan/foundation/clock';
import { PendingReplies } from '@portolan/foundation/pending-replies';
import type { Random } from '@portolan/foundation/random';
import { deserialize, serialize } from 'bson';
import type { Channel } from '../control/channel.ts';
import type { ControlReply, HostSettings } from '../control/protocol.ts';
import type { CallTable, Document } from '../interface/call.ts';
import type { CallTransport } from './call-client.ts';
import type { HostEndpoint } from './endpoint.ts';
import { ConnectionLost, EngineError } from './errors.ts';
import { type OpenChannel, openChannel } from './handshake.ts';
import { itemsIn } from './items.ts';
import { type CallTimeout, Transfer, timedOut } from './transfer.ts';

export interface ConnectionParts {
  readonly random: Random;
  readonly clock: MachineClock;
}

const GRACE_MS = 200;

/** An authenticated connection to an engine host. It sends the calls of `controlCalls`. */
export class ControlConnection implements CallTransport {
  readonly settings: HostSettings;
  readonly pid: number;
  /** Resolves when either side has ended the connection. */
  readonly closed: Promise<void>;
  readonly #channel: Channel;
  readonly #table: CallTable;
  readonly #clock: MachineClock;
  /** Opens another connection to the same host. */
  readonly #another: () => Promise<OpenChannel>;
  readonly #pending = new PendingReplies<number, unknown>();
  #lastId = 0;
  #open = true;

  constructor(
    { channel, welcome }: OpenChannel,
    table: CallTable,
    { clock, another }: { readonly clock: MachineClock; readonly another: () => Promise<OpenChannel> },
  ) {
    this.#channel = channel;
    this.#table = table;
    this.#clock = clock;
    this.#another = another;
    this.settings = welcome.settings;
    this.pid = welcome.pid;
    this.closed = this.#read();
  }

  get open(): boolean {
    return this.#open;
  }

  async call(call: string, args: readonly unknown[]): Promise<unknown> {
    const form = this.#table[call]?.form;
    if (form === 'list') return itemsIn((await this.transfer(call, args)).download());
    if (form !== 'document' && form !== 'bson') return this.#call(call, args);
    const given = args.at(-1) as Document | Uint8Array;
    const document = given instanceof Uint8Array ? given : serialize(given);
    const text = Buffer.from(document.buffer, document.byteOffset, document.length).toString('base64');
    const answer = await this.#call(call, [...args.slice(0, -1), text]);
    const bytes = Buffer.from(String(answer), 'base64');
    return form === 'bson' ? bytes : deserialize(bytes);
  }

  async transfer(call: string, args: readonly unknown[]): Promise<Transfer> {
    const { channel } = await this.#another();
    channel.writeLine({ id: 1, call, args });
    return new Transfer(channel, this.#timeoutOf(call));
  }

  /**
   * Resolves to false if the host does not reply within `withinMs` milliseconds. A suspended process keeps
   * its connections open but sends nothing. Resolves to true if the connection ends meanwhile.
   */
  answers(withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      let cancel = this.#clock.after(withinMs, () => {
        // If this process was suspended, a reply may have arrived meanwhile. Wait a little longer, so that it
        // is read first.
        cancel = this.#clock.after(GRACE_MS, () => resolve(false));
      });
      const answered = () => {
        cancel();
        resolve(true);
      };
      this.#call('troubled', []).then(answered, answered);
    });
  }

  close(): void {
    this.#open = false;
    this.#channel.close();
  }

  #call(call: string, args: readonly unknown[]): Promise<unknown> {
    if (!this.#open) return Promise.reject(new ConnectionLost('the engine host has ended'));
    const id = ++this.#lastId;
    const reply = this.#pending.wait(id);
    this.#channel.writeLine({ id, call, args });
    const timeout = this.#timeoutOf(call);
    if (!Number.isFinite(timeout.timeoutMs)) return reply;
    const late = () => this.#pending.reject(id, timedOut(timeout));
    return reply.finally(this.#clock.after(timeout.timeoutMs, late));
  }

  #timeoutOf(call: string): CallTimeout {
    const timeoutMs = this.#table[call]?.timeoutMs ?? Number.POSITIVE_INFINITY;
    return { call, timeoutMs, clock: this.#clock };
  }

  /** Dispatches replies until the connection has ended. */
  async #read(): Promise<void> {
    try {
      for (;;) {
        const reply = (await this.#channel.line()) as ControlReply | undefined;
        if (reply === undefined) break;
        if ('error' in reply) this.#pending.reject(reply.id, new EngineError(reply.error));
        else this.#pending.resolve(reply.id, reply.result ?? undefined);
      }
    } catch {
      // The peer sent a message that cannot be parsed, so it is not an engine host. End the connection.
    }
    this.#open = false;
    this.#channel.close();
    await this.#channel.closed;
    this.#pending.rejectAll(() => new ConnectionLost('the engine host ended before it answered'));
  }
}

/** Connects and authenticates both sides. Throws `EngineUnavailable` or `ProtocolMismatch`. */
export async function connectToHost(
  endpoint: HostEndpoint,
  table: CallTable,
  { random, clock }: ConnectionParts,
): Promise<ControlConnection> {
  const another = () => openChannel(endpoint, { random });
  return new ControlConnection(await another(), table, { clock, another });
}
