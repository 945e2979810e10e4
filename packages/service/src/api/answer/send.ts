import type { Readable } from 'node:stream';
import type { Fault } from '@portolan/foundation/faults';
import type { FastifyReply } from 'fastify';
import { PLAIN_MEDIA_TYPE } from '../addresses.ts';
import { faultIn } from '../dialect/fault-words.ts';
import type { Exchange } from '../exchange.ts';
import type { MountAnswer } from '../mounts.ts';
import type { OperationVersion } from '../routes/operation-version.ts';
import { errorText } from './error.ts';
import { written } from './written.ts';

/** Without its own serializer, Fastify would add a charset to the content type. */
const asItIs = (text: unknown) => String(text);

function sendText(reply: FastifyReply, text: string | Buffer): FastifyReply {
  return reply.serializer(asItIs).send(text);
}

/** A successful response. */
export interface Answer {
  readonly status: number;
  /** Undefined for a response without a body. */
  readonly text: string | Buffer | undefined;
  readonly location?: string | undefined;
  /** Instead of a text. */
  readonly stream?: Readable;
}

export function sendAnswer(
  reply: FastifyReply,
  exchange: Exchange,
  served: OperationVersion,
  { status, text, location, stream }: Answer,
): FastifyReply {
  reply.code(status).headers(exchange.headers).header('content-type', served.contentType);
  if (stream !== undefined) return sendStream(reply, exchange, stream);
  if (text === undefined) return reply.send();
  if (location !== undefined) reply.header('location', location);
  return sendText(reply, text);
}

/** Fastify would read the stream to its end for HEAD. */
function sendStream(reply: FastifyReply, { method }: Exchange, stream: Readable): FastifyReply {
  if (method !== 'HEAD') return reply.send(stream);
  stream.destroy();
  return reply.send();
}

export function sendMounted(reply: FastifyReply, exchange: Exchange, answer: MountAnswer): FastifyReply {
  const { status, headers, body, document, stream } = answer;
  const isDocument = document !== undefined;
  reply.code(status).headers({ ...(isDocument ? { 'content-type': PLAIN_MEDIA_TYPE } : {}), ...headers });
  if (stream !== undefined) return reply.send(stream);
  const text = isDocument ? written({ kind: 'whole', value: document }, status, exchange.format) : body;
  return text === '' ? reply.send() : sendText(reply, text);
}

export function sendFault(reply: FastifyReply, thrown: Fault, exchange: Exchange | undefined): FastifyReply {
  const fault = faultIn(thrown, exchange?.surface?.dialect.changes);
  reply
    .code(fault.status)
    .headers(exchange?.headers ?? {})
    .headers({ ...fault.headers, 'content-type': PLAIN_MEDIA_TYPE, 'x-error-code': fault.code });
  return sendText(reply, errorText(fault, exchange?.format ?? { envelope: false, pretty: false }));
}
