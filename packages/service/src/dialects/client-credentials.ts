import { textTranslator } from '../api/dialect/words.ts';
import { dialects } from './index.ts';

/**
 * Converts a client id and a secret from the form of any dialect to the declared form, since all dialects share one
 * token endpoint. Returns an `Authorization` header of HTTP Basic.
 */
export function inDeclaredWords(authorization: string | undefined): string | undefined {
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
