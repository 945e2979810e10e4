import { textTranslator } from '../api/dialect/words.ts';
import { dialects } from './index.ts';

/**
 * Returns the credentials of a client as an `Authorization` header of HTTP Basic. A client without this header can send
 * its credentials as fields of the form (RFC 6749 section 2.3.1).
 */
export function clientCredentials(authorization: string | undefined, form: string): string | undefined {
  return inDeclaredWords(authorization ?? basicOf(new URLSearchParams(form)));
}

function basicOf(form: URLSearchParams): string | undefined {
  const parts = ['client_id', 'client_secret'].flatMap((name) => form.get(name) ?? []);
  if (parts.length < 2) return undefined;
  return `Basic ${Buffer.from(parts.map(encodeURIComponent).join(':')).toString('base64')}`;
}

/**
 * Converts a client id and a secret from the form of any dialect to the declared form, since all dialects share one
 * token endpoint. Returns an `Authorization` header of HTTP Basic.
 */
function inDeclaredWords(authorization: string | undefined): string | undefined {
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return authorization;
  const text = Buffer.from(encoded, 'base64').toString();
  const [id = '', ...secret] = text.split(':');
  const declared = `${declaredText('clientId', id)}:${declaredText('secret', secret.join(':'))}`;
  return declared === text ? authorization : `Basic ${Buffer.from(declared).toString('base64')}`;
}

function declaredText(field: 'clientId' | 'secret', text: string): string {
  for (const { changes } of dialects) {
    const words = changes?.words.texts[field];
    const declared = words === undefined ? text : textTranslator(words, 'in')(text);
    if (declared !== text) return declared;
  }
  return text;
}
