/**
 * The namespace of the oplog, in a file without imports: threads that only copy files do not load the query language
 * for it.
 */
export const OPLOG = { database: 'local', name: 'oplog.rs' } as const;
