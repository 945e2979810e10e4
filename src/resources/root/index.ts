import type { Family } from '../family.ts';
import { getSystemStatus } from './operations.ts';

export const family: Family = { name: 'root', operations: [getSystemStatus] };
