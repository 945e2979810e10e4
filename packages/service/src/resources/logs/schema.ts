import Type from 'typebox';

/** 2008-01-01, the earliest permitted date (docs/contract/api.md 2.1). */
const EARLIEST = 1_199_145_600;
const LATEST = 8_640_000_000_000;

const Instant = (description: string) =>
  Type.Optional(Type.Integer({ minimum: EARLIEST, maximum: LATEST, description }));

export const LogQuery = Type.Object({
  endDate: Instant('Time of the newest line to return, in seconds since 1970; now by default.'),
  startDate: Instant(
    'Time of the oldest line to return, in seconds since 1970; by default one day before `endDate`.',
  ),
});
export type LogQuery = Type.Static<typeof LogQuery>;
