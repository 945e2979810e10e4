import type { Outgoing } from '@portolan/foundation/outgoing/outgoing';
import type { Notification } from '../notifications/kinds.ts';
import type { StoredNotification } from '../notifications/read.ts';
import { credentialOf, maskedSecret } from '../notifications/secrets.ts';
import type { Message } from './message.ts';
import type { Delivery } from './outcome.ts';
import { baseOf, products } from './products.ts';
import type { Recipients } from './recipients.ts';

/** The length of a text message in characters. */
const MAX_SMS_LENGTH = 160;

/** Delivers a notification. Never rejects. */
export async function deliver(
  outgoing: Outgoing,
  message: Message,
  notification: StoredNotification,
  secrets: Readonly<Record<string, string>>,
  reached: Recipients,
  signal: AbortSignal,
): Promise<Delivery> {
  const open: Notification = { ...notification, ...secrets };
  const product = products[notification.typeName];
  if (product === undefined) return deliverToMembers(outgoing, message, reached);
  const absent = credentialOf(notification.typeName);
  if (absent !== undefined && open[absent] === undefined) {
    const problem = `the notification has no ${absent}`;
    const content = { to: [], subject: message.subject, body: message.text };
    return { ...content, outcome: 'FAILED', problem, isPermanent: true };
  }
  const post = product.request(
    message,
    open,
    baseOf(product, notification, outgoing.bases[notification.typeName]),
  );
  const hidden = maskerOf(secrets);
  const sent = { to: [hidden(post.url)], subject: message.subject, body: hidden(post.body) };
  try {
    const { status, text } = await outgoing.post(post, signal);
    const refused =
      status < 200 || status > 299 ? `the response has status ${status}` : product.refusal?.(text);
    if (refused !== undefined) {
      const isRejected = product.rejects?.(status, text) === true;
      return { ...sent, outcome: 'FAILED', problem: hidden(refused), ...(isRejected && { isRejected }) };
    }
    return { ...sent, outcome: 'SENT' };
  } catch (error) {
    return { ...sent, outcome: 'FAILED', problem: hidden((error as Error).message) };
  }
}

/**
 * Returns a function that replaces secrets in a text by their masks. It also finds secrets that are URL-encoded or
 * escaped in JSON.
 */
function maskerOf(secrets: Readonly<Record<string, string>>): (text: string) => string {
  const hidden = Object.values(secrets).flatMap((secret) => {
    const mask = maskedSecret(URL.canParse(secret) ? 'address' : 'text', secret);
    const forms = new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
    return [...forms].map((form) => ({ form, mask }));
  });
  // Pass a function, since `$&` in a replacement string would insert the secret.
  return (text) => hidden.reduce((shown, { form, mask }) => shown.replaceAll(form, () => mask), text);
}

async function deliverToMembers(
  outgoing: Outgoing,
  message: Message,
  { emails, numbers }: Recipients,
): Promise<Delivery> {
  const to = [...emails, ...numbers];
  const content = { to, subject: message.subject, body: message.text };
  const { mail, sms } = outgoing;
  if (to.length === 0) return { ...content, outcome: 'KEPT', problem: 'there are no recipients' };
  const problems: string[] = [];
  const attempt = <T>(delivery: Promise<T>) =>
    delivery.catch((error: Error) => void problems.push(error.message));
  const rejected =
    mail && emails.length > 0
      ? await attempt(mail({ to: emails, subject: message.subject, text: message.text }))
      : undefined;
  const short = message.subject.slice(0, MAX_SMS_LENGTH);
  if (sms) await Promise.all(numbers.map((number) => attempt(sms({ to: number, text: short }))));
  if (problems.length > 0) return { ...content, outcome: 'FAILED', problem: problems.join('; ') };
  const hasChannel = (mail && emails.length > 0) || (sms && numbers.length > 0);
  if (!hasChannel) return { ...content, outcome: 'KEPT' };
  if (!rejected?.length) return { ...content, outcome: 'SENT' };
  const problem = `the mail server rejects ${rejected.length} of ${emails.length} recipients`;
  return { ...content, outcome: 'SENT', problem };
}
