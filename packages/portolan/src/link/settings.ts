import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';

/** What a migration host cannot go on with; its message is for people. */
export class LinkError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LinkError';
  }
}

/** A deployment as it was named at the start. */
export interface SourceSetting {
  /** Absent: what it calls itself. */
  readonly name: string | undefined;
  readonly uri: string;
  /** How people are told of it, without what is secret: its name, or its hosts. */
  readonly label: string;
}

export interface LinkSettings {
  readonly url: string;
  /** As the service takes it. */
  readonly authorization: string;
  /** The PEM text of the authority of the service and of its clusters; absent: those of the machine. */
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
    // The same at each start, so that what was asked for goes on.
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
    // Told below: what was given is a secret and not repeated.
  }
  throw new LinkError('--token takes the linkToken that the service has answered');
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
      throw new LinkError(`two of --source have the name ${name}`);
  }
  return sources;
}

function readSource(text: string, index: number): SourceSetting {
  const [, name, rest = ''] = /^(?:([\w.-]{1,64})=)?(\w.*)$/s.exec(text) ?? [];
  const which = name === undefined ? `--source number ${index + 1}` : `--source ${name}`;
  if (/^https?:/.test(rest))
    throw new LinkError(
      `${which} is the address of a service; a source is a deployment: give the connection string of a cluster, mongodb://…`,
    );
  if (!/^mongodb(\+srv)?:\/\//.test(rest))
    throw new LinkError(
      `${which} is no connection string: --source takes mongodb://…, or NAME=mongodb://…, with letters, digits, ".", "_" and "-" in the name`,
    );
  try {
    // Reads the text, and connects nowhere.
    const { srvHost, hosts } = new MongoClient(rest).options;
    return { name, uri: rest, label: name ?? srvHost ?? hosts.join(',') };
  } catch (error) {
    throw new LinkError(`${which} cannot be read: ${withoutSecrets((error as Error).message, rest)}`);
  }
}

/** The driver repeats what it takes for a host, which may be a password. */
function withoutSecrets(message: string, uri: string): string {
  const authority = uri.replace(/^[^/]*\/\//, '').split(/[@,/?]/);
  return authority.filter((part) => part !== '').reduce((text, part) => text.replaceAll(part, '…'), message);
}
