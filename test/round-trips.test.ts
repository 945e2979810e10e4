import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { documentsOf } from './support/generated/run.ts';
import { pathIn, type Values, valuesFor } from './support/one-of-each.ts';
import { type Versioned, versionedIn, withField } from './support/read-only-fields.ts';
import { onOneSetup } from './support/setups.ts';
import { idle } from './support/stage.ts';

const OTHER_BODY = 'the body has only the fields that can be changed';
const A_LIST = 'the path returns a list, and the body is one of its entries';

/** Operations that reject the document which a GET of the same path returns, and why this is right. */
const refused: Readonly<Record<string, readonly [code: string, reason: string]>> = {
  authorizeCloudProviderAccessRole: ['MISSING_ATTRIBUTE', 'the role has no ARN yet, which the body requires'],
  renameTeam: ['INVALID_ATTRIBUTE', OTHER_BODY],
  toggleAlertConfiguration: ['INVALID_ATTRIBUTE', OTHER_BODY],
  updateApiKey: ['INVALID_ATTRIBUTE', OTHER_BODY],
  updateDataProtectionSettings: ['MISSING_ATTRIBUTE', 'without a policy, the document is empty'],
  updateFlexCluster: ['INVALID_ATTRIBUTE', OTHER_BODY],
  updateOnlineArchive: ['INVALID_ATTRIBUTE', OTHER_BODY],
  updateOrganizationInvitation: ['INVALID_JSON', A_LIST],
  updateOrganizationInvitationById: ['INVALID_ATTRIBUTE', OTHER_BODY],
  updateOrganizationUser: ['INVALID_ATTRIBUTE', OTHER_BODY],
  updatePlatformSearchDeployment: ['MISSING_ATTRIBUTE', 'without search nodes, the document is empty'],
  updatePlatformSearchIndex: ['INVALID_ATTRIBUTE', OTHER_BODY],
  updatePlatformSearchIndexByName: ['INVALID_ATTRIBUTE', OTHER_BODY],
  updateProject: ['INVALID_ATTRIBUTE', OTHER_BODY],
  updatePushBasedLogExport: ['PUSH_BASED_LOG_EXPORT_NOT_CONFIGURED', 'the project has no log export'],
  updateProjectInvitation: ['INVALID_JSON', A_LIST],
  updateProjectInvitationById: ['INVALID_ATTRIBUTE', OTHER_BODY],
  updateProjectServiceAccount: ['INVALID_ATTRIBUTE', OTHER_BODY],
  updateServerlessInstance: ['INVALID_ATTRIBUTE', OTHER_BODY],
  updateServiceAccount: ['INVALID_ATTRIBUTE', OTHER_BODY],
  updateSnapshotRetention: ['INVALID_ATTRIBUTE', OTHER_BODY],
};

/** Operations that are not called, and why. */
const omitted: Readonly<Record<string, string>> = {
  acknowledgeAlert: 'it requires an open alert, and its body has only the fields of an acknowledgement',
  updateAdoptedDeployment: 'its body has only secrets, which no document contains',
};

/** Fields that an update may change although it repeats the document. */
const advancing: Readonly<Record<string, readonly string[]>> = {
  // The time of the last update.
  updateAlertConfiguration: ['updated'],
  changeClock: ['now'],
  // The update applies the cluster again, which changes its state.
  updateCluster: ['stateName'],
  updatePlatformSearchIndexDeprecated: ['status'],
  // The response contains default values for the fields that a stored provider lacks.
  updateEncryptionAtRest: ['awsKms', 'azureKeyVault', 'googleCloudKms'],
};

/** Fields whose new values are accepted and ignored, and why. */
const ignored: Readonly<Record<string, string>> = {
  'updateBackupSchedule clusterId': 'docs/contract/clusters.md 3.2 says so',
  'updateBackupSchedule nextSnapshot': 'docs/contract/clusters.md 3.2 says so',
  'updateCluster providerSettings.encryptEBSVolume':
    'docs/contract/clusters.md 2.6: disks are always encrypted',
  'updateCluster readOnlySpecs': 'the cluster may have no nodes of this kind',
};

/** The versions of clusters that the test of changed values sends. Each other version has the shape of one of these. */
const CLUSTER_VERSIONS = /2023-02-01|2025-03-12/;

type Path = readonly string[];

/** Returns the paths of all values in a document, except those of links. */
function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'links' ? [] : pathsIn(inner, [...at, name]),
  );
}

