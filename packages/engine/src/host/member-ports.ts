import type { MachineClock } from '@portolan/foundation/clock';
import { poll } from '@portolan/foundation/wait';
import type { ConnectionThread } from './connection-threads.ts';
import { isStopped } from './election.ts';
import type { Ports } from './ports.ts';
import type { DeploymentRecord } from './record.ts';

/**
 * Interval and maximum duration, in milliseconds, of the attempts to bind a port. When a host is killed, the operating
 * system releases the lock of the host before its ports, so the next host may find the ports in use.
 */
const AFTER_CRASH = { step: 50, limit: 400 };

export interface PortParts {
  /** The address on which members listen. */
  readonly listen: string;
  readonly ports: Ports;
  readonly clock: MachineClock;
  /** True if the previous host ended without closing its files. */
  readonly afterCrash: boolean;
}

/**
 * Returns the port of every member. The ports of running members are open. If a port is unavailable, closes the newly
 * opened ports and rejects.
 */
export async function bindMembers(
  thread: Pick<ConnectionThread, 'listen' | 'unlisten'>,
  record: DeploymentRecord,
  parts: PortParts,
): Promise<Record<string, number>> {
  const { spec, ports: previous } = record;
  const ports: Record<string, number> = {};
  try {
    for (const { id, port: wanted } of spec.members) {
      const port = previous[id];
      if (!isStopped(record, id))
        ports[id] = await listen(thread, spec.id, { memberId: id, known: wanted ?? port }, parts);
      else if (port !== undefined) ports[id] = port;
    }
    return ports;
  } catch (error) {
    for (const [memberId, port] of Object.entries(ports)) {
      if (previous[memberId] !== undefined) continue;
      await thread.unlisten(spec.id, memberId).catch(() => {});
      parts.ports.release(port);
    }
    throw error;
  }
}

async function listen(
  thread: Pick<ConnectionThread, 'listen' | 'unlisten'>,
  clusterId: string,
  { memberId, known }: { readonly memberId: string; readonly known: number | undefined },
  parts: PortParts,
): Promise<number> {
  const bind = (port: number) => thread.listen(clusterId, { memberId, host: parts.listen, port });
  if (known === undefined) return parts.ports.take(bind);
  parts.ports.hold(known);
  const ask = async () => ((await bind(known)) ? known : undefined);
  const bound = parts.afterCrash ? await poll(parts.clock, AFTER_CRASH, ask) : await ask();
  if (bound === undefined) throw new Error(`port ${known} of member ${memberId} is taken by another program`);
  return bound;
}
