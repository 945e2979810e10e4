import { comparePart } from './testing.ts';

comparePart('expressions');
