import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { metaPaths } from '../../storage/model/meta-paths.ts';
import { createCommands } from '../catalog/create/create.ts';
import type { SeriesArguments } from '../catalog/create/series-fields.ts';
import { readTimeseries } from '../catalog/create/timeseries.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import type { ShardKey } from './shard-key.ts';

const [create] = createCommands;

interface TimeSeriesTarget {
  readonly database: string;
  readonly name: string;
  /** The option `timeseries` of the command; undefined if the command has no such option. */
  readonly timeseries: SeriesArguments | undefined;
}

/**
 * Creates the time series that will be sharded. If the time series exists, it must have the same options. Its
 * shard key must consist of paths in the metaField, optionally followed by the timeField.
 */
export function ensureTimeSeries(
  key: ShardKey,
  { database, name, timeseries }: TimeSeriesTarget,
  request: CommandRequest,
  cluster: ClusterContext,
): void {
  const existing = cluster.store.collection(database, name)?.options.document('timeseries');
  const wanted = timeseries && readTimeseries(timeseries, { create: name });
  if (existing !== undefined && wanted !== undefined && !existing.equals(wanted)) {
    throw new ServerError(
      5731500,
      `the 'timeseries' spec provided must match that of exists '${database}.${name}' collection`,
    );
  }
  const series = existing ?? wanted;
  if (series !== undefined) checkKey(key, series);
  if (existing !== undefined || timeseries === undefined) return;
  const body = new RawDocument(encodeDocument({ create: name, timeseries, $db: database }));
  create?.run({ ...request, name: 'create', database, body, sequences: new Map() }, cluster);
}

function checkKey(key: ShardKey, series: RawDocument): void {
  const time = series.string('timeField') ?? '';
  const paths = [...key.keys()];
  if (paths.slice(0, -1).includes(time)) {
    throw new ServerError(
      5914000,
      `the time field '${time}' can be only at the end of the shard key pattern`,
    );
  }
  const isMeta = metaPaths(series);
  if (paths.every((path) => path === time || isMeta(path))) return;
  throw new ServerError(5914001, 'only the time field or meta field can be part of shard key pattern');
}
