import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';

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
    sources: values.source.map(readSource),
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

function readSource(text: string): SourceSetting {
  const [, name, uri] = /^(?:([\w.-]{1,64})=)?(mongodb(?:\+srv)?:\/\/.+)$/s.exec(text) ?? [];
  if (uri === undefined) throw new LinkError('--source takes mongodb://…, or NAME=mongodb://…');
  return { name, uri };
}
