import { toNumber } from '../../bson/numbers/convert.ts';
import { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { command } from '../shared/define.ts';
import { writing } from '../shared/presets.ts';

const MB = 1024 * 1024;
/** The server's minimum, in MB. */
const MIN_MEGABYTES = 990;

export const resizeOplog = command({
  name: 'replSetResizeOplog',
  ...writing,
  database: 'admin',
  audit: 'none',
  privileges: () => [{ action: 'replSetResizeOplog' }],
  fields: { replSetResizeOplog: 'any', size: 'number', minRetentionHours: 'number' },
  run(args, _request, { store }) {
    const { oplog } = store;
    const size = atLeast(args.size, MIN_MEGABYTES, 'size');
    const hours = atLeast(args.minRetentionHours, 0, 'minRetentionHours');
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

function atLeast(value: Value | undefined, least: number, field: string): number | undefined {
  if (value === undefined) return undefined;
  const number = toNumber(value);
  if (number >= least) return number;
  throw new ServerError(
    'BadValue',
    `BSON field '${field}' value must be >= ${least}, actual value '${number}'`,
  );
}
