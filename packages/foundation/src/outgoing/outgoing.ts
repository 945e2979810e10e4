import type { Poster } from './guarded-post.ts';
import { guardedPoster } from './guarded-post.ts';

interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

interface TextMessage {
  readonly to: string;
  readonly text: string;
}

/** Sends messages to people and other services. */
export interface Outgoing {
  /** Posts to a URL that a caller chose. */
  readonly post: Poster;
  /**
   * Sends a message to each recipient. Returns the recipients that the server rejects. Throws if the server rejects all
   * recipients. Absent if no mail server is configured.
   */
  readonly mail?: (mail: Mail) => Promise<readonly string[]>;
  /** Sends a text message. Absent if no SMS gateway is configured. */
  readonly sms?: (message: TextMessage) => Promise<void>;
  /** Alternative base URLs of notification services, by kind of notification. */
  readonly bases: Readonly<Record<string, string>>;
}

export interface OutgoingSettings {
  readonly allowPrivate: boolean;
  /** The mail server, in the form `smtp://user:password@host:port?from=address`. */
  readonly smtpUrl?: string | undefined;
  /** The SMS gateway, in the form `https://user:password@host/path`. */
  readonly smsUrl?: string | undefined;
  readonly bases: Readonly<Record<string, string>>;
}

export function openOutgoing({ allowPrivate, smtpUrl, smsUrl, bases }: OutgoingSettings): Outgoing {
  return {
    post: guardedPoster({ allowPrivate }),
    bases,
    ...(smtpUrl === undefined ? {} : { mail: mailer(smtpUrl) }),
    ...(smsUrl === undefined ? {} : { sms: texter(smsUrl) }),
  };
}

const DEFAULT_SENDER = 'alerts@localhost';

/** Sends mail through an SMTP server. The first mail loads the library. */
function mailer(smtpUrl: string): NonNullable<Outgoing['mail']> {
  const url = new URL(smtpUrl);
  const from = url.searchParams.get('from') ?? DEFAULT_SENDER;
  url.searchParams.delete('from');
  return async ({ to, subject, text }) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      url: url.href,
      pool: true,
      maxConnections: 1,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 10_000,
    });
    const rejected: string[] = [];
    try {
      // One message per recipient, so that recipients do not see each other.
      for (const recipient of to) {
        await transport.sendMail({ from, to: recipient, subject, text }).catch((error: Error) => {
          if (!isRejection(error) || rejected.length + 1 === to.length) throw error;
          rejected.push(recipient);
        });
      }
    } finally {
      transport.close();
    }
    return rejected;
  };
}

/** True if the server permanently rejects the recipient, as opposed to the message or the connection. */
function isRejection(error: Error): boolean {
  const { command, responseCode } = error as { readonly command?: string; readonly responseCode?: number };
  return command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500;
}

/** Posts `{to, text}` to the SMS gateway. The operator configures its URL, so it may have a private address. */
function texter(smsUrl: string): NonNullable<Outgoing['sms']> {
  const post = guardedPoster({ allowPrivate: true });
  const url = new URL(smsUrl);
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  const headers = { 'content-type': 'application/json', ...(url.username === '' ? {} : { authorization }) };
  url.username = '';
  url.password = '';
  return async (message) => {
    const { status } = await post({ url: url.href, headers, body: JSON.stringify(message) });
    if (status < 200 || status > 299) throw new Error(`the gateway answered ${status}`);
  };
}
