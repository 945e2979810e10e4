import { nested } from './field-builders.ts';

/** The options of the cursor that a command opens. */
export const cursorOptions = nested({ batchSize: 'count' });
