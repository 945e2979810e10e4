import { deserialize, serialize } from 'bson';
import type { Engine } from '../../engine.ts';
import type { ControlCall, ControlCalls } from '../control/protocol.ts';

export type SendCall = <C extends ControlCall>(
  call: C,
  ...args: Parameters<ControlCalls[C]>
) => Promise<Awaited<ReturnType<ControlCalls[C]>>>;

/** The engine's calls, as they go over a control connection. */
export function engineOver(send: SendCall): Engine {
  return {
    name: 'embedded',
    capabilities: { pause: true, tls: true },
    provision: (spec) => send('provision', spec),
    reconfigure: (spec) => send('reconfigure', spec),
    pause: (id) => send('pause', id),
    resume: (id) => send('resume', id),
    remove: async (id) => void (await send('remove', id)),
    describe: async (id) => (await send('describe', id)) ?? undefined,
    troubled: () => send('troubled'),
    stopMember: (id, memberId) => send('stopMember', id, memberId),
    startMember: (id, memberId) => send('startMember', id, memberId),
    failover: (id, ...from) => send('failover', id, ...from),
    setAccess: (id, access) => send('setAccess', id, access),
    async run(id, command) {
      const answer = await send('run', id, Buffer.from(serialize(command)).toString('base64'));
      return deserialize(Buffer.from(answer, 'base64'));
    },
    accessHistory: (id, query) => send('accessHistory', id, query),
    logs: (id, memberId, log, from, to) => send('logs', id, memberId, log, from, to),
    metrics: (id, memberId, from, to) => send('metrics', id, memberId, from, to),
    setClock: async (setting) => void (await send('setClock', setting)),
    setTls: async (certificate) => void (await send('setTls', certificate)),
  };
}
