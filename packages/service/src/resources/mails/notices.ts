import { safeName } from './mail-text.ts';

/** The subject and the body of a notice, which is a mail without a link or another secret. */
export interface NoticeText {
  readonly subject: string;
  readonly text: string;
}

/** Warns the owners of an organization that a secret of a service account expires soon, or has expired. */
export function expiringSecretNotice(secret: {
  readonly hasExpired: boolean;
  readonly masked: string;
  readonly expires: Date;
  readonly account: { readonly clientId: string; readonly name: string };
  readonly organization: string;
}): NoticeText {
  const { hasExpired, masked, expires, account, organization } = secret;
  const [title, verb] = hasExpired
    ? ['A secret of a service account has expired', 'expired']
    : ['A secret of a service account expires soon', 'expires'];
  const text = [
    `The secret ${masked} of the service account ${account.name} (${account.clientId}) ${verb} at ${expires.toUTCString()}.`,
    `Organization: ${safeName(organization)}`,
    'The account has no secret that is valid longer. Add a secret, use it in your programs, and delete the old one.',
  ];
  return { subject: `${title}: ${account.name}`, text: text.join('\n\n') };
}

/** Tells the owners of a project that the receiver of a notification rejects a secret. */
export function rejectedSecretNotice(rejected: {
  /** The type of the notification, such as `SLACK`. */
  readonly typeName: string;
  /** The field with the secret. */
  readonly field: string;
  readonly project: string;
  readonly configuration: { readonly id: string; readonly eventType: string };
}): NoticeText {
  const { typeName, field, configuration } = rejected;
  const project = safeName(rejected.project);
  const text = [
    `${typeName} rejects the ${field} of a notification. The service has removed the ${field}.`,
    `Project: ${project}`,
    `Alert configuration: ${configuration.id} (${configuration.eventType})`,
    `Set a new ${field}. Until then, the service cannot send these notifications.`,
  ];
  return {
    subject: `${typeName} rejects the ${field} of a notification: ${project}`,
    text: text.join('\n\n'),
  };
}
