import type { OperatorTable } from '../operator.ts';
import { autocompleteOperators } from './autocomplete.ts';
import { compoundOperators } from './compound.ts';
import { embeddedOperators } from './embedded.ts';
import { exactOperators } from './exact.ts';
import { geoOperators } from './geo.ts';
import { moreLikeThisOperators } from './more-like-this.ts';
import { nearOperators } from './near.ts';
import { patternOperators } from './patterns.ts';
import { phraseOperators } from './phrase.ts';
import { queryStringOperators } from './query-string.ts';
import { rangeOperators } from './range.ts';
import { spanOperators } from './span.ts';
import { textOperators } from './text.ts';
import { vectorOperators } from './vector.ts';

export const operators: OperatorTable = {
  ...textOperators,
  ...phraseOperators,
  ...patternOperators,
  ...autocompleteOperators,
  ...queryStringOperators,
  ...moreLikeThisOperators,
  ...spanOperators,
  ...compoundOperators,
  ...exactOperators,
  ...rangeOperators,
  ...nearOperators,
  ...geoOperators,
  ...embeddedOperators,
  ...vectorOperators,
};
