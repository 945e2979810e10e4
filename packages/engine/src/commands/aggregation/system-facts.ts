import type { PlainObject } from '@portolan/foundation/plain-object';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { notFirstStage } from '../../language/pipeline/position.ts';
import type { SessionsRequest, SystemFacts } from '../../language/pipeline/system/facts.ts';
import { describeDatabase } from '../catalog/list-collections.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { operationsOf } from '../diagnostics/current-op.ts';
import { describeQueryShape } from '../planning/describe-query-shape.ts';
import { describePlans } from '../planning/plan-cache.ts';
import { querySettings } from '../planning/query-settings.ts';
import { displayNameOf, lsidOf, partsOf, sessionKey } from '../shared/session-key.ts';

/** Returns information about the deployment for pipeline stages. */
export function systemFacts(
  request: CommandRequest,
  name: string | undefined,
  cluster: ClusterContext,
): SystemFacts {
  return {
    operations: (wanted) => operationsOf(wanted, request, cluster),
    sessions: (wanted) => sessions(wanted, request, cluster),
    catalog: ({ shards }) => catalog(shards, request, cluster),
    plans: () => {
      const collection = cluster.store.collection(request.database, name ?? '');
      // For a time series, the server inserts an internal stage before `$planCacheStats`. It then rejects
      // `$planCacheStats`, which must be the first stage.
      if (collection?.options.has('timeseries')) throw notFirstStage('$planCacheStats');
      return collection && describePlans(collection, cluster);
    },
    querySettings: (shapes) =>
      [...querySettings(cluster)].map(([queryShapeHash, { settings, representative }]) =>
        encoded({
          queryShapeHash,
          settings,
          representativeQuery: representative,
          ...(shapes && representative && { debugQueryShape: describeQueryShape(representative) }),
        }),
      ),
  };
}

function encoded(object: PlainObject): RawDocument {
  return new RawDocument(encodeDocument(object));
}

function sessions({ all, owners }: SessionsRequest, request: CommandRequest, cluster: ClusterContext) {
  const own = partsOf(sessionKey('', request.caller.user)).owner;
  const wanted = (owner: string) => all || (owners === undefined ? owner === own : owners.has(owner));
  return cluster.sessions
    .find(({ owner }) => wanted(owner))
    .map((session) => {
      const user = displayNameOf(partsOf(session).owner);
      return encoded({
        _id: lsidOf(session),
        lastUse: new Date(cluster.clock.now() - (cluster.sessions.idle(session) ?? 0)),
        ...(user === '' ? {} : { user }),
      });
    });
}

function catalog(shards: boolean, { database }: CommandRequest, { store }: ClusterContext): RawDocument[] {
  const databases = database === 'admin' ? store.databases() : [database];
  return databases.flatMap((db) =>
    describeDatabase(store, db).map(({ name, ...described }) =>
      encoded({ ns: `${db}.${name}`, db, ...described, ...(shards && { shards: [] }), sharded: false }),
    ),
  );
}
