import { type Family, operationsIn } from '../family.ts';
import * as operations from './operations.ts';

export const family: Family = { name: 'tasks', operations: operationsIn(operations) };
