/**
 * The namespace of the oplog. The file has no imports, so that threads that only copy files do not load the query
 * language.
 */
export const OPLOG = { database: 'local', name: 'oplog.rs' } as const;
