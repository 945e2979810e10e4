import type { QueryShape } from '../context/query-shape.ts';

const shapes = {
  find: { shaped: ['filter', 'projection', 'let'], literal: ['sort', 'collation'] },
  aggregate: { shaped: ['let'], literal: ['collation'] },
  distinct: { shaped: ['query'], literal: ['key', 'collation'] },
};

/** The arguments that form the shape of a query, by command. Query settings can apply only to these commands. */
export const queryShapes: ReadonlyMap<string, QueryShape> = new Map(Object.entries(shapes));
