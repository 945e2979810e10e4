import {
  clusterFields,
  connectionFields,
  type Field,
  type FieldSupport,
} from '../../packages/service/src/resources/clusters/index.ts';
import { code, page, table } from './markdown.ts';

const words: Readonly<Record<FieldSupport, string>> = {
  acts: 'acts',
  stored: 'stored and answered',
  answered: 'answered',
  absent: 'never answered',
};

/** `docs/clusters.md`: what every field of a cluster does. */
export function clustersPage(): string {
  return page('Clusters', [
    'What each field of a cluster does, and codes with which values are refused (`docs/errors.md` has all of them).\n',
    fieldsTable(clusterFields),
    '## Connection strings\n',
    fieldsTable(connectionFields),
  ]);
}

function fieldsTable(fields: Readonly<Record<string, Field>>): string {
  return table(
    ['Field', 'Here', 'What', 'Refused with'],
    Object.entries(fields).map(([name, { support, what, codes }]) => {
      return [code(name), words[support], what, codes.map(code).join(', ')];
    }),
  );
}
