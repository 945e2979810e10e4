import { clusterEffects, connectionEffects, type Effect } from '../../src/resources/clusters/index.ts';
import { code, page, table } from './markdown.ts';

const words: Readonly<Record<Effect['effect'], string>> = {
  acts: 'acts',
  kept: 'kept and answered',
  answered: 'answered',
  absent: 'never answered',
};

/** `docs/clusters.md`: what every field of a cluster does. */
export function clustersPage(): string {
  return page('Clusters', [
    'What each field of a cluster does, and codes with which values are refused (`docs/errors.md` has all of them).\n',
    effectsTable(clusterEffects),
    '## Connection strings\n',
    effectsTable(connectionEffects),
  ]);
}

function effectsTable(effects: Readonly<Record<string, Effect>>): string {
  return table(
    ['Field', 'Here', 'What', 'Refused with'],
    Object.entries(effects).map(([field, { effect, what, codes = [] }]) => {
      return [code(field), words[effect], what, codes.map(code).join(', ')];
    }),
  );
}
