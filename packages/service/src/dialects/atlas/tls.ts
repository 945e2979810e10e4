import Type, { type TSchema } from 'typebox';
import { Choice } from '../../api/fields.ts';
import type { JsonSchema } from '../../api/schema/json-schema.ts';

/**
 * Returns the TLS settings that the vendor's form adds to the given properties: ciphers of TLS 1.3, and TLS 1.3 as the
 * oldest accepted version.
 */
export function tlsSettings(properties: JsonSchema['properties']): Record<string, TSchema> {
  const { minimumEnabledTlsProtocol: minimum } = properties ?? {};
  return {
    customOpensslCipherConfigTls13: Type.Optional(
      Type.Array(Choice(newerCiphers), { default: [], maxItems: 3 }),
    ),
    ...(minimum && {
      minimumEnabledTlsProtocol: { ...minimum, enum: [...(minimum.enum ?? []), 'TLS1_3'] } as TSchema,
    }),
  };
}

const newerCiphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
] as const;
