import { type AddressInfo, createServer } from 'node:net';
import { ConfigError } from '@portolan/foundation/command-line';
import type { Api } from '../../api/index.ts';
import type { InstanceSlot } from '../service-instances.ts';
import type { Config } from '../settings.ts';

/**
 * Throws if the port is in use, before anything is created. If another process takes the port later, `listen` throws.
 */
export async function checkListen({ listen }: Config): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(listen.port, listen.host, resolve);
    });
  } catch (error) {
    throw cannotListen(listen, error);
  }
  await new Promise((closed) => probe.close(closed));
}

function cannotListen({ host, port }: Config['listen'], error: unknown): ConfigError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === 'EADDRINUSE' ? 'the port is in use' : message;
  return new ConfigError(`The service cannot listen on ${host}:${port}: ${reason}`);
}

/**
 * Opens the port. Does nothing if it is open already, because this process restored a saved state and opened the service
 * again.
 */
export async function openPort(api: Api, config: Config, slot: InstanceSlot): Promise<void> {
  if (slot.listening !== undefined) return;
  slot.requestGate.openTo(api.listener);
  try {
    await api.listen(config.listen);
  } catch (error) {
    throw cannotListen(config.listen, error);
  }
  slot.listens(api);
}

/** Returns the URL of the service, with the port that the system selected if 0 was configured. */
export function urlAt(config: Config, { listening }: InstanceSlot): string {
  const at = listening?.server.address() as AddressInfo | undefined;
  return urlOf(config, at?.port ?? config.listen.port);
}

export function urlOf(config: Config, port: number): string {
  const { host } = config.listen;
  return `${config['plain-http'] ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
