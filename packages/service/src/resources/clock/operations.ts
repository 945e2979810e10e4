import { type ClockSetting, serviceTime } from '@portolan/foundation/clock';
import { extension } from '../services.ts';
import { changeServiceTime } from './changes.ts';
import { Clock, ClockChange } from './schema.ts';

const tag = 'Operator';

function presentClock(setting: ClockSetting, machineNow: number) {
  const now = new Date(serviceTime(setting, machineNow));
  return { frozen: setting.rate === 0, now, rate: setting.rate };
}

export const readClock = extension({
  id: 'getClock',
  summary: 'Returns service time, and how fast it runs.',
  tag,
  surface: 'operator',
  method: 'GET',
  path: '/clock',
  access: 'operator',
  reply: Clock,
  status: 200,
  async handler({ services }) {
    return presentClock(services.clock.setting(), services.machine.now());
  },
});

export const changeClock = extension({
  id: 'changeClock',
  summary: 'Freezes, advances or sets service time, or changes how fast it runs.',
  tag,
  surface: 'operator',
  method: 'PATCH',
  path: '/clock',
  access: 'operator',
  body: ClockChange,
  reply: Clock,
  status: 200,
  async handler({ services, body, write }) {
    const setting = await write((tx) => changeServiceTime(tx, services, body));
    await services.engines.setClock(setting);
    return presentClock(setting, services.machine.now());
  },
});
