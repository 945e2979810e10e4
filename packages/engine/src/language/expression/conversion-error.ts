import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { typeOf } from './operator.ts';

/** A failed conversion, which `onError` catches. */
export class ConversionError extends ServerError {
  constructor(message: string) {
    super('ConversionFailure', message);
  }
}

export function unsupported(value: Value, to: string): ConversionError {
  return new ConversionError(
    `Unsupported conversion from ${typeOf(value)} to ${to} in $convert with no onError value`,
  );
}
