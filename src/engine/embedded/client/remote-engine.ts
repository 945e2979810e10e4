import type { Random } from '../../../runtime/random.ts';
import type { Engine } from '../../engine.ts';
import { engineOver } from './calls.ts';
import { type ControlConnection, connectToHost, EngineUnavailable } from './control-connection.ts';
import type { HostEndpoint } from './endpoint.ts';

/** The host of another instance: driven like one's own, but neither started nor ended from here. */
export interface RemoteEngine extends Engine {
  /** Connects where there is no line; throws `EngineUnavailable` when nobody answers. */
  connect(): Promise<void>;
  readonly connected: boolean;
  close(): void;
}

export function attachEngine(endpoint: HostEndpoint, { random }: { random: Random }): RemoteEngine {
  let connection: ControlConnection | undefined;
  let connecting: Promise<void> | undefined;
  let closed = false;

  async function connect(): Promise<void> {
    const next = await connectToHost(endpoint, random);
    if (closed) next.close();
    else connection = next;
  }

  return {
    ...engineOver((call, ...args) => {
      if (!connection?.open)
        throw new EngineUnavailable('the engine host of another instance cannot be reached');
      return connection.call(call, ...args);
    }),
    connect() {
      if (connection?.open) return Promise.resolve();
      connecting ??= connect().finally(() => {
        connecting = undefined;
      });
      return connecting;
    },
    get connected() {
      return connection?.open === true;
    },
    close() {
      closed = true;
      connection?.close();
    },
  };
}
