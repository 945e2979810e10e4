import { ServerError } from '../../errors/server-error.ts';
import { command } from '../shared/define.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { reading } from '../shared/presets.ts';

/** Always fails. A member of a replica set may not rebuild indexes independently of the other members. */
export const reIndex = command({
  name: 'reIndex',
  ...reading,
  privileges: onCollection('reIndex'),
  fields: { reIndex: 'collection!' },
  run({ reIndex: name }, { database }) {
    const namespace = checkNamespace(database, name);
    throw new ServerError(
      'IllegalOperation',
      `reIndex is only allowed on a standalone server. Cannot reIndex '${namespace}' while replication is active`,
    );
  },
});
