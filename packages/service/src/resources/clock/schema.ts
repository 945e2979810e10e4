import Type from 'typebox';
import { DateTime } from '../../api/fields.ts';

export const Clock = Type.Object(
  {
    frozen: Type.Boolean({ description: 'Whether service time is frozen.' }),
    now: DateTime({ description: 'Current service time.' }),
    rate: Type.Number({
      description: 'Seconds by which service time advances in each second of machine time.',
    }),
  },
  {
    description:
      'Service time: the clock for dates in responses, schedules, expiry and retention. Operators can change it for tests.',
  },
);

export const ClockChange = Type.Object({
  advanceSeconds: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'Seconds by which to advance the clock; the result must not exceed the year 9999.',
    }),
  ),
  frozen: Type.Optional(
    Type.Boolean({ description: '`true` freezes the clock; `false` resumes it from its current time.' }),
  ),
  now: Type.Optional(DateTime({ description: 'Date to which the clock is set.' })),
  rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
});
export type ClockChange = Type.Static<typeof ClockChange>;
