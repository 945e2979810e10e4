import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import type { Service } from './service.ts';

/** A message in a stream of server-sent events. */
export interface StreamMessage {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

/** An open stream: status, headers, and a function that returns its messages one by one. */
export interface EventStream {
  readonly response: IncomingMessage;
  /** Resolves with the next message that has data; undefined at the end of the stream. */
  next(): Promise<StreamMessage | undefined>;
  close(): void;
}

export interface Reading {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Opens a stream. Resolves when its response has begun. */
export async function openStream(service: Service, { path, headers }: Reading): Promise<EventStream> {
  const { bootstrap, authority } = service;
  const outgoing = request(`${bootstrap.url}${path}`, {
    agent: false,
    headers: { accept: 'text/event-stream', ...headers },
    ...(authority === undefined ? {} : { ca: authority }),
    servername: '',
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject).end();
  });
  outgoing.on('error', () => {});
  const messages = messagesOf(response);
  if (response.statusCode === 200) await messages.next();
  return {
    response,
    next: async () => {
      for (;;) {
        const { value, done } = await messages.next();
        if (done) return undefined;
        if (value.data !== undefined) return value;
      }
    },
    close: () => outgoing.destroy(),
  };
}

async function* messagesOf(response: IncomingMessage): AsyncGenerator<StreamMessage> {
  let message: Record<string, string> = {};
  for await (const line of createInterface({ input: response })) {
    const [, name = '', value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? [];
    if (line !== '') message[name] = value;
    else {
      yield message;
      message = {};
    }
  }
}
