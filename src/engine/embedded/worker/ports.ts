import type { MessagePort } from 'node:worker_threads';
import type { ServiceClock } from '../../../runtime/clock.ts';
import type {
  ControlAnswer,
  ControlMessage,
  RepliesMessage,
  RequestsMessage,
  WireReply,
} from './protocol.ts';
import type { QueryWorker } from './query-worker.ts';

/**
 * Joins a query worker to its ports. Requests that arrive while a turn runs wait for the next one; the answers of a
 * turn go back in one message for each port.
 */
export class WorkerPorts {
  readonly #worker: QueryWorker;
  readonly #service: ServiceClock;
  readonly #control: MessagePort;
  readonly #requests = new Set<MessagePort>();
  readonly #replies = new Map<MessagePort, WireReply[]>();
  #scheduled = false;

  constructor(worker: QueryWorker, service: ServiceClock, control: MessagePort) {
    this.#worker = worker;
    this.#service = service;
    this.#control = control;
    worker.onWake = () => this.#schedule();
    control.on('message', (message: ControlMessage) => this.#take(message));
  }

  #take(message: ControlMessage): void {
    switch (message.kind) {
      case 'connect':
        this.#connect(message.port);
        break;
      case 'open':
        this.#open(message);
        break;
      case 'configure':
        this.#worker.configure(message.clusterId, message.info);
        break;
      case 'close':
        this.#worker.close(message.clusterId);
        this.#flush();
        this.#say({ kind: 'closed', clusterId: message.clusterId });
        break;
      case 'clock':
        this.#service.set(message.setting);
        break;
      case 'stop':
        this.#stop();
    }
  }

  #open({ clusterId, dir, info }: Extract<ControlMessage, { kind: 'open' }>): void {
    try {
      this.#worker.open(clusterId, dir, info);
      this.#say({ kind: 'opened', clusterId });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#say({ kind: 'failed', clusterId, message });
    }
  }

  #connect(port: MessagePort): void {
    this.#requests.add(port);
    port.on('message', ({ requests }: RequestsMessage) => {
      for (const request of requests) {
        const { requestId } = request;
        this.#worker.submit(request, (document) => this.#reply(port, { requestId, document }));
      }
      this.#schedule();
    });
    port.on('close', () => this.#requests.delete(port));
  }

  /** After all messages that are there already have been taken, so that they share a turn. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#worker.runTurn();
      this.#flush();
    });
  }

  #reply(port: MessagePort, reply: WireReply): void {
    const waiting = this.#replies.get(port);
    if (waiting === undefined) this.#replies.set(port, [reply]);
    else waiting.push(reply);
  }

  #flush(): void {
    for (const [port, replies] of this.#replies) {
      const message: RepliesMessage = { replies };
      port.postMessage(message, transferable(replies));
    }
    this.#replies.clear();
  }

  #say(answer: ControlAnswer): void {
    this.#control.postMessage(answer);
  }

  #stop(): void {
    this.#worker.closeAll();
    this.#flush();
    this.#say({ kind: 'stopped' });
    for (const port of this.#requests) port.close();
    this.#control.close();
  }
}

/** Large buffers change hands; copying a small one costs less. */
const WORTH_TRANSFER = 16 * 1024;

function transferable(replies: readonly WireReply[]): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  for (const { document } of replies) {
    if (document.length >= WORTH_TRANSFER && document.buffer instanceof ArrayBuffer)
      buffers.push(document.buffer);
  }
  return buffers;
}
