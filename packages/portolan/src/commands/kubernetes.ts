import { parseArgs } from 'node:util';
import { ConfigError, parsed } from '@portolan/foundation/command-line';
import { manifest } from '@portolan/service/kubernetes-manifest';
import { kubernetesActions } from './kubernetes-actions.ts';

/** Names of namespaces are DNS labels. */
const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Runs the command `portolan kubernetes manifest [--namespace NAME]`. */
export function kubernetes(args: readonly string[]): number {
  const options = { namespace: { type: 'string', default: 'portolan' } } as const;
  const { values, positionals } = parsed(
    () => parseArgs({ args: [...args], options, allowPositionals: true }),
    'See portolan help.',
  );
  const names = Object.keys(kubernetesActions);
  if (positionals.length !== 1 || !names.includes(positionals[0] ?? ''))
    throw new ConfigError(`portolan kubernetes takes one of ${names.join(', ')}; see portolan help`);
  if (!NAMESPACE.test(values.namespace))
    throw new ConfigError(`${values.namespace} is not a valid name of a namespace`);
  process.stdout.write(manifest(values.namespace));
  return 0;
}
