import { SearchDefinitionError } from './error.ts';
import type { Reader } from './reading.ts';

const allowed = [1, 2, 4];

export function numPartitions(reader: Reader): number {
  const number = reader.optionalWhole('numPartitions') ?? 1;
  if (allowed.includes(number)) return number;
  const path = reader.at('numPartitions');
  throw new SearchDefinitionError(path, `must be one of [${allowed.join(', ')}]`);
}
