import type { Family } from '../family.ts';
import { changeClock, readClock } from './operations.ts';

export const family: Family = { name: 'clock', operations: [readClock, changeClock] };
