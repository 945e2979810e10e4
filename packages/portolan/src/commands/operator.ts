import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '@portolan/foundation/command-line';
import { sendRequest } from '@portolan/foundation/http-call';
import type { Bootstrap } from '@portolan/service/bootstrap';
import { ownerOf } from '@portolan/service/store';

/** Calls the running service of a data directory as the operator, with the token in `bootstrap.json`. */
export interface Operator {
  /** Returns the response. Throws a `ConfigError` with the service's message if the service responds with an error. */
  call<T>(method: string, path: string, body?: object): Promise<T>;
}

export async function operatorOf(dataDirectory: string): Promise<Operator> {
  const { bootstrap, authority } = await readBootstrap(dataDirectory);
  return {
    async call<T>(method: string, path: string, body?: object) {
      const headers = {
        authorization: `Bearer ${bootstrap.operatorToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const { status, text } = await sendRequest(new URL(`/operator/v1${path}`, bootstrap.url), {
        ...{ method, headers, authority },
        body: body && JSON.stringify(body),
      }).catch((error: Error) => {
        throw new ConfigError(`The service at ${bootstrap.url} cannot be reached: ${error.message}`);
      });
      const answer = answerOf(text, `The server at ${bootstrap.url} is not the service`);
      if (status >= 400)
        throw new ConfigError(`The service rejected the request: ${answer?.detail ?? status}`);
      return answer as T;
    },
  };
}

/**
 * Returns how to reach the running service of a data directory. Throws a `ConfigError` if no service runs, or
 * if the file with this information is damaged.
 */
export async function readBootstrap(
  dataDirectory: string,
): Promise<{ readonly bootstrap: Bootstrap; readonly authority: string | undefined }> {
  const file = join(dataDirectory, 'bootstrap.json');
  if (ownerOf(dataDirectory) === undefined)
    throw new ConfigError(`No service runs on the data directory ${dataDirectory}`);
  const found = answerOf(await readText(file), `${file} is damaged`) as Partial<Bootstrap> | null | undefined;
  const { url, operatorToken } = found ?? {};
  if (!/^https?:/.test(String(url)) || !URL.canParse(String(url)))
    throw new ConfigError(`${file} is damaged: its url is not the address of a service`);
  if (typeof operatorToken !== 'string') throw new ConfigError(`${file} is damaged: it has no operatorToken`);
  const bootstrap = found as Bootstrap;
  const { caCertificate } = bootstrap;
  return { bootstrap, authority: caCertificate === undefined ? undefined : await readText(caCertificate) };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Parses a response, which may be empty. */
function answerOf(text: string, otherwise: string) {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new ConfigError(`${otherwise}: it is not JSON`);
  }
}
