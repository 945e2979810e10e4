import type { SecretBox } from '@portolan/foundation/secret-box';
import type { Targets } from '../notifications/read.ts';
import type { Secrets } from '../notifications/secrets.ts';
import type { ConfigurationRow } from './rows.ts';

const sealContext = (configurationId: string) => `alert configuration ${configurationId}`;

/** Encrypts the secrets of a configuration's notifications. Returns undefined if there are none. */
export function sealSecrets(
  box: SecretBox,
  configurationId: string,
  secrets: Secrets,
): Uint8Array | undefined {
  const hasAny = Object.values(secrets).some((own) => Object.keys(own).length > 0);
  return hasAny ? box.seal(JSON.stringify(secrets), sealContext(configurationId)) : undefined;
}

/** Decrypts the stored secrets of a configuration. */
export function openSecrets(
  box: SecretBox,
  configurationId: string,
  sealed: Uint8Array | undefined,
): Secrets {
  return sealed ? (JSON.parse(box.open(sealed, sealContext(configurationId)).toString()) as Secrets) : {};
}

/** Returns the notifications of a configuration with their secrets. */
export function targetsOf({ id, document, secrets }: ConfigurationRow, box: SecretBox): Targets {
  return { notifications: document.notifications, secrets: openSecrets(box, id, secrets) };
}
