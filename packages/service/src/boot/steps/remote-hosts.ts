import { attachEngine, type RemoteEngine } from '@portolan/engine/management';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Random } from '@portolan/foundation/random';
import type { KnownHost } from '../../resources/engine-hosts/index.ts';

/** The engine hosts of other instances, by id. */
export class RemoteHosts {
  readonly #hosts = new Map<string, { readonly at: KnownHost; readonly engine: RemoteEngine }>();
  readonly #parts: { readonly random: Random; readonly clock: MachineClock };

  constructor(parts: { readonly random: Random; readonly clock: MachineClock }) {
    this.#parts = parts;
  }

  /** Connects to these hosts. Reconnects to a host whose address has changed. */
  async connect(hosts: readonly KnownHost[]): Promise<void> {
    for (const at of hosts) {
      const known = this.#hosts.get(at.id);
      if (known && JSON.stringify(known.at) === JSON.stringify(at)) continue;
      known?.engine.close();
      this.#hosts.set(at.id, { at, engine: attachEngine(at, this.#parts) });
    }
    await Promise.all([...this.#hosts.values()].map(({ engine }) => engine.connect().catch(() => {})));
  }

  /** Returns all hosts, connected or not. */
  all(): Map<string, RemoteEngine> {
    return new Map([...this.#hosts].map(([id, { engine }]) => [id, engine]));
  }

  connected(): Map<string, RemoteEngine> {
    return new Map([...this.all()].filter(([, engine]) => engine.connected));
  }

  /** Returns a host; undefined if it is not connected. */
  get(id: string): RemoteEngine | undefined {
    const engine = this.#hosts.get(id)?.engine;
    return engine?.connected ? engine : undefined;
  }

  close(): void {
    for (const { engine } of this.#hosts.values()) engine.close();
  }
}
