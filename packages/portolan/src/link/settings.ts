import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';

/** An error that ends the migration host. Its message is for the user. */
export class LinkError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LinkError';
  }
}

/** A source deployment, as the user specified it at the start. */
export interface SourceSetting {
  /** The configured name; undefined to use the name that the deployment reports. */
  readonly name: string | undefined;
  readonly uri: string;
  /** A label for messages, without secrets: the configured name, or the hosts. */
  readonly label: string;
}

export interface LinkSettings {
  readonly url: string;
  /** The value of the Authorization header. */
  readonly authorization: string;
  /** The PEM text of the authority of the service and of its clusters; undefined to trust the machine's authorities. */
  readonly authority: string | undefined;
  readonly authorityFile: string | undefined;
  readonly organization: string;
  readonly project: { readonly projectId: string; readonly name: string };
  readonly host: string | undefined;
  readonly sources: readonly SourceSetting[];
  readonly stays: boolean;
}

const USAGE =
  'portolan link --token TOKEN --source [NAME=]mongodb://… [--source …] [--project NAME] [--organization NAME] [--host NAME] [--ca-file FILE]';

export function readLinkSettings(args: readonly string[]): LinkSettings {
  const values = readFlags(args);
  const token = values.token ?? process.env.PORTOLAN_LINK_TOKEN;
  if (token === undefined || values.source === undefined) throw new LinkError(`usage: ${USAGE}`);
  const organization = values.organization ?? hostname().slice(0, 64);
  const name = values.project ?? 'Sources';
  const authorityFile = values['ca-file'];
  return {
    ...readToken(token),
    authorityFile,
    authority: authorityFile === undefined ? undefined : readAuthority(authorityFile),
    organization,
    // The id must be the same at each start, so that migrations resume.
    project: { projectId: hash('sha256', `${organization}\n${name}`).slice(0, 24), name },
    host: values.host,
    sources: readSources(values.source),
    stays: values.stay ?? false,
  };
}

function readFlags(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        token: text,
        source: { type: 'string', multiple: true },
        project: text,
        organization: text,
        host: text,
        'ca-file': text,
        stay: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new LinkError(`${(error as Error).message.split('.')[0]}. usage: ${USAGE}`);
  }
}

function readToken(token: string): Pick<LinkSettings, 'url' | 'authorization'> {
  try {
    const { url, id, secret } = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (typeof url === 'string' && URL.canParse(url)) return { url, authorization: `Bearer ${id}.${secret}` };
  } catch {
    // The error is reported below, without the token, which is secret.
  }
  throw new LinkError('--token takes the linkToken that the service returned');
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new LinkError(`--ca-file ${file} cannot be read: ${(error as Error).message}`);
  }
}

function readSources(texts: readonly string[]): SourceSetting[] {
  const sources = texts.map(readSource);
  for (const [i, { name }] of sources.entries()) {
    if (name !== undefined && sources.findIndex((other) => other.name === name) < i)
      throw new LinkError(`--source names ${name} more than once`);
  }
  return sources;
}

function readSource(text: string, index: number): SourceSetting {
  const [, name, rest = ''] = /^(?:([\w.-]{1,64})=)?(\w.*)$/s.exec(text) ?? [];
  const which = name === undefined ? `--source number ${index + 1}` : `--source ${name}`;
  if (/^https?:/.test(rest))
    throw new LinkError(
      `${which} is the address of a service, but a source is a deployment: give the connection string of a cluster, mongodb://…`,
    );
  if (!/^mongodb(\+srv)?:\/\//.test(rest))
    throw new LinkError(
      `${which} is not a connection string: --source takes mongodb://…, or NAME=mongodb://…, with letters, digits, ".", "_" and "-" in the name`,
    );
  try {
    // Parses the connection string without connecting.
    const { srvHost, hosts } = new MongoClient(rest).options;
    return { name, uri: rest, label: name ?? srvHost ?? hosts.join(',') };
  } catch (error) {
    throw new LinkError(`${which} cannot be read: ${withoutSecrets((error as Error).message, rest)}`);
  }
}

/**
 * Replaces secrets in a message. The driver may mistake a part of the password for a host, and repeat it in a message.
 */
function withoutSecrets(message: string, uri: string): string {
  const authority = uri.replace(/^[^/]*\/\//, '').split(/[@,/?]/);
  return authority.filter((part) => part !== '').reduce((text, part) => text.replaceAll(part, '…'), message);
}
