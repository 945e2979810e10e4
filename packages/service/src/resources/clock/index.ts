import { type Family, operationsIn } from '../family.ts';
import * as operations from './operations.ts';

export const family: Family = { name: 'clock', operations: operationsIn(operations) };
