import {
  clusterFields,
  connectionFields,
  type Field,
  type FieldSupport,
} from '../../packages/service/src/resources/clusters/index.ts';
import { code, page, table } from './markdown.ts';

const words: Readonly<Record<FieldSupport, string>> = {
  acts: 'acts',
  stored: 'stored and returned',
  answered: 'returned',
  absent: 'never returned',
};

/** `docs/cluster-fields.md`: the effect of every field of a cluster. */
export function clustersPage(): string {
  return page('Clusters', [
    'This page lists the fields of a cluster. The column Support says what the service does with a field:\n',
    '- **acts**: the value of the field has an effect on the cluster.\n' +
      '- **stored and returned**: the service validates, stores and returns the value, but the value has no other effect.\n' +
      '- **returned**: the field occurs only in responses.\n' +
      '- **never returned**: responses never contain the field, and requests cannot set it.\n',
    'The last column lists the error codes for invalid values. [errors.md](errors.md) describes the codes.\n',
    fieldsTable(clusterFields),
    '## Connection strings\n',
    'The object `connectionStrings` has these fields:\n',
    fieldsTable(connectionFields),
  ]);
}

function fieldsTable(fields: Readonly<Record<string, Field>>): string {
  return table(
    ['Field', 'Support', 'Meaning', 'Error codes'],
    Object.entries(fields).map(([name, { support, what, codes }]) => {
      return [code(name), words[support], what, codes.map(code).join(', ')];
    }),
  );
}
