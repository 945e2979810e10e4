import { mask } from '../../../api/schema/mask.ts';
import type { NotificationKind } from './kinds.ts';

/** Secrets in clear, by notifier and field. They are stored sealed, and leave the service towards their target alone. */
export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** How a secret is shown: `********cret`, or `https://host/****cret` of an address. */
export function maskedSecret(form: 'text' | 'address', secret: string): string {
  if (form === 'text' || !URL.canParse(secret)) return mask('secret', secret);
  return `${new URL(secret).origin}/****${secret.slice(-4)}`;
}

/** Whether a caller sent back what it was shown in the place of this secret: a mask that was edited is none. */
export function isMaskOf(form: 'text' | 'address', secret: string, text: string): boolean {
  return text === maskedSecret(form, secret);
}

/** The secret fields of a kind with how each is shown. */
export function secretFields({ secrets = {} }: NotificationKind): [name: string, form: 'text' | 'address'][] {
  return Object.entries(secrets);
}
