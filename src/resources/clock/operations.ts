import Type from 'typebox';
import { DateTime } from '../../api/fields.ts';
import { type ClockSetting, serviceTime } from '../../runtime/clock.ts';
import { extension } from '../services.ts';

const tag = 'Operator';

const Clock = Type.Object(
  {
    frozen: Type.Boolean({ description: 'Whether service time stands still.' }),
    now: DateTime({ description: 'Service time.' }),
    rate: Type.Number({ description: 'Seconds of service time per second of the machine.' }),
  },
  { description: 'Service time: dates in answers, schedules, expiry, retention.' },
);

const ClockChange = Type.Object({
  advanceSeconds: Type.Optional(Type.Number({ minimum: 0, description: 'Moves the clock on by this much.' })),
  frozen: Type.Optional(
    Type.Boolean({ description: 'Stops the clock, or lets it go on from where it stands.' }),
  ),
  now: Type.Optional(DateTime({ description: 'Sets the clock to this date.' })),
  rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
});

function present(setting: ClockSetting, machineNow: number) {
  const now = new Date(serviceTime(setting, machineNow));
  return { frozen: setting.rate === 0, now, rate: setting.rate };
}

export const readClock = extension({
  id: 'getClock',
  summary: 'Answers service time and how fast it goes.',
  tag,
  family: 'operator',
  method: 'GET',
  path: '/clock',
  access: 'operator',
  reply: Clock,
  status: 200,
  async handler({ services }) {
    return present(services.clock.setting(), services.machine.now());
  },
});

export const changeClock = extension({
  id: 'changeClock',
  summary: 'Freezes, advances, sets or scales service time.',
  tag,
  family: 'operator',
  method: 'PATCH',
  path: '/clock',
  access: 'operator',
  body: ClockChange,
  reply: Clock,
  status: 200,
  async handler({ services, body, write }) {
    const setting = await write(async (tx) => {
      // The stored one: what another instance has set may not have reached this one yet.
      const before = (await services.storedClock.read(tx)) ?? services.clock.setting();
      const next = changed(before, body, services.machine.now());
      await services.storedClock.set(tx, next);
      return next;
    });
    await services.engines.setClock(setting);
    return present(setting, services.machine.now());
  },
});

/** Every change begins a new stretch at this moment of the machine, so that what has passed stays as it was. */
function changed(
  before: ClockSetting,
  change: Type.Static<typeof ClockChange>,
  machineNow: number,
): ClockSetting {
  const start = change.now === undefined ? serviceTime(before, machineNow) : new Date(change.now).getTime();
  const going = change.rate ?? (before.rate === 0 && change.frozen === false ? 1 : before.rate);
  return {
    at: start + (change.advanceSeconds ?? 0) * 1000,
    since: machineNow,
    rate: change.frozen === true ? 0 : going,
  };
}
