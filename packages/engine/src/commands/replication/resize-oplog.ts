import { toNumber } from '../../bson/numbers/convert.ts';
import { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { command } from '../shared/define.ts';
import { writing } from '../shared/presets.ts';

const MB = 1024 * 1024;
/** The server's minimum, in MB. */
const MIN_MEGABYTES = 990;
/** The maximum in MB, which is 1 PB. */
const MAX_MEGABYTES = 1024 ** 3;

export const resizeOplog = command({
  name: 'replSetResizeOplog',
  ...writing,
  database: 'admin',
  audit: 'none',
  privileges: () => [{ action: 'replSetResizeOplog' }],
  fields: { replSetResizeOplog: 'any', size: 'number', minRetentionHours: 'number' },
  run(args, _request, { store }) {
    const { oplog } = store;
    const size = between(args.size, MIN_MEGABYTES, MAX_MEGABYTES, 'size');
    const hours = between(args.minRetentionHours, 0, Infinity, 'minRetentionHours');
    const options = {
      ...oplog.options.toObject(),
      ...(size === undefined ? {} : { size: BigInt(Math.floor(size * MB)) }),
      ...(hours === undefined ? {} : { minRetentionHours: hours }),
    };
    store.modify(oplog, RawDocument.from(options), RawDocument.empty);
    Object.assign(oplog, oplog.ownLimits);
    return {};
  },
});

function between(value: Value | undefined, least: number, most: number, field: string): number | undefined {
  if (value === undefined) return undefined;
  const number = toNumber(value);
  if (number >= least && number <= most) return number;
  const bound = number > most ? `<= ${most}` : `>= ${least}`;
  throw new ServerError('BadValue', `BSON field '${field}' value must be ${bound}, actual value '${number}'`);
}
