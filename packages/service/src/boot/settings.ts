import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, parsed } from '@portolan/foundation/command-line';
import { isLoopback } from '@portolan/foundation/outgoing/issuers';
import { kubernetesSettings } from './kubernetes-settings.ts';
import {
  list,
  oneOf,
  readAddress,
  readDays,
  readDnsServers,
  readIssuer,
  readPorts,
  readPostgres,
  readUrl,
  readUrlsByName,
  type Setting,
  text,
  yesNo,
} from './setting.ts';

export const settings = {
  listen: {
    description: 'Address on which the service listens. Port 0 selects a free port.',
    default: '127.0.0.1:8443',
    read: readAddress,
  },
  'data-dir': text(
    'Folder with all data of the service. Only one service can use it at a time.',
    './portolan-data',
  ),
  ephemeral: yesNo('Keep all data in a temporary folder, and delete it when the process ends.'),
  stay: yesNo('Keep running when the command that started the service ends.'),
  seed: text('YAML or JSON file with projects, users, clusters and data to create.'),
  config: text('JSON file with settings.', './portolan.json, if it exists'),
  database: {
    description:
      'URL of a PostgreSQL database (postgres://…). If the URL has several hosts, separated by commas, the service uses the host that accepts writes. By default, the service uses a SQLite database in the data directory.',
    secret: true,
    read: readPostgres,
  },
  'public-url': {
    description: 'URL at which callers reach the service. By default, the address of --listen.',
    read: readUrl,
  },
  'public-key': text('Public key of the first API key: 8 lower-case letters. Random by default.'),
  'private-key': text('Private key of the first API key: a UUID. Random by default.'),
  'secret-key': text(
    'File with the key that encrypts secrets: 32 bytes in base64. By default, secret.key in the data directory, created at the first start.',
  ),
  'tls-cert': text(
    'PEM file with the server certificate. By default, the service issues a certificate with its own certificate authority.',
  ),
  'tls-key': text('PEM file with the private key of --tls-cert.'),
  'plain-http': yesNo('Serve without TLS. Requires a loopback address.'),
  'trusted-proxies': list(
    "Addresses or CIDR blocks of proxies, separated by commas. In requests from these proxies, the header X-Forwarded-For contains the caller's address.",
  ),
  'no-console': yesNo('Do not serve the console.'),
  'oidc-issuer': {
    description:
      'Issuer URL of an OpenID provider with which people can log in to the console. By default, the login page offers no provider.',
    read: readIssuer,
  },
  'oidc-client-id': text('Client id of the service at the provider of --oidc-issuer.'),
  'oidc-client-secret': {
    ...text('Client secret that belongs to --oidc-client-id. By default, the service is a public client.'),
    secret: true,
  },
  'strict-versions': yesNo(
    'Reject requests to the versioned API whose Accept header contains no resource version. By default, these requests get the newest version of the operation.',
  ),
  'rate-limited': list(
    'Ids or tags of additional operations to rate-limit, separated by commas. Some operations are always rate-limited.',
  ),
  engine: oneOf(
    ['embedded', 'kubernetes'],
    'Engine that runs new clusters: embedded is the database engine of Portolan; kubernetes is the Percona operator for MongoDB, in the Kubernetes cluster of --kubeconfig. The file of --engines has precedence in the regions that it names.',
    'embedded',
  ),
  engines: text(
    'YAML or JSON file that names the engine of new clusters by region, such as "AWS/EU_WEST_1: kubernetes", or by provider, such as "AWS: kubernetes". Regions that the file does not name have the engine of --engine.',
  ),
  kubeconfig: text(
    'kubeconfig file of the Kubernetes cluster for the engine kubernetes. By default, the Kubernetes cluster in which the service itself runs. If new clusters no longer run on Kubernetes, keep this setting while clusters exist there.',
  ),
  ...kubernetesSettings,
  'engine-listen': text('Address on which clusters listen.', '127.0.0.1'),
  'engine-advertise': text('Host in connection strings. By default, the address of --engine-listen.'),
  'engine-ports': {
    description:
      'Range of ports for the nodes of clusters, optionally followed by a comma and the port that the service tries first.',
    default: '20000-29999,27100',
    read: readPorts,
  },
  'engine-tls': yesNo(
    'Accept only TLS connections to clusters. Required unless clusters listen on a loopback address.',
  ),
  'control-listen': {
    description:
      'Address on which the engine host accepts TLS connections from services on other machines. By default, it accepts no such connections.',
    read: readAddress,
  },
  'control-advertise': text(
    'Host name or address by which services on other machines connect to --control-listen. By default, the host in --control-listen.',
  ),
  domain: text(
    'Domain of the host names of clusters, such as db.example.org. By default, connection strings contain addresses.',
  ),
  'dns-listen': {
    description:
      'Address on which the DNS server of the service listens, over UDP and TCP. It resolves the host names of clusters below --domain. By default, the service runs no DNS server.',
    read: readAddress,
  },
  'dns-servers': {
    description:
      'Addresses of DNS servers, separated by commas, such as 192.0.2.1:53. They resolve the host names of adopted deployments, including SRV names. By default, the operating system resolves them.',
    read: readDnsServers,
  },
  'keep-clusters': yesNo(
    'When the service stops, keep the engine host (the process that runs the clusters) running, so that drivers can continue to use the clusters.',
  ),
  'key-folder': text(
    'Folder with the master keys of encrypted clusters. By default, the folder named keys in the data directory.',
  ),
  'snapshot-store': text(
    'Folder or s3://BUCKET/PATH where snapshots are stored. By default, the folder named snapshots in the data directory.',
  ),
  'copy-store': text(
    'Folder or s3://BUCKET/PATH for copies of snapshots in other regions. Must contain {region}, which the service replaces with the region, such as aws-eu-west-1. By default, copies are stored in --snapshot-store.',
  ),
  'snapshot-store-url': {
    description:
      'URL of the S3-compatible service that has the buckets for snapshots. By default, the URL in --s3-url.',
    read: readUrl,
  },
  'snapshot-store-access-key': text(
    'Access key for the buckets of snapshots. By default, the service uses the AWS environment variables or profile.',
  ),
  'snapshot-store-secret-key': {
    ...text('Secret key that belongs to --snapshot-store-access-key.'),
    secret: true,
  },
  'event-days': {
    description: 'Days of service time after which events are deleted. By default, events are kept.',
    read: readDays,
  },
  'smtp-url': {
    description:
      'Mail server: smtp://user:password@host:port?from=address. By default, the service only stores mail, and the operator can read it.',
    secret: true,
    read: readUrl,
  },
  'sms-url': {
    description:
      'URL of a gateway for text messages (SMS), to which the service posts {to, text}. By default, the service only stores messages, and the operator can read them.',
    secret: true,
    read: readUrl,
  },
  'notification-urls': {
    description:
      'URLs to use instead of those of the notification services, separated by commas, such as SLACK=https://chat.example.org.',
    read: readUrlsByName,
  },
  'sts-url': {
    description:
      'URL of the AWS token service (STS), with which the service assumes the access roles of projects. By default, the service uses its own AWS credentials instead of access roles.',
    read: readUrl,
  },
  's3-url': {
    description: 'URL of the S3-compatible service that has the AWS buckets. By default, Amazon S3.',
    read: readUrl,
  },
  'azure-client-secret': {
    ...text('Client secret of the Azure applications to which access roles refer.'),
    secret: true,
  },
  'azure-storage-key': {
    ...text(
      'Key of the Azure storage account that contains the buckets. The service uses it instead of access roles.',
    ),
    secret: true,
  },
  'allow-private-targets': yesNo(
    'Allow loopback and private addresses as targets of notifications, as hosts of buckets and as identity providers.',
  ),
  'log-level': oneOf(
    ['debug', 'info', 'warn', 'error', 'silent'],
    'Lowest level of the messages in the log.',
    'info',
  ),
} satisfies Record<string, Setting<unknown>>;

