import type { Document } from 'bson';

/** A statement that processes many values of one document, or long arguments. */
export interface HostileStatement {
  /** The documents of the collection `c`. */
  readonly documents: readonly Document[];
  /** Commands that run before the statement, such as the creation of an index. */
  readonly before?: readonly Document[];
  /** The search index of the collection, which is built before the statement. */
  readonly searchIndex?: Document;
  readonly command: Document;
}

export const numbers = (size: number) => Array.from({ length: size }, (_, i) => i);
export const texts = (size: number) => Array.from({ length: size }, (_, i) => `t${i}`);
export const fields = (size: number, make: (i: number) => unknown = (i) => i) =>
  Object.fromEntries(numbers(size).map((i) => [`f${i}`, make(i)]));
export const ring = (corners: number) =>
  [...numbers(corners), 0].map((i) => {
    const angle = (i / corners) * 2 * Math.PI;
    return [10 * Math.cos(angle), 10 * Math.sin(angle)];
  });

export type Make = (size: number) => HostileStatement;

export const withArray =
  (command: (size: number) => Document): Make =>
  (size) => ({ documents: [{ _id: 0, a: numbers(size), n: 1 }], command: command(size) });
export const withFields =
  (command: (size: number) => Document): Make =>
  (size) => ({ documents: [{ _id: 0, ...fields(size) }], command: command(size) });
export const withText =
  (text: string, command: (size: number) => Document): Make =>
  (size) => ({
    documents: [{ _id: 0, t: text.repeat(Math.ceil((size * 10) / text.length)) }],
    command: command(size),
  });

export const aggregate = (...pipeline: Document[]) => ({ aggregate: 'c', pipeline, cursor: {} });
export const update = (u: Document | Document[], more: Document = {}) => ({
  update: 'c',
  updates: [{ q: {}, u, ...more }],
});
export const find = (filter: Document, more: Document = {}) => ({ find: 'c', filter, ...more });
export const findFields = (size: number) => find({ [`f${size - 1}`]: { $gte: 0 } });
/** Returns a command that evaluates an expression and replies with its value. */
export const value = (n: unknown) => aggregate({ $project: { n } });
export const evaluated = (expressions: Readonly<Record<string, unknown>>, of: (e: unknown) => Make) =>
  Object.fromEntries(Object.entries(expressions).map(([name, e]) => [`expression ${name}`, of(e)]));
export const inArray = (e: unknown) => withArray(() => value(e));
export const inText = (e: unknown) => withText('aé ', () => value(e));
export const inFields = (e: unknown) => withFields(() => value(e));
