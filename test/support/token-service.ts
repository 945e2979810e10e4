import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An emulator of the AWS token service. It supports AssumeRole only. */
export interface TokenService {
  readonly url: string;
  /** Maps the ARN of a role to the external id that its trust policy requires. */
  readonly trusts: Map<string, string>;
  /** Ids of the keys that have signed requests. */
  readonly signers: Set<string>;
  stop(): void;
}

/** Starts an emulator that issues these keys for every role. */
export async function startTokenService(keys: { id: string; secret: string }): Promise<TokenService> {
  const trusts = new Map<string, string>();
  const signers = new Set<string>();
  const server = createServer(async (request, answer) => {
    const form = new URLSearchParams(await text(request));
    signers.add(/Credential=([^/]+)/.exec(request.headers.authorization ?? '')?.[1] ?? 'nobody');
    answer.setHeader('content-type', 'text/xml');
    const trusted = trusts.get(form.get('RoleArn') ?? '') === form.get('ExternalId');
    if (form.get('Action') !== 'AssumeRole' || !trusted) {
      answer.writeHead(403).end(refusal);
      return;
    }
    answer.end(given(keys));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    trusts,
    signers,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const refusal =
  '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>not trusted</Message></Error></ErrorResponse>';

const given = ({ id, secret }: { id: string; secret: string }) =>
  `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>` +
  `<AccessKeyId>${id}</AccessKeyId><SecretAccessKey>${secret}</SecretAccessKey>` +
  `<SessionToken>a-token</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration>` +
  `</Credentials></AssumeRoleResult></AssumeRoleResponse>`;
