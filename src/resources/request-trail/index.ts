import type { Family } from '../family.ts';
import { listRequests } from './operations.ts';

export const family: Family = { name: 'request-trail', operations: [listRequests] };
