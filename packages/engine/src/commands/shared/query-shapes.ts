import type { QueryShape } from '../context/query-shape.ts';

const shapes = {
  find: { shaped: ['filter', 'projection', 'let'], literal: ['sort', 'collation'] },
  aggregate: { shaped: ['let'], literal: ['collation'] },
  distinct: { shaped: ['query'], literal: ['key', 'collation'] },
};

/** The arguments that form the query shape, for each command to which query settings can apply. A hint is not one. */
export const queryShapes: ReadonlyMap<string, QueryShape> = new Map(Object.entries(shapes));
