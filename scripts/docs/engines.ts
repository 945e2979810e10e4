import {
  type Ability,
  type Capability,
  capabilities,
  type EngineKind,
  type EngineTrait,
  engineKinds,
  engineTraits,
  serverFacts,
} from '../../packages/engine/src/interface/capabilities.ts';
import { code, page, table } from './markdown.ts';

const kinds: ReadonlyArray<readonly [string, EngineKind]> = Object.entries(engineKinds);

/** `docs/engines.md`: what each engine can do. */
export function enginesPage(): string {
  return page('Engines', [
    'Each cluster has an engine, which runs the servers of the cluster or connects to them. Engines have different\n' +
      'capabilities. If an operation requires a capability that the engine of the cluster lacks, the operation returns 400\n' +
      '`NOT_SUPPORTED_BY_ENGINE` with the reason.\n',
    table(
      ['Engine', 'What it is'],
      kinds.map(([name, { summary }]) => [code(name), summary]),
    ),
    '## Which engine a cluster has\n',
    'When a cluster is created, the region with the highest priority determines its engine. The file of the setting\n' +
      '`--engines` lists regions and providers with their engines, as YAML or JSON. All other regions have the engine of\n' +
      '`--engine`, by default `embedded`. In this example, new clusters at AWS run on Kubernetes, except in `US_EAST_1`:\n',
    '    AWS: kubernetes\n    AWS/US_EAST_1: embedded\n',
    'A cluster keeps its engine, even if the file changes. All its nodes have this engine. A request that gives a\n' +
      'cluster a region with another engine returns 400 `REGION_OF_OTHER_ENGINE`. Clusters get the engine `adopted` only by\n' +
      '[adopting](adopted-deployments.md) a deployment.\n',
    '## Capabilities\n',
    'The text after "no" is the reason, and the text after "if" is a condition. In these texts, "it" and "its" refer to the\n' +
      'cluster. The engine `embedded` accepts some settings that have no effect: those of the BI connector, of disk warming, of\n' +
      'config servers and of volumes, and `replicaSetScalingStrategy` ([cluster-fields.md](cluster-fields.md)).\n',
    table(
      ['Capability', ...kinds.map(([name]) => code(name))],
      Object.entries(capabilities).map(([name, meaning]) => [
        capitalized(meaning),
        ...kinds.map(([, { abilities }]) => textOf(abilities[name as Capability])),
      ]),
    ),
    '## Other differences\n',
    'These differences affect no operation, but how the service works.\n',
    table(
      ['Difference', ...kinds.map(([name]) => code(name))],
      Object.entries(engineTraits).map(([name, meaning]) => [
        meaning,
        ...kinds.map(([, { traits }]) => (traits.includes(name as EngineTrait) ? 'yes' : 'no')),
      ]),
    ),
  ]);
}

function textOf(ability: Ability): string {
  if (ability === true) return 'yes';
  if (ability.needs === undefined) return `no: ${ability.reason}`;
  return `if ${serverFacts[ability.needs]}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
