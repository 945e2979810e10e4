import { ServerError } from '../../../errors/server-error.ts';
import type { CreateArguments } from './arguments.ts';

const MAX_CAPPED_BYTES = 2 ** 50;
const MAX_DOCUMENTS = 2 ** 31;

export function checkCapped({ capped = false, size, max }: CreateArguments): void {
  if (capped && size === undefined) {
    throw invalid("the 'size' field is required when 'capped' is true");
  }
  if (!capped && (size ?? max) !== undefined) {
    throw invalid("the 'capped' field needs to be true when either the 'size' or 'max' fields are present");
  }
}

/** Validates the size of a capped collection. Returns it without rounding it, like servers from version 6.2 on. */
export function cappedSize(size: number): number {
  if (size > MAX_CAPPED_BYTES) throw new ServerError('BadValue', 'Capped collection size cannot exceed 1 PB');
  return size;
}

/** Validates the maximum number of documents. Returns undefined for a value that sets no limit, such as 0. */
export function cappedMax(max: number): number | undefined {
  if (max >= MAX_DOCUMENTS) {
    throw new ServerError('BadValue', 'max in a capped collection has to be < 2^31 or not set');
  }
  return max > 0 ? max : undefined;
}

function invalid(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}
