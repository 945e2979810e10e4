import { errorMessage } from '@portolan/foundation/thrown';
import { type Channel, ChannelCut } from '../control/channel.ts';
import type { ControlRequest } from '../control/protocol.ts';
import type { Bytes, CallForm, CallHandlers, CallTable } from '../interface/call.ts';

/** True if the request sends or receives a byte stream. */
export function isTransfer(table: CallTable, { call }: ControlRequest): boolean {
  const form = formOf(table, call);
  return form === 'download' || form === 'list' || form === 'upload';
}

/** Runs a call and sends its result, or the error if it fails. Never rejects. */
export async function doCall<T extends CallTable>(
  channel: Channel,
  table: T,
  calls: CallHandlers<T>,
  { id, call, args }: ControlRequest,
): Promise<void> {
  try {
    const form = formOf(table, call);
    if (form === undefined) throw new Error(`the engine host has no call ${call}`);
    const inBson = form === 'document' || form === 'bson';
    const result = await functionOf(calls, call)(...(inBson ? withDocument(args) : plain(args)));
    channel.writeLine({ id, result: inBson ? base64(result) : (result ?? null) });
  } catch (error) {
    channel.writeLine({ id, error: errorMessage(error) });
  }
}

/** Sends or receives the bytes of a call, sends the reply and closes the connection. */
export async function transfer<T extends CallTable>(
  channel: Channel,
  table: T,
  calls: CallHandlers<T>,
  request: ControlRequest,
): Promise<void> {
  const { id, call } = request;
  const gone = new AbortController();
  void channel.closed.then(() => gone.abort());
  const args = plain(request.args);
  const run = functionOf(calls, call);
  try {
    if (formOf(table, call) === 'upload') {
      const result = await run(...args, channel.bytes(), gone.signal);
      channel.writeLine({ id, result: result ?? null });
    } else {
      // The client of a download sends nothing after the call. Thus this read ends only when the client disconnects.
      void channel
        .line()
        .catch(() => {})
        .then(() => channel.close());
      await send(channel, run(...args, gone.signal) as Bytes, id);
    }
  } catch (error) {
    if (error instanceof ChannelCut) return;
    channel.writeLine({ id, error: errorMessage(error) });
  } finally {
    gone.abort();
  }
  await channel.end();
}

/** Sends the bytes, and then the reply, which may be an error. */
async function send(channel: Channel, bytes: Bytes, id: number): Promise<void> {
  try {
    for await (const piece of bytes) await channel.writeBytes(piece);
  } catch (error) {
    if (!(error instanceof ChannelCut)) channel.endBytes();
    throw error;
  }
  channel.endBytes();
  channel.writeLine({ id, result: null });
}

function formOf(table: CallTable, call: string): CallForm | undefined {
  return Object.hasOwn(table, call) ? table[call]?.form : undefined;
}

function functionOf<T extends CallTable>(calls: CallHandlers<T>, call: string) {
  return calls[call] as (...args: unknown[]) => unknown;
}

/** Converts null to undefined. JSON transmits an omitted argument as null if other arguments follow it. */
function plain(args: readonly unknown[]): unknown[] {
  return args.map((value) => value ?? undefined);
}

function withDocument(args: readonly unknown[]): unknown[] {
  return [...plain(args.slice(0, -1)), Buffer.from(String(args.at(-1)), 'base64')];
}

function base64(document: unknown): string {
  return Buffer.from(document as Uint8Array).toString('base64');
}
