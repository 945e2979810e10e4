import type { MessagePort } from 'node:worker_threads';
import type { ServiceClock } from '@portolan/foundation/clock';
import { received } from '@portolan/foundation/received';
import { errorMessage } from '@portolan/foundation/thrown';
import { Heartbeat } from './heartbeat.ts';
import { OpeningTurns } from './opening-turns.ts';
import type { ControlAnswer, ControlMessage, OwnUsers, RequestsMessage } from './protocol.ts';
import type { QueryWorker } from './query-worker.ts';
import { RequestPort } from './request-port.ts';

/**
 * After this time, a turn ends when no statement is paused, even if others wait. Then the event loop runs: otherwise
 * timers would not fire, and clusters would not close, as long as two clients send long statements all the time.
 */
const TURN_MS = 20;

/**
 * Connects a query thread to its ports. The thread works in turns. In each turn, it runs all waiting requests (see
 * `QueryWorker`). Requests that arrive during a turn wait for the next one. Each port receives all replies of a turn in
 * one message.
 */
export class WorkerPorts {
  readonly #worker: QueryWorker;
  readonly #service: ServiceClock;
  readonly #control: MessagePort;
  readonly #requests = new Map<MessagePort, RequestPort>();
  readonly #heartbeat: Heartbeat;
  #scheduled = false;
  /** Reads the messages of other threads in the middle of a statement, when the event loop does not run. */
  poll = () => {};
  /** Sends the counters of the members to the host. */
  report = () => {};
  readonly #opening = new OpeningTurns((message) => this.#open(message));
  /** Messages of the host that cannot be handled while a statement is running. */
  #deferred: ControlMessage[] = [];

  constructor(worker: QueryWorker, service: ServiceClock, control: MessagePort, heartbeat = new Heartbeat()) {
    this.#worker = worker;
    this.#service = service;
    this.#control = control;
    this.#heartbeat = heartbeat;
    worker.onWake = () => this.#schedule();
    worker.ports = {
      receive: () => this.#receiveNow(),
      send: () => this.#flush(),
    };
    control.on('message', (message: ControlMessage) => this.#handle(message));
  }

  /** Reads the ports in the middle of a statement, when the event loop does not run. */
  #receiveNow(): void {
    this.#heartbeat.beat();
    this.poll();
    const deferred = this.#deferred;
    for (const message of received<ControlMessage>(this.#control)) {
      if (isImmediate(message, deferred)) this.#handle(message);
      else deferred.push(message);
      if (message.kind === 'close') this.#worker.interrupt(message.clusterId);
      if (message.kind === 'stop') this.#worker.interrupt();
    }
    // A background write, too, receives messages. No turn follows it.
    if (deferred.length > 0) this.#schedule();
    else this.#opening.next();
    for (const [port, requests] of this.#requests) {
      for (const message of received<RequestsMessage>(port)) this.#receive(requests, message);
    }
  }

  #handleDeferred(): void {
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const message of deferred) this.#handle(message);
  }

  /** Sends the users of an open cluster to all threads that authenticate users, before any later reply. */
  publish(accounts: OwnUsers): void {
    for (const requests of this.#requests.values()) requests.announce({ accounts });
    this.#post({ kind: 'accounts', accounts });
  }

  #handle(message: ControlMessage): void {
    if (message.kind !== 'open' && 'clusterId' in message) this.#opening.finish(message.clusterId);
    switch (message.kind) {
      case 'connect':
        this.#connect(message.port);
        break;
      case 'open':
        this.#opening.add(message);
        break;
      case 'configure':
        this.#worker.configure(message.clusterId, message.info);
        break;
      case 'searchNode':
        this.#worker.addSearchNode(message.clusterId, message.link);
        break;
      case 'searchStopped':
        this.#worker.searchStopped(message.clusterId, message.stopped);
        break;
      case 'close':
        this.#close(message.clusterId);
        break;
      case 'clock':
        this.#service.set(message.setting);
        break;
      case 'report':
        this.report();
        this.#post({ kind: 'reported' });
        break;
      case 'stop':
        this.#stop();
    }
  }

  #open({ clusterId, files, info }: Extract<ControlMessage, { kind: 'open' }>): void {
    try {
      this.#worker.open(clusterId, files, info);
      this.#flush();
      this.#post({ kind: 'opened', clusterId });
    } catch (error) {
      const message = errorMessage(error);
      this.#post({ kind: 'failed', clusterId, message });
    }
  }

  #close(clusterId: string): void {
    const checkpointed = this.#worker.close(clusterId);
    this.#flush();
    const closed = () => this.#post({ kind: 'closed', clusterId });
    if (checkpointed === undefined) closed();
    else void checkpointed.then(closed);
  }

  #connect(port: MessagePort): void {
    const requests = new RequestPort(port);
    this.#requests.set(port, requests);
    requests.announce({ commits: this.#worker.lastWrites() });
    port.on('message', (message: RequestsMessage) => {
      this.#receive(requests, message);
      this.#schedule();
    });
    port.on('close', () => this.#requests.delete(port));
  }

  #receive(port: RequestPort, message: RequestsMessage): void {
    port.receive(message, {
      submit: (request) =>
        this.#worker.submit(request, (document) => port.reply(request.requestId, document)),
      disconnected: (connectionIds) => this.#worker.disconnected(connectionIds),
    });
  }

  /** Schedules a turn after all messages that have arrived are read, so that they share the turn. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#heartbeat.during(() => {
        if (this.#worker.runTurn(TURN_MS)) this.#schedule();
      });
      this.#flush();
      this.#handleDeferred();
    });
  }

  #flush(): void {
    // Send the commits together with the replies, so that a later `hello` reports the newest writes.
    const commits = this.#worker.takeCommits();
    for (const requests of this.#requests.values()) requests.flush(commits);
  }

  #post(answer: ControlAnswer): void {
    this.#control.postMessage(answer);
  }

  #stop(): void {
    this.#worker.closeAll();
    this.#flush();
    this.#post({ kind: 'stopped' });
    for (const requests of this.#requests.values()) requests.close();
    this.#control.close();
  }
}

/** True if the message may be handled while a statement is running. */
function isImmediate({ kind }: ControlMessage, deferred: readonly ControlMessage[]): boolean {
  return (
    kind !== 'close' && kind !== 'stop' && kind !== 'report' && (kind !== 'open' || deferred.length === 0)
  );
}
