import Type, { type TSchema } from 'typebox';
import type { EntityChange, EntityDocument } from '../../api/dialect/entities.ts';
import { textTranslator } from '../../api/dialect/words.ts';
import { readOnly } from '../../api/fields.ts';
import { isPlainObject, type JsonSchema } from '../../api/schema/json-schema.ts';
import { presentAlertConfiguration } from './alerts.ts';
import { clusterFields, presentCluster } from './clusters.ts';
import { flag, nothing, withoutDefault } from './constant-fields.ts';
import { newerCiphers } from './tls.ts';
import { clientIds, eventTypes } from './words.ts';

/**
 * This file declares how entities differ from the neutral form. Constants describe features that this service
 * lacks. Settings are stored, but have no effect.
 */

const setting = (value: boolean) => Type.Optional(Type.Boolean({ default: value }));

const unlinked = [
  'accessListEntryStatus',
  'auditLog',
  'autoScalingMode',
  'awsCustomDns',
  'awsIamRole',
  'azureServicePrincipal',
  'backupCompliancePolicy',
  'bucketEndpoint',
  'connectedOrganization',
  'controlPlaneAddresses',
  'customRole',
  'endpointService',
  'eventType',
  'federationSettings',
  'flexCluster',
  'gcpServiceAccount',
  'globalWrites',
  'identityProvider',
  'keyEndpoint',
  'liveMigration',
  'maintenanceWindow',
  'migrationValidation',
  'onlineArchive',
  'organizationInvitation',
  'organizationMember',
  'organizationSettings',
  'outageSimulation',
  'peer',
  'privateEndpoint',
  'privateIpMode',
  'projectAddresses',
  'projectInvitation',
  'projectLimit',
  'projectMember',
  'projectOverview',
  'projectServiceAccountAddressEntry',
  'providerAccess',
  'providerAccessRole',
  'providerRegions',
  'pushBasedLogExport',
  'regionalMode',
  'roleMapping',
  'searchDeployment',
  'serviceAccountAddressEntry',
  'serviceAccountGroup',
];

/** The vendor itself creates some service accounts, which callers cannot change. */
const serviceAccount: EntityChange = { isUnlinked: true, more: () => ({ systemManaged: flag(false) }) };

export const entities: Readonly<Record<string, EntityChange>> = {
  ...Object.fromEntries(unlinked.map((name) => [name, { isUnlinked: true }])),
  alertConfiguration: { present: presentAlertConfiguration },
  backupSchedule: {
    more: () => ({ copyPolicyItemsEnabled: flag(false) }),
    present: (schedule) => withoutEmpty(schedule, 'extraRetentionSettings'),
  },
  cluster: { more: clusterFields, present: presentCluster },
  container: {
    isUnlinked: true,
    more: ({ properties }) => (properties?.regionName ? { region: properties.regionName as TSchema } : {}),
    present: withRegionOfProvider,
  },
  encryptionAtRest: { isUnlinked: true, more: () => ({ enabledForSearchNodes: flag(false) }) },
  formerSearchIndex: {
    isUnlinked: true,
    more: ({ properties }) => withoutDefault(properties, 'type'),
    present: withNamedType,
  },
  integration: {
    fields: {
      monitoringApiKey: 'apiKey',
      monitoringRegion: 'region',
      opsGenieApiKey: 'apiKey',
      opsGenieRegion: 'region',
      victorOpsApiKey: 'apiKey',
      victorOpsRoutingKey: 'routingKey',
      webhookSecret: 'secret',
      webhookUrl: 'url',
    },
    isUnlinked: true,
    more: integrationFields,
  },
  user: { present: withoutNumber },
  organizationEvent: { fields: { accessListEntry: 'whitelistEntry' }, present: presentEvent },
  newCluster: { more: clusterFields },
  processArguments: {
    isUnlinked: true,
    more: () => ({ customOpensslCipherConfigTls13: newerCiphers() }),
  },
  project: {
    more: ({ properties }) => ({
      ...withoutDefault(properties, 'regionUsageRestrictions'),
      withDefaultAlertsSettings: Type.Optional(Type.Boolean()),
    }),
    present: ({ regionUsageRestrictions: _, ...document }) => document,
  },
  projectEvent: { fields: { accessListEntry: 'whitelistEntry' }, present: presentEvent },
  projectServiceAccount: serviceAccount,
  projectSettings: {
    isUnlinked: true,
    more: () => ({
      isAtlasHomePageAiAssistantEnabled: setting(true),
      isClusterAiAssistantEnabled: setting(true),
      isDataValidationEnabled: setting(true),
      isNativeRerankingEnabled: setting(true),
    }),
  },
  restoreJob: {
    more: () => ({ targetDeploymentItemName: readOnly(Type.String()) }),
    present: ({ result: _, ...job }) => withoutEmpty(withDeployment(job), 'privateDownloadDeliveryUrls'),
  },
  shardedClusterSnapshot: { present: withMembers },
  sampleDatasetLoad: {
    isUnlinked: true,
    more: () => ({ completeDate: nothing(), errorMessage: nothing() }),
  },
  searchIndex: { isUnlinked: true, present: withNamedType },
  serviceAccount,
  userSecurity: { isUnlinked: true },
  userCertificate: { fields: { id: '_id' }, isUnlinked: true },
};

