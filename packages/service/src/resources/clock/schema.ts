import Type from 'typebox';
import { DateTime } from '../../api/fields.ts';

export const Clock = Type.Object(
  {
    frozen: Type.Boolean({ description: 'Whether service time stands still.' }),
    now: DateTime({ description: 'Service time.' }),
    rate: Type.Number({ description: 'Seconds of service time per second of the machine.' }),
  },
  { description: 'Service time: dates in answers, schedules, expiry, retention.' },
);

export const ClockChange = Type.Object({
  advanceSeconds: Type.Optional(
    Type.Number({ minimum: 0, description: 'Moves the clock on by this much, within the year 9999.' }),
  ),
  frozen: Type.Optional(
    Type.Boolean({ description: 'Stops the clock, or lets it go on from where it stands.' }),
  ),
  now: Type.Optional(DateTime({ description: 'Sets the clock to this date.' })),
  rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
});
export type ClockChange = Type.Static<typeof ClockChange>;
