import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { Scope } from './service.ts';

/** A request that a receiver got. */
interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

export interface HttpReceiver {
  readonly url: string;
  readonly received: Received[];
  /** Sets the status of all later responses. */
  answer(status: number): void;
  /** Sets a function that runs before each later response. */
  first(action: (body: Record<string, unknown>) => Promise<void>): void;
}

/** Starts a webhook receiver. It accepts JSON, and responds with success in the form that some services expect. */
export async function httpReceiver(scope: Scope): Promise<HttpReceiver> {
  const received: Received[] = [];
  let status = 200;
  let before = async (_: Record<string, unknown>) => {};
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Record<string, unknown>;
    received.push({ path: request.url ?? '', headers: request.headers, body });
    await before(body);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (next) => {
      status = next;
    },
    first: (action) => {
      before = action;
    },
  };
}

export interface MailReceiver {
  readonly url: string;
  readonly received: { readonly to: readonly string[]; readonly text: string }[];
}

/** Starts a mail server that stores all mails, except those to rejected recipients. */
export async function mailReceiver(
  scope: Scope,
  { rejected = [] }: { readonly rejected?: readonly string[] } = {},
): Promise<MailReceiver> {
  const received: { to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _, done) {
      if (!rejected.includes(address)) return done();
      done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
    },
    onData(stream, session, done) {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (part: string) => {
        text += part;
      });
      stream.on('end', () => {
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  scope.after(() => new Promise<void>((done) => server.close(() => done())));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}?from=harbour@example.org`, received };
}