/** Removes the `type` of a search index, unless the request that created the index named a type. */
function withNamedType({ isUntyped, type, ...index }: EntityDocument): EntityDocument {
  return isUntyped === true ? index : { ...index, type };
}

/** A snapshot of a replica set has no members. */
function withMembers(snapshot: EntityDocument): EntityDocument {
  return { members: [], snapshotIds: [], ...snapshot };
}

/** Removes the phone number of a person. */
function withoutNumber({ mobileNumber: _, ...person }: EntityDocument): EntityDocument {
  return person;
}

/** In a network container of the provider AZURE, renames the field `regionName` to `region`. */
function withRegionOfProvider({ regionName, ...container }: EntityDocument): EntityDocument {
  if (regionName === undefined) return container;
  return { ...container, [container.providerName === 'AZURE' ? 'region' : 'regionName']: regionName };
}

/** Adds the name of the deployment, which is the name of the cluster. */
function withDeployment(job: EntityDocument): EntityDocument {
  const { targetClusterName: name } = job;
  return name === undefined ? job : { ...job, targetDeploymentItemName: name };
}

/** Returns the document without a list, if this list is empty. */
function withoutEmpty(document: EntityDocument, name: string): EntityDocument {
  const { [name]: list, ...others } = document;
  return Array.isArray(list) && list.length === 0 ? others : document;
}

function integrationFields({ properties }: JsonSchema): ReturnType<NonNullable<EntityChange['more']>> {
  switch (properties?.type?.enum?.[0] ?? properties?.type?.const) {
    case 'DATADOG':
      return {
        customEndpoint: nothing(),
        sendCollectionLatencyMetrics: setting(false),
        sendDatabaseMetrics: setting(false),
        sendQueryStatsMetrics: setting(false),
        sendUserProvidedResourceTags: setting(false),
      };
    case 'WEBHOOK':
      return { bodyTemplate: nothing(), headersTemplate: nothing() };
    case 'SLACK':
      return { teamName: Type.Optional(Type.String({ maxLength: 255 })) };
    default:
      return {};
  }
}

const clientIdIn = textTranslator(clientIds, 'out');
const eventTypeIn = textTranslator(eventTypes, 'out');

/** Translates the event type in `raw`, and the ids of service accounts. An event contains such an id as a user name. */
function presentEvent({ raw, targetUsername, username, ...event }: EntityDocument): EntityDocument {
  return {
    ...event,
    ...(isPlainObject(raw) && { raw: { ...raw, et: eventTypeIn(String(raw.et)) } }),
    ...(typeof targetUsername === 'string' && { targetUsername: clientIdIn(targetUsername) }),
    ...(typeof username === 'string' && { username: clientIdIn(username) }),
  };
}
