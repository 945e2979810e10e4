import Type, { type TSchema } from 'typebox';
import { Choice } from '../../api/fields.ts';

/** Returns the schema for the ciphers of TLS 1.3, which only the vendor's form has. */
export const newerCiphers = (): TSchema =>
  Type.Optional(Type.Array(Choice(names), { default: [], maxItems: names.length }));

const names = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_128_CCM_SHA256',
] as const;
