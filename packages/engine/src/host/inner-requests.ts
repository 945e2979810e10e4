import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { WireUser } from '../access/caller.ts';
import { BODY } from '../message/sections.ts';
import { eachReply } from '../worker/parcel.ts';
import type { RepliesMessage, RequestsMessage } from '../worker/protocol.ts';

/** Who asks in the service's name: may do everything, and nobody can log in as it. */
const USER: WireUser = {
  username: '__system',
  database: 'local',
  roles: [{ role: '__system', database: 'admin' }],
};

interface Waiting {
  resolve(document: Uint8Array): void;
  reject(error: Error): void;
}

/** Commands of the host itself to a query worker: they take the way that those of drivers take. */
export class InnerRequests {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  /** `gone` makes the error for requests whose worker has ended. */
  constructor(worker: { connect(port: MessagePort): void }, gone: () => Error) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message: RepliesMessage) =>
      eachReply(message, (requestId, document) => {
        this.#waiting.get(requestId)?.resolve(document);
        this.#waiting.delete(requestId);
      }),
    );
    port1.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(gone());
      this.#waiting.clear();
    });
    worker.connect(port2);
    port1.unref();
  }

  /** The answer of `member` to a command, a BSON document with `$db`. */
  send(clusterId: string, member: string, command: Uint8Array): Promise<Uint8Array> {
    this.#lastId++;
    const requestId = this.#lastId;
    const sections = Buffer.concat([Buffer.of(BODY), command]);
    // Connections of drivers count upwards from 1; each of these requests stands for itself.
    const caller = { connectionId: -requestId, remote: 'service', member, user: USER };
    return new Promise((resolve, reject) => {
      this.#waiting.set(requestId, { resolve, reject });
      const message: RequestsMessage = { requests: [{ requestId, clusterId, caller, sections }] };
      this.#port.postMessage(message);
    });
  }
}
