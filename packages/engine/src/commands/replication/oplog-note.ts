import { compareValues } from '../../bson/compare.ts';
import { ServerError } from '../../errors/server-error.ts';
import { timestampAt } from '../../storage/oplog/time.ts';
import { command } from '../shared/define.ts';
import { writing } from '../shared/presets.ts';

/** Appends a no-op entry with any document to the oplog. */
export const appendOplogNote = command({
  name: 'appendOplogNote',
  ...writing,
  database: 'admin',
  audit: 'none',
  privileges: () => [{ action: 'appendOplogNote' }],
  fields: { appendOplogNote: 'any', data: 'object!', maxClusterTime: 'timestamp' },
  run({ data, maxClusterTime }, _request, { store: { oplog } }) {
    if (maxClusterTime !== undefined && compareValues(maxClusterTime, timestampAt(oplog.last)) <= 0) {
      throw new ServerError(
        'StaleClusterTime',
        'Requested maxClusterTime is not after the last entry of the oplog',
      );
    }
    oplog.appendNote(data);
    return {};
  },
});
