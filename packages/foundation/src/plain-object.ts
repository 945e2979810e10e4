/**
 * An object whose fields nobody has checked: a parsed body, a document of a database, details of an error or a log
 * line. The reader of a field checks it.
 */
export type PlainObject = Readonly<Record<string, unknown>>;
