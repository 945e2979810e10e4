import Type from 'typebox';
import { ruled } from '../../api/fields.ts';

const CHARACTERS = "\\p{L}\\p{N}\\-_.(),:&@+'";

/**
 * The names of organizations, projects and teams. The published pattern allows no spaces, but the vendor's service
 * accepts names with spaces, and clients send them.
 */
const NAME_PATTERN = `^[${CHARACTERS}]([${CHARACTERS} ]{0,62}[${CHARACTERS}])?$`;
const form = new RegExp(NAME_PATTERN, 'u');

export function isName(name: string): boolean {
  return form.test(name);
}

/** This schema has no pattern, since organizations, projects and teams have separate codes for an invalid name. */
export const Name = ruled(
  Type.String({ description: "Name of 1 to 64 characters: letters, digits, spaces and `-_.(),:&@+'`." }),
  { pattern: NAME_PATTERN, minLength: 1, maxLength: 64 },
);
