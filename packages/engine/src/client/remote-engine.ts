import type { MachineClock } from '@portolan/foundation/clock';
import type { Random } from '@portolan/foundation/random';
import { type Engine, engineCalls } from '../interface/calls.ts';
import { clientOf } from './call-client.ts';
import { type ControlConnection, connectToHost } from './control-connection.ts';
import type { HostEndpoint } from './endpoint.ts';
import { CallTimedOut, EngineUnavailable } from './errors.ts';

/**
 * An engine whose host belongs to another service. It sends calls to the host, but neither starts nor stops the host.
 */
export interface RemoteEngine extends Engine {
  /** Connects unless already connected. Throws `EngineUnavailable` if the host does not reply. */
  connect(): Promise<void>;
  readonly connected: boolean;
  /** Resolves to false if the connected host does not reply within `withinMs` milliseconds. */
  answers(withinMs: number): Promise<boolean>;
  close(): void;
}

export function attachEngine(
  endpoint: HostEndpoint,
  parts: { readonly random: Random; readonly clock: MachineClock },
): RemoteEngine {
  let connection: ControlConnection | undefined;
  let connecting: Promise<void> | undefined;
  let closed = false;

  async function connect(): Promise<void> {
    const next = await connectToHost(endpoint, engineCalls, parts);
    if (closed) next.close();
    else connection = next;
  }

  function connected(): ControlConnection {
    if (connection?.open) return connection;
    throw new EngineUnavailable('the engine host of another instance cannot be reached');
  }

  /**
   * Sends a call. If the host does not reply in time, closes the connection. The host then counts as
   * unavailable until it accepts a new connection.
   */
  async function callOrDisconnect(call: string, args: readonly unknown[]): Promise<unknown> {
    const engine = connected();
    try {
      return await engine.call(call, args);
    } catch (error) {
      if (error instanceof CallTimedOut) engine.close();
      throw error;
    }
  }

  const calls = clientOf(engineCalls, {
    call: callOrDisconnect,
    transfer: async (call, args) => connected().transfer(call, args),
  });
  return {
    ...calls,
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
    answers: async (withinMs) => (connection?.open ? connection.answers(withinMs) : true),
    close() {
      closed = true;
      connection?.close();
    },
  };
}
