import type { QueryShape } from '../context/query-shape.ts';

const shapes = {
  find: { shaped: ['filter', 'projection', 'let'], literal: ['sort', 'collation'] },
  aggregate: { shaped: ['let'], literal: ['collation'] },
  distinct: { shaped: ['query'], literal: ['key', 'collation'] },
};

/** The shapes of the commands to which query settings can apply. A hint is not part of a shape. */
export const queryShapes: ReadonlyMap<string, QueryShape> = new Map(Object.entries(shapes));
