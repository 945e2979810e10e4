import { RawDocument } from '../../bson/raw.ts';
import { command } from '../shared/define.ts';
import { inRange } from '../shared/field-builders.ts';
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
  fields: {
    replSetResizeOplog: 'any',
    size: inRange('double', MIN_MEGABYTES, MAX_MEGABYTES),
    minRetentionHours: inRange('double', 0),
  },
  run({ size, minRetentionHours: hours }, _request, { store }) {
    const { oplog } = store;
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
