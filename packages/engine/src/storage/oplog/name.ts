/** Where the oplog stands. In a file of its own: threads that only copy files need no query language for it. */
export const OPLOG = { database: 'local', name: 'oplog.rs' } as const;