type SettingName = keyof typeof settings;

type ValueOf<Name extends SettingName> = ReturnType<(typeof settings)[Name]['read']>;

/** The settings of one run, parsed and checked. */
export type Config = { readonly [Name in SettingName]: ValueOf<Name> | undefined } & {
  readonly [Name in Defaulted]: ValueOf<Name>;
};

type Defaulted =
  | 'listen'
  | 'data-dir'
  | 'engine'
  | 'engine-listen'
  | 'engine-ports'
  | 'kubernetes-expose'
  | 'kubernetes-namespace-prefix'
  | 'log-level'
  | { [Name in SettingName]: ValueOf<Name> extends boolean ? Name : never }[SettingName];

export function environmentName(name: string): string {
  return `PORTOLAN_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** Reads the settings. Throws a `ConfigError` that names the invalid setting. */
export function readConfig(args: readonly string[], environment: NodeJS.ProcessEnv): Config {
  const flags = readFlags(args);
  const given = (name: string): unknown => flags[name] ?? environment[environmentName(name)];
  const file = readFile(given('config') as string | undefined);
  const values = Object.entries(settings).map(([name, setting]: [string, Setting<unknown>]) => [
    name,
    readValue(name, setting, given(name) ?? file[name] ?? (name === 'config' ? undefined : setting.default)),
  ]);
  const config = Object.fromEntries(values) as Config;
  check(config);
  return config;
}

function readFlags(args: readonly string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(
    Object.entries(settings).map(([name, setting]: [string, Setting<unknown>]) => [
      name,
      { type: setting.switch ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const parse = () => parseArgs({ args: [...args], options, strict: true });
  return parsed(parse, 'docs/settings.md lists the settings.').values as Record<
    string,
    string | boolean | undefined
  >;
}

function readFile(path: string | undefined): Record<string, unknown> {
  const file = resolve(path ?? 'portolan.json');
  if (path === undefined && !existsSync(file)) return {};
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`The settings file ${file} cannot be read: ${(error as Error).message}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new ConfigError(`The settings file ${file} does not contain a JSON object`);
  }
  const unknown = Object.keys(content).find((name) => !Object.hasOwn(settings, name));
  if (unknown !== undefined)
    throw new ConfigError(`The settings file ${file} contains ${unknown}, which is not a setting`);
  return content as Record<string, unknown>;
}

