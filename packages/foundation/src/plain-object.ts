/**
 * An object whose fields are not validated: a parsed body, a document of a database, or details of an error or log
 * line. Code that reads a field must validate it.
 */
export type PlainObject = Readonly<Record<string, unknown>>;
