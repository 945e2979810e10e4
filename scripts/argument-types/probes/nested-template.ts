import { nested, type Shape } from '../subject.ts';

/** A command with documents whose fields are tested as arguments. */
export interface NestedTemplate {
  readonly of: string;
  readonly command: Shape;
  readonly after?: readonly Shape[];
}

export const collation = nested({
  locale: 'en',
  caseLevel: false,
  caseFirst: 'off',
  strength: 3,
  numericOrdering: false,
  alternate: 'non-ignorable',
  maxVariable: 'punct',
  normalization: false,
  backwards: false,
  version: '57.1',
});