function readValue(name: string, setting: Setting<unknown>, given: unknown): unknown {
  if (given === undefined) return undefined;
  try {
    return setting.read(Array.isArray(given) ? given.join(',') : String(given));
  } catch (error) {
    const was = setting.secret ? '' : `; it was ${JSON.stringify(given)}`;
    throw new ConfigError(`--${name} ${(error as Error).message}${was}`);
  }
}

/** Checks settings that depend on each other. */
function check(config: Config): void {
  for (const [name, setting] of Object.entries(settings) as [SettingName, Setting<unknown>][]) {
    const given = config[name] !== undefined && config[name] !== false;
    if (setting.later && given) throw new ConfigError(`--${name} is not available yet`);
  }
  if (config['plain-http'] && !isLoopback(config.listen.host)) {
    throw new ConfigError(`--plain-http is for loopback addresses only; --listen is ${config.listen.host}`);
  }
  pair(config, 'public-key', 'private-key');
  pair(config, 'tls-cert', 'tls-key');
  pair(config, 'oidc-issuer', 'oidc-client-id');
  if (config['oidc-client-secret'] !== undefined && config['oidc-client-id'] === undefined) {
    throw new ConfigError('--oidc-client-secret requires --oidc-client-id');
  }
  pair(config, 'snapshot-store-access-key', 'snapshot-store-secret-key');
  if (config.ephemeral && config['keep-clusters']) {
    throw new ConfigError(
      '--ephemeral and --keep-clusters exclude each other: clusters cannot run without their data',
    );
  }
  if (config['engine-tls'] && config['plain-http']) {
    throw new ConfigError(
      '--engine-tls and --plain-http exclude each other: clusters use the certificate of the service',
    );
  }
  checkControl(config);
  if (config['dns-listen'] !== undefined && config.domain === undefined) {
    throw new ConfigError('--dns-listen requires --domain');
  }
  if (!isLoopback(config['engine-listen']) && !config['engine-tls']) {
    throw new ConfigError(
      `--engine-listen ${config['engine-listen']} requires --engine-tls, because it is not a loopback address`,
    );
  }
}

function checkControl(config: Config): void {
  const listen = config['control-listen'];
  const advertise = config['control-advertise'];
  if (listen === undefined && advertise !== undefined) {
    throw new ConfigError('--control-advertise requires --control-listen');
  }
  if (advertise === undefined && ['0.0.0.0', '::'].includes(listen?.host ?? '')) {
    throw new ConfigError(
      `--control-listen ${listen?.host} requires --control-advertise, because it listens on all addresses`,
    );
  }
}

function pair(config: Config, one: SettingName, other: SettingName): void {
  if ((config[one] === undefined) !== (config[other] === undefined)) {
    throw new ConfigError(`--${one} and --${other} require each other`);
  }
}
