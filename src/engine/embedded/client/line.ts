import type { Asking, Bytes, CallForm, CallTable } from '../../call.ts';
import { readableOf, type Transfer } from './transfer.ts';

/** Sends calls to an engine host, by name. */
export interface Line {
  call(call: string, args: readonly unknown[]): Promise<unknown>;
  transfer(call: string, args: readonly unknown[]): Promise<Transfer>;
}

/** A function for every call of a table, which sends it over the line. */
export function clientOf<T extends CallTable>(table: T, line: Line): Asking<T> {
  const functions = Object.entries(table).map(([name, { form }]) => [name, functionFor(name, form, line)]);
  return Object.fromEntries(functions);
}

function functionFor(name: string, form: CallForm, line: Line) {
  if (form === 'download') return (...args: unknown[]) => readableOf(() => line.transfer(name, args));
  if (form === 'upload') {
    return async (...args: unknown[]) => {
      const transfer = await line.transfer(name, args.slice(0, -1));
      return transfer.upload(args.at(-1) as Bytes);
    };
  }
  return (...args: unknown[]) => line.call(name, args);
}
