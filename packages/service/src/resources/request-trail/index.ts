import { type Family, operationsIn } from '../family.ts';
import * as operations from './operations.ts';

export { requestFields } from './schema.ts';

export const family: Family = { name: 'request-trail', operations: operationsIn(operations) };
