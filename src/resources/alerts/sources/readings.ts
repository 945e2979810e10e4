import type { MemberSample } from '../../../engine/engine.ts';

/** What a size allows a node. */
export interface Allowance {
  readonly connections: number;
  readonly diskBytes: number;
}

/**
 * Reads one metric of a member out of its two newest samples, in the base unit of its set (`catalogue/units.ts`); of
 * counts, how many in a second. Undefined where it cannot be told: no second sample, or nothing happened in between.
 */
type Read = (now: MemberSample, before: MemberSample | undefined, allowed: Allowance) => number | undefined;

type Count = (sample: MemberSample) => number;

const rate =
  (count: Count): Read =>
  (now, before) => {
    const grown = growth(count, now, before);
    const seconds = before && (now.time - before.time) / 1000;
    return grown === undefined || !seconds || seconds < 0 ? undefined : grown / seconds;
  };

const ratio =
  (count: Count, of: Count): Read =>
  (now, before) => {
    const [upper, lower] = [growth(count, now, before), growth(of, now, before)];
    return upper === undefined || !lower ? undefined : upper / lower;
  };

/** By how much a count has grown; undefined where it began anew meanwhile. */
function growth(count: Count, now: MemberSample, before: MemberSample | undefined): number | undefined {
  const grown = before && count(now) - count(before);
  return grown === undefined || grown < 0 ? undefined : grown;
}

const perMilli =
  (kind: keyof MemberSample['latency']): Read =>
  (now, before, allowed) => {
    const micros = ratio(
      ({ latency }) => latency[kind].micros,
      ({ latency }) => latency[kind].ops,
    )(now, before, allowed);
    return micros === undefined ? undefined : micros / 1000;
  };

const operations = (kind: keyof MemberSample['operations']) => rate((sample) => sample.operations[kind]);
const documents = (kind: keyof MemberSample['documents']) => rate((sample) => sample.documents[kind]);

/** The metrics of hosts that the engine counts; the others of the catalogue have no source. */
export const hostReadings: Readonly<Record<string, Read>> = {
  CONNECTIONS: (now) => now.connections.current,
  CONNECTIONS_MAX: (_, __, allowed) => allowed.connections,
  CONNECTIONS_PERCENT: (now, _, allowed) => (100 * now.connections.current) / allowed.connections,
  DISK_PARTITION_SPACE_USED_DATA: (now, _, allowed) => (100 * now.disk.used) / allowed.diskBytes,
  LOGICAL_SIZE: (now) => now.disk.used,
  DB_STORAGE_TOTAL: (now) => now.disk.used,
  DOCUMENT_DELETED: documents('deleted'),
  DOCUMENT_INSERTED: documents('inserted'),
  DOCUMENT_RETURNED: documents('returned'),
  DOCUMENT_UPDATED: documents('updated'),
  OPCOUNTER_CMD: operations('command'),
  OPCOUNTER_DELETE: operations('delete'),
  OPCOUNTER_GETMORE: operations('getmore'),
  OPCOUNTER_INSERT: operations('insert'),
  OPCOUNTER_QUERY: operations('query'),
  OPCOUNTER_UPDATE: operations('update'),
  QUERY_EXECUTOR_SCANNED: rate(({ examined }) => examined.keys),
  QUERY_EXECUTOR_SCANNED_OBJECTS: rate(({ examined }) => examined.documents),
  QUERY_TARGETING_SCANNED_PER_RETURNED: ratio(
    ({ examined }) => examined.keys,
    ({ documents }) => documents.returned,
  ),
  QUERY_TARGETING_SCANNED_OBJECTS_PER_RETURNED: ratio(
    ({ examined }) => examined.documents,
    ({ documents }) => documents.returned,
  ),
  NETWORK_BYTES_IN: rate(({ network }) => network.bytesIn),
  NETWORK_BYTES_OUT: rate(({ network }) => network.bytesOut),
  NETWORK_NUM_REQUESTS: rate(({ network }) => network.requests),
  AVG_COMMAND_EXECUTION_TIME: perMilli('commands'),
  AVG_READ_EXECUTION_TIME: perMilli('reads'),
  AVG_WRITE_EXECUTION_TIME: perMilli('writes'),
  MEMORY_RESIDENT: (now) => now.memory.resident,
  MEMORY_VIRTUAL: (now) => now.memory.virtual,
  OPLOG_MASTER_TIME: (now) => now.oplog.window * 1000,
  OPLOG_RATE_GB_PER_HOUR: (now) =>
    now.oplog.window > 0 ? (now.oplog.bytes / now.oplog.window) * 3600 : undefined,
};