const valueAt = (document: unknown, path: Path): unknown =>
  path.reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);

/** Returns the read-only fields of a cluster that an update may change. */
const later = ({ connectionStrings, dbURIUpdated, stateName }: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries({ connectionStrings, dbURIUpdated, stateName }).filter(([, value]) => value !== undefined),
  );

/** Returns another value of the same type. */
function otherThan(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (/^[0-9a-f]{24}$/.test(String(value))) return '0123456789abcdef01234567';
  return /^\d{4}-\d\d-/.test(String(value)) ? '2030-01-01T00:00:00Z' : `${value ?? ''}x`;
}

onOneSetup('SQLite, one instance', 'documents that are sent back', (setup) => {
  let values: Values;
  let operations: Versioned[];

  before(async () => {
    values = await valuesFor(setup);
    operations = versionedIn(
      await documentsOf(setup),
      (document, { method, template }) =>
        ['PUT', 'PATCH'].includes(method) && document.find('GET', template) !== undefined,
    ).filter(({ operation: { id } }) => omitted[id] === undefined);
  });

  test('change nothing, or are rejected for a known reason, in every version', async () => {
    const [wrong, refusing]: [string[], Set<string>] = [[], new Set()];
    for (const one of operations) {
      const { id, method, template } = one.operation;
      const path = pathIn(template, values);
      const client = template.startsWith('/operator') ? setup.operator : setup.owner;
      const options = one.accept ? { accept: one.accept } : {};
      // Wait, since the state of a cluster must not change between the requests.
      await idle(setup.owner, `/groups/${values.groupId}/clusters/fleet`);
      const shown = await client.get(path, options);
      // There is no document to send back.
      if (shown.status >= 400) continue;
      const reply = await client.send(method, path, shown.json(), options);
      const describe = (what: string) => wrong.push(`${method} ${path} (${id}, ${one.accept}): ${what}`);
      if (reply.status >= 300) {
        refusing.add(id);
        const [code = 'none'] = refused[id] ?? [];
        // If several attributes are missing, the code is in the plural.
        const isKnown = [code, `${code}S`].includes(String(reply.json().errorCode));
        if (!isKnown) describe(reply.text);
        continue;
      }
      if (id in refused) describe('accepted');
      const stable = (text: string) => {
        const document: Record<string, unknown> = JSON.parse(text);
        for (const field of advancing[id] ?? []) delete document[field];
        return document;
      };
      const after = await client.get(path, options);
      try {
        assert.deepEqual(stable(after.text), stable(shown.text));
      } catch (error) {
        describe((error as Error).message);
      }
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual([...refusing].sort(), Object.keys(refused).sort());
  });

  test('with one changed value are rejected, or the value changes', async () => {
    const found = new Set<string>();
    const cluster = `/groups/${values.groupId}/clusters/fleet`;
    for (const { operation, accept } of operations) {
      const { id, method, template } = operation;
      if (id === 'updateCluster' && accept !== undefined && !CLUSTER_VERSIONS.test(accept)) continue;
      const path = pathIn(template, values);
      const client = template.startsWith('/operator') ? setup.operator : setup.owner;
      const options = accept ? { accept } : {};
      const read = async () => {
        await idle(setup.owner, cluster);
        return client.get(path, options);
      };
      const shown = await read();
      if (shown.status >= 400) continue;
      for (const at of pathsIn(shown.json())) {
        const [top = '', ...below] = at;
        for (const isWhole of below.length === 0 ? [true, false] : [true]) {
          // Read the document again, since read-only fields such as dates change with each update.
          const before = (await read()).json();
          const value = valueAt(before, at);
          const changed = withField(before, at.join('.'), otherThan(value));
          const body = isWhole ? changed : { [top]: valueAt(changed, [top]) };
          if ((await client.send(method, path, body, options)).status >= 300) continue;
          const after = (await read()).json();
          const field = at.find((name) => name === 'readOnlySpecs') ?? at.join('.');
          if (isDeepStrictEqual(valueAt(after, at), value)) found.add(`${id} ${field}`);
          else
            await client.send(
              method,
              path,
              isWhole ? { ...before, ...later(after) } : { [top]: value },
              options,
            );
        }
      }
    }
    assert.deepEqual(
      [...found].filter((field) => !(field in ignored)),
      [],
    );
  });
});
