import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { PendingReplies } from '@portolan/foundation/pending-replies';
import { SERVICE } from '../access/caller.ts';
import { BODY } from '../message/sections.ts';
import { eachReply } from '../worker/parcel.ts';
import type { RepliesMessage, RequestsMessage } from '../worker/protocol.ts';

/** Sends commands of the host to a query thread, in the same form as the commands of drivers. */
export class InternalCommands {
  readonly #port: MessagePort;
  readonly #pending = new PendingReplies<number, Uint8Array>();
  #lastId = 0;

  /** If the query thread ends, pending requests fail with the error that `ended` creates. */
  constructor(worker: { connect(port: MessagePort): void }, ended: () => Error) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message: RepliesMessage) =>
      eachReply(message, (requestId, document) => this.#pending.resolve(requestId, document)),
    );
    port1.on('close', () => this.#pending.rejectAll(ended));
    worker.connect(port2);
    port1.unref();
  }

  /** Sends a command to `member` and returns the reply. The command is a BSON document with `$db`. */
  send(clusterId: string, member: string, command: Uint8Array, user = SERVICE): Promise<Uint8Array> {
    this.#lastId++;
    const requestId = this.#lastId;
    const sections = Buffer.concat([Buffer.of(BODY), command]);
    // The id is negative, so that it differs from the connection ids of drivers. Each request counts as a separate
    // connection.
    const caller = { connectionId: -requestId, remote: 'service', member, user };
    const message: RequestsMessage = { requests: [{ requestId, clusterId, caller, sections }] };
    this.#port.postMessage(message);
    return this.#pending.wait(requestId);
  }
}
