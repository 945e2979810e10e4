import type { FastifyReply } from 'fastify';
import type { Fault } from '../../runtime/faults.ts';
import { PLAIN_MEDIA_TYPE } from '../addresses.ts';
import type { Exchange } from '../exchange.ts';
import type { MountAnswer } from '../mounts.ts';
import type { Served } from '../routes/served.ts';
import { errorText } from './error.ts';
import { type Document, written } from './written.ts';

/** Texts are complete; without a serializer of its own a reply would add a charset to the content type. */
const asItIs = (text: unknown) => String(text);

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.serializer(asItIs).send(text);
}

export function sendDocument(
  reply: FastifyReply,
  exchange: Exchange,
  served: Served,
  document: Document | undefined,
): FastifyReply {
  const status = document === undefined ? 204 : (served.shape?.status ?? 200);
  reply.code(status).headers(exchange.headers).header('content-type', served.contentType);
  if (document === undefined) return reply.send();
  const self = status === 201 ? selfOf(document.value) : undefined;
  if (self !== undefined) reply.header('location', self);
  return sendText(reply, written(document, status, exchange.format));
}

/** Where the entity that was made can be got. */
function selfOf(entity: unknown): string | undefined {
  const { links } = entity as { links?: readonly { href: string; rel: string }[] };
  return links?.find(({ rel }) => rel === 'self')?.href;
}

export function sendMounted(reply: FastifyReply, exchange: Exchange, answer: MountAnswer): FastifyReply {
  const { status, headers, body, document } = answer;
  const isDocument = document !== undefined;
  reply.code(status).headers({ ...(isDocument ? { 'content-type': PLAIN_MEDIA_TYPE } : {}), ...headers });
  const text = isDocument ? written({ kind: 'whole', value: document }, status, exchange.format) : body;
  return text === '' ? reply.send() : sendText(reply, text);
}

export function sendFault(reply: FastifyReply, fault: Fault, exchange: Exchange | undefined): FastifyReply {
  reply
    .code(fault.status)
    .headers(exchange?.headers ?? {})
    .headers({ ...fault.headers, 'content-type': PLAIN_MEDIA_TYPE, 'x-error-code': fault.code });
  return sendText(reply, errorText(fault, exchange?.format ?? { envelope: false, pretty: false }));
}
