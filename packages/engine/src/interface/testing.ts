import type { MemberSample } from './engine.ts';

/** Returns a sample of a member that has done nothing. */
export function idleSample(time: number, change: Partial<MemberSample> = {}): MemberSample {
  const nothing = { ops: 0, micros: 0 };
  return {
    ...{ time, taken: time },
    operations: { insert: 0, query: 0, update: 0, delete: 0, getmore: 0, command: 0 },
    documents: { returned: 0, inserted: 0, updated: 0, deleted: 0 },
    examined: { keys: 0, documents: 0 },
    sorts: { statements: 0, spilled: 0 },
    latency: { reads: nothing, writes: nothing, commands: nothing },
    processor: { user: 0, kernel: 0 },
    asserts: { regular: 0, user: 0 },
    interrupted: 0,
    queued: { readers: 0, writers: 0 },
    connections: { current: 0, totalCreated: 0 },
    network: { bytesIn: 0, bytesOut: 0, requests: 0 },
    cursors: { open: 0, timedOut: 0 },
    expired: 0,
    sizes: { data: 0, storage: 0, index: 0, objects: 0, collections: 0, indexes: 0, views: 0 },
    memory: { resident: 0, virtual: 0 },
    machine: {
      ...{ processors: 2, processor: null, swap: null, network: null, disk: null, pageFaults: 0 },
      memory: { total: 0, free: 0, available: 0 },
    },
    oplog: { bytes: 0, window: 0 },
    disk: { used: 0, free: 0, total: 0 },
    ...change,
  };
}
