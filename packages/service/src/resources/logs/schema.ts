import Type from 'typebox';

/** 2008-01-01, before which there were no logs (contract 2.1). */
const EARLIEST = 1_199_145_600;
const LATEST = 8_640_000_000_000;

const Instant = (description: string) =>
  Type.Optional(Type.Integer({ minimum: EARLIEST, maximum: LATEST, description }));

export const LogQuery = Type.Object({
  endDate: Instant('Seconds since 1970; now where it is absent.'),
  startDate: Instant('Seconds since 1970; a day before the end where it is absent.'),
});
export type LogQuery = Type.Static<typeof LogQuery>;
