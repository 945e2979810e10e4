import type { ProcessArguments } from '@portolan/engine/interface/engine';
import { stringify } from 'yaml';
import type { WantedCluster } from './wanted.ts';

type Options = Readonly<Record<string, unknown>>;

interface Rule {
  /** The option in the configuration file of the servers. */
  readonly option: string;
  /** Whether routers accept the option, too. */
  readonly routers: boolean;
}

/** Rules for the process arguments that a configuration file can set. */
const rules: { readonly [Name in keyof ProcessArguments]?: Rule } = {
  chunkMigrationConcurrency: { option: 'setParameter.chunkMigrationConcurrency', routers: false },
  javascriptEnabled: { option: 'security.javascriptEnabled', routers: true },
  noTableScan: { option: 'setParameter.notablescan', routers: false },
  transactionLifetimeLimitSeconds: {
    option: 'setParameter.transactionLifetimeLimitSeconds',
    routers: false,
  },
};

const protocols = ['TLS1_0', 'TLS1_1', 'TLS1_2', 'TLS1_3'];

/** Returns the configuration file of the servers, as YAML; undefined if it would be empty. */
export function configurationOf(wanted: WantedCluster, server: 'node' | 'router'): string | undefined {
  const given = Object.entries(rules).flatMap(([name, rule]) => {
    const value = wanted.arguments[name as keyof ProcessArguments];
    if (value === undefined || value === null || (server === 'router' && !rule.routers)) return [];
    return [[rule.option, value] as const];
  });
  const older = protocols.slice(0, protocols.indexOf(wanted.minimumTlsProtocol ?? 'TLS1_0'));
  const options = [
    ...given,
    ...(older.length === 0 ? [] : [['net.tls.disabledProtocols', older.join(',')] as const]),
    ...(wanted.ciphers === undefined || wanted.ciphers.length === 0
      ? []
      : [['setParameter.opensslCipherConfig', wanted.ciphers.map(opensslName).join(':')] as const]),
    ...(wanted.redactsLogs === true ? [['security.redactClientLogData', true] as const] : []),
  ];
  if (options.length === 0) return undefined;
  return stringify(
    options.reduce<Options>((all, [path, value]) => withOption(all, path.split('.'), value), {}),
  );
}

/**
 * Converts an IANA name to an OpenSSL name: `TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384` to `ECDHE-RSA-AES256-GCM-SHA384`.
 */
const opensslName = (name: string): string =>
  name
    .replace(/^TLS_/, '')
    .replace('_WITH_', '_')
    .replace(/AES_(\d+)/, 'AES$1')
    .replaceAll('_', '-');

function withOption(options: Options, [name = '', ...rest]: readonly string[], value: unknown): Options {
  if (rest.length === 0) return { ...options, [name]: value };
  return { ...options, [name]: withOption((options[name] ?? {}) as Options, rest, value) };
}
