import type { SecretBox } from '@portolan/foundation/secret-box';
import { system } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { mailNotice, rejectedSecretNotice } from '../../mails/index.ts';
import { findProject, recordInProject } from '../../projects/index.ts';
import { type ConfigurationRow, findConfiguration, updateConfiguration } from '../configurations/rows.ts';
import { openSecrets, sealSecrets } from '../configurations/secrets.ts';
import { recipientsOf } from '../delivery/recipients.ts';
import { openIntegration, sealIntegration } from '../integrations/changes.ts';
import { type IntegrationRow, integrationsOf, updateIntegration } from '../integrations/rows.ts';
import type { StoredNotification } from '../notifications/read.ts';
import { credentialOf, type Secrets } from '../notifications/secrets.ts';

/**
 * Returns the integration whose credentials a notification uses. A webhook without a secret uses the project's webhook
 * integration.
 */
export async function integrationOf(
  tx: ReadTx,
  groupId: string,
  { integrationId, typeName, webhookSecret }: StoredNotification,
): Promise<IntegrationRow | undefined> {
  const isSigned = typeName !== 'WEBHOOK' || webhookSecret !== undefined;
  if (integrationId === undefined && isSigned) return undefined;
  return (await integrationsOf(tx, groupId)).find(({ id, type }) =>
    integrationId === undefined ? type === typeName : id === integrationId,
  );
}

/** Returns the secrets of a notification and of the integration that it uses. */
export function allSecrets(
  box: SecretBox,
  { notifierId }: StoredNotification,
  secrets: Secrets,
  integration: IntegrationRow | undefined,
): Readonly<Record<string, string>> {
  return { ...(integration && openIntegration(box, integration)), ...secrets[notifierId] };
}

/**
 * Returns a text that identifies secrets without revealing them. It becomes part of a task's result, which is stored.
 */
export function markOf(box: SecretBox, secrets: Readonly<Record<string, string>>): string {
  return box.sign(JSON.stringify(Object.entries(secrets).sort()), 'rejected secrets');
}

/**
 * Removes a secret that the receiver of a notification does not accept, and mails the owners of the project
 * (docs/contract/access.md 8.7). Does nothing if the secret has been replaced in the meantime.
 */
export async function removeRejected(
  tx: Tx,
  box: SecretBox,
  of: { groupId: string; configurationId: string; notifierId: string; rejected: string },
): Promise<void> {
  const { groupId, configurationId, notifierId } = of;
  const configuration = await findConfiguration(tx, groupId, configurationId);
  const notification = configuration?.document.notifications.find((each) => each.notifierId === notifierId);
  if (!configuration || !notification) return;
  const integration = await integrationOf(tx, groupId, notification);
  const secrets = openSecrets(box, configurationId, configuration.secrets);
  if (markOf(box, allSecrets(box, notification, secrets, integration)) !== of.rejected) return;
  const field = credentialOf(notification.typeName);
  if (field === undefined) return;
  const reason = `${notification.typeName} rejects ${field}`;
  if (secrets[notifierId]?.[field] !== undefined) {
    await updateConfiguration(tx, withoutSecret(tx, box, configuration, secrets, { notifierId, field }));
    const details = { alertConfigId: configurationId, reason };
    await recordInProject(tx, groupId, { type: 'ALERT_CONFIG_CHANGED_AUDIT', actor: system, details });
  } else if (integration) {
    const { [field]: _, ...kept } = openIntegration(box, integration);
    const { [field]: _shown, ...document } = integration.document;
    await updateIntegration(tx, {
      ...integration,
      document,
      secrets: sealIntegration(box, integration, kept),
    });
    await recordInProject(tx, groupId, {
      type: 'INTEGRATION_CONFIGURED',
      actor: system,
      details: { reason },
    });
  }
  await mailOwners(tx, configuration, notification, field);
}

function withoutSecret(
  { now }: Tx,
  box: SecretBox,
  { document, ...row }: ConfigurationRow,
  secrets: Secrets,
  { notifierId, field }: { readonly notifierId: string; readonly field: string },
): ConfigurationRow {
  const { [field]: _, ...own } = secrets[notifierId] ?? {};
  const notifications = document.notifications.map((each) => {
    if (each.notifierId !== notifierId) return each;
    const { [field]: _shown, ...others } = each;
    return others as StoredNotification;
  });
  const sealed = sealSecrets(box, row.id, { ...secrets, [notifierId]: own });
  return { ...row, updated: now, document: { ...document, notifications }, secrets: sealed };
}

async function mailOwners(
  tx: Tx,
  { id, groupId, eventType }: ConfigurationRow,
  { typeName }: StoredNotification,
  field: string,
): Promise<void> {
  const owners = { typeName: 'GROUP', emailEnabled: true, roles: ['GROUP_OWNER'] } as const;
  const { emails } = await recipientsOf(tx, groupId, owners);
  const project = (await findProject(tx, groupId))?.name ?? '';
  const notice = rejectedSecretNotice({ typeName, field, project, configuration: { id, eventType } });
  await mailNotice(tx, { subjectId: id, to: emails, ...notice });
}
