import type { WireCaller } from '../access/caller.ts';
import type { OpMsg } from '../message/codec.ts';
import type { ConnectionContext } from './connection-context.ts';
import { Forwarded } from './forwarded.ts';
import { trafficScope } from './look-inside.ts';
import type { Traffic } from './traffic.ts';

/** The properties of a connection that are needed to forward its messages. */
interface Sender {
  readonly caller: WireCaller;
  readonly memberId: string;
  destroy(): void;
}

interface Outcome {
  /** Called before the message is sent to the query thread. */
  admitted(): void;
  /** Called after a message that had to wait has been sent. */
  resumed(): void;
  /** Called with the reply, unless the connection has closed. */
  replied(document: Uint8Array): void;
}

/** Sends the messages of a connection to the query thread. */
export class Forwarding {
  readonly #sender: Sender;
  readonly #cluster: ConnectionContext;
  readonly #traffic: Traffic;
  readonly #forwarded: Forwarded;

  constructor(sender: Sender, cluster: ConnectionContext, traffic: Traffic) {
    this.#sender = sender;
    this.#cluster = cluster;
    this.#traffic = traffic;
    this.#forwarded = new Forwarded(cluster.forwarded);
  }

  /** True if the connection must read no further messages until one of its requests has ended. */
  get full(): boolean {
    return this.#forwarded.full;
  }

  /**
   * Sends a message when the limits of the cluster allow it. `untimed` is true if the time limit of the message does
   * not apply.
   */
  send(message: OpMsg, name: string, untimed: boolean, outcome: Outcome): void {
    const { moreToCome } = message;
    let later = false;
    this.#forwarded.send({ bytes: message.sections.length, moreToCome }, (ended) => {
      const { closed } = this.#forwarded;
      if (!closed) {
        outcome.admitted();
        this.#traffic.active++;
      }
      const finished = (then: () => void) => {
        ended();
        // `close` has already removed the request from the traffic.
        if (this.#forwarded.closed) return;
        this.#traffic.active--;
        then();
      };
      this.#cluster.send(this.#request(message, name, untimed), {
        reply: (document) => finished(() => outcome.replied(document)),
        lost: () => finished(() => this.#sender.destroy()),
      });
      if (closed) this.#cluster.gone(this.#sender.caller.connectionId);
      else if (later) outcome.resumed();
    });
    later = true;
  }

  #request(message: OpMsg, name: string, untimed: boolean) {
    // A request with `exhaustAllowed` is sent again for each batch. Copy its sections, because sending may transfer
    // their buffer.
    const sections = message.exhaustAllowed ? new Uint8Array(message.sections) : message.sections;
    const { caller, memberId } = this.#sender;
    const scope = trafficScope(name, sections);
    const traffic = scope && this.#cluster.trafficFacts(memberId, scope === 'connections');
    return {
      clusterId: this.#cluster.view.clusterId,
      caller,
      sections,
      ...(message.moreToCome ? { moreToCome: true } : {}),
      ...(traffic === undefined ? {} : { traffic }),
      ...(untimed ? { untimed } : {}),
    };
  }

  /** Must be called when the connection has closed. Its requests then no longer count as active. */
  close(): void {
    this.#traffic.active -= this.#forwarded.count;
    this.#forwarded.close();
  }
}
