import { comparePart } from './testing.ts';

comparePart('commands');
