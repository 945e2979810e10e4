import type { Dialect } from '../api/dialect/dialect.ts';
import { atlasDialect } from './atlas/index.ts';

/** The forms of the API that are served besides the neutral one. */
export const dialects: readonly Dialect[] = [atlasDialect];
