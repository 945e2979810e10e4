import type { Bytes, CallClient, CallForm, CallTable } from '../interface/call.ts';
import { readableOf, type Transfer } from './transfer.ts';

/** Sends calls to an engine host. A call is identified by its name. */
export interface CallTransport {
  call(call: string, args: readonly unknown[]): Promise<unknown>;
  transfer(call: string, args: readonly unknown[]): Promise<Transfer>;
}

/**
 * Creates a client that has one function for each call of the table. The function sends the call over the transport.
 */
export function clientOf<T extends CallTable>(table: T, transport: CallTransport): CallClient<T> {
  const functions = Object.entries(table).map(([name, { form }]) => [
    name,
    functionFor(name, form, transport),
  ]);
  return Object.fromEntries(functions);
}

function functionFor(name: string, form: CallForm, transport: CallTransport) {
  if (form === 'download') return (...args: unknown[]) => readableOf(() => transport.transfer(name, args));
  if (form === 'upload') {
    return async (...args: unknown[]) => {
      const signal = args.at(-1) instanceof AbortSignal ? (args.pop() as AbortSignal) : undefined;
      const bytes = args.pop() as Bytes;
      const transfer = await transport.transfer(name, args);
      return transfer.upload(bytes, signal);
    };
  }
  return (...args: unknown[]) => transport.call(name, args);
}
