import { comparePart } from './testing.ts';

comparePart('language');
