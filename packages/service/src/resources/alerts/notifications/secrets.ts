import { mask } from '../../../api/schema/mask.ts';
import { type NotificationKind, type NotificationName, notificationKinds } from './kinds.ts';

/**
 * Secrets in clear text, by notifier and field. They are stored encrypted, and sent only to the service that
 * requires them.
 */
export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Masks a secret: `********cret` for a text, `https://host/****cret` for an address. */
export function maskedSecret(form: 'text' | 'address', secret: string): string {
  if (form === 'text' || !URL.canParse(secret)) return mask('secret', secret);
  return `${new URL(secret).origin}/****${secret.slice(-4)}`;
}

/** Whether a caller sent back the exact mask of a secret. */
export function isMaskOf(form: 'text' | 'address', secret: string, text: string): boolean {
  return text === maskedSecret(form, secret);
}

/** Returns the secret fields of a kind with their masks. */
export function secretFields({ secrets = {} }: NotificationKind): [name: string, form: 'text' | 'address'][] {
  return Object.entries(secrets);
}

/** Returns the field with the secret that a kind of notification requires; undefined if the kind requires none. */
export function credentialOf(name: NotificationName): string | undefined {
  const { required, secrets = {} } = notificationKinds[name];
  return required.find((field) => Object.hasOwn(secrets, field));
}
