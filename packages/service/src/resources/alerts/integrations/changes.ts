import type { SecretBox } from '@portolan/foundation/secret-box';
import { generalFaults } from '../../../api/faults.ts';
import type { Actor } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { notificationFaults } from '../notifications/faults.ts';
import { secretsOf, shownSecrets } from '../notifications/read.ts';
import { missing } from '../notifications/rules.ts';
import { integrationFaults } from './faults.ts';
import { type IntegrationName, integrationKinds, integrationTypes } from './kinds.ts';
import {
  deleteIntegration,
  type IntegrationRow,
  insertIntegration,
  integrationsOf,
  isIntegrationUsed,
  updateIntegration,
} from './rows.ts';
import type { Integration } from './schema.ts';

/** Returns the integration type that a path names. Throws INVALID_PATH_PARAMETER. */
export function readType(name: string): IntegrationName {
  const type = integrationTypes.find((each) => each === name);
  if (type === undefined) throw generalFaults.INVALID_PATH_PARAMETER('integrationType');
  return type;
}

async function findIntegration(
  tx: ReadTx,
  groupId: string,
  type: IntegrationName,
): Promise<IntegrationRow | undefined> {
  return (await integrationsOf(tx, groupId)).find((row) => row.type === type);
}

/** Returns the integration of the type in the path. Throws INTEGRATION_NOT_CONFIGURED. */
export async function requireIntegration(
  tx: ReadTx,
  groupId: string,
  type: IntegrationName,
): Promise<IntegrationRow> {
  const row = await findIntegration(tx, groupId, type);
  if (!row) throw notificationFaults.INTEGRATION_NOT_CONFIGURED(type);
  return row;
}

/** The arguments of every change in addition to the transaction. */
interface ChangeContext {
  readonly actor: Actor;
  readonly secrets: SecretBox;
}

export async function addIntegration(
  tx: Tx,
  groupId: string,
  body: Integration,
  { actor, secrets }: ChangeContext,
): Promise<void> {
  if (await findIntegration(tx, groupId, body.type))
    throw integrationFaults.INTEGRATION_ALREADY_CONFIGURED(body.type);
  await insertIntegration(tx, readRow({ id: tx.id(), groupId }, body, {}, secrets));
  await recordInProject(tx, groupId, { type: 'INTEGRATION_CONFIGURED', actor });
}

/** Replaces an integration. Secrets that the body omits, or contains in masked form, stay unchanged. */
export async function replaceIntegration(
  tx: Tx,
  before: IntegrationRow,
  body: Integration,
  { actor, secrets }: ChangeContext,
): Promise<void> {
  await updateIntegration(tx, readRow(before, body, openIntegration(secrets, before), secrets));
  await recordInProject(tx, before.groupId, { type: 'INTEGRATION_CONFIGURED', actor });
}

export async function removeIntegration(tx: Tx, row: IntegrationRow, actor: Actor): Promise<void> {
  if (await isIntegrationUsed(tx, row))
    throw row.type === 'WEBHOOK'
      ? integrationFaults.WEBHOOK_NOTIFICATIONS_PRESENT()
      : integrationFaults.INVALID_INTEGRATION_SETTINGS(row.type, 'is used by alert configurations');
  await deleteIntegration(tx, row.id);
  await recordInProject(tx, row.groupId, { type: 'INTEGRATION_REMOVED', actor });
}

function readRow(
  { id, groupId }: Pick<IntegrationRow, 'id' | 'groupId'>,
  { type, id: _, ...fields }: Integration,
  kept: Readonly<Record<string, string>>,
  box: SecretBox,
): IntegrationRow {
  const kind = integrationKinds[type];
  for (const name of kind.required) {
    if (fields[name] === undefined && !Object.hasOwn(kind.secrets ?? {}, name)) throw missing(name, name);
  }
  const secrets = secretsOf(kind, fields, kept, '');
  const document = { ...fields, ...shownSecrets(kind, secrets) };
  return { id, groupId, type, document, secrets: sealIntegration(box, { id }, secrets) };
}

const sealContext = (id: string) => `integration ${id}`;

/** Encrypts the secrets of an integration. */
export function sealIntegration(
  box: SecretBox,
  { id }: Pick<IntegrationRow, 'id'>,
  secrets: Readonly<Record<string, string>>,
): Uint8Array {
  return box.seal(JSON.stringify(secrets), sealContext(id));
}

/** Decrypts the secrets of an integration. */
export function openIntegration(
  box: SecretBox,
  { id, secrets }: IntegrationRow,
): Readonly<Record<string, string>> {
  return secrets ? JSON.parse(box.open(secrets, sealContext(id)).toString()) : {};
}
