import { nested, type Shape } from '../subject.ts';
import { bsonOf, UUID } from '../values.ts';

/** Arguments that every command accepts. */

interface GenericTemplate {
  readonly of: string;
  readonly base: Shape;
  readonly fields: Shape;
}

const ofReads = [
  { maxTimeMS: 1 },
  { comment: 1 },
  { readConcern: nested({ level: 'local' }) },
  { readConcern: nested({ provenance: 'clientSupplied', afterOpTime: {} }) },
  { readConcern: nested({ level: 'majority', afterClusterTime: bsonOf(1) }) },
  { readConcern: nested({ level: 'snapshot', atClusterTime: bsonOf(1) }) },
  { $readPreference: nested({ mode: 'secondary', tags: [], maxStalenessSeconds: 90, hedge: {} }) },
  { lsid: nested({ id: UUID }) },
  { apiVersion: '1', apiStrict: false, apiDeprecationErrors: false },
  { rawData: false },
].map((fields) => ({ of: 'commands that read', base: { find: 'probe' }, fields }));

const session = { lsid: { id: UUID } };

const ofWrites = [
  { writeConcern: nested({ w: 1, wtimeout: 1, j: true }) },
  { writeConcern: nested({ fsync: false, provenance: 'clientSupplied' }) },
].map((fields) => ({ of: 'commands that write', base: { insert: 'written', documents: [{}] }, fields }));

const inSessions = [
  { txnNumber: 1n },
  { txnNumber: 2n, autocommit: false, startTransaction: true },
  { txnNumber: 3n, stmtId: 1 },
].map((fields) => ({
  of: 'commands in sessions',
  base: { insert: 'inTransactions', documents: [{}], ...session },
  fields,
}));

export const genericTemplates: readonly GenericTemplate[] = [...ofReads, ...ofWrites, ...inSessions];
