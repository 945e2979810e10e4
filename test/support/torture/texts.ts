/**
 * Texts that slow programs down: programs that evaluate them, match them with a pattern that backtracks, or compare
 * each of their parts with all others. If the time grows with the square of the length, 100,000 characters take
 * seconds.
 */
const LENGTH = 100_000;
const repeated = (part: string) => part.repeat(Math.ceil(LENGTH / part.length));
export const expensive = { $expr: { $gt: [{ $size: { $range: [0, 20_000_000] } }, 5] } };
export const hostileTexts: readonly string[] = [
  ...['a', ' ', 'a.', 'a,', 'a@', '1.', '1:', '-', '/', '\\', 'CN=a,', 'CN=a+', '{{', '=\\'].map(
    (part) => `${repeated(part)}!`,
  ),
  JSON.stringify(expensive),
  JSON.stringify({ t: { $regex: `(${'a?'.repeat(64)})${'a'.repeat(64)}` } }),
  JSON.stringify({ $or: Array.from({ length: 10_000 }, (_, a) => ({ a })) }),
  `http://${repeated('a.')}`,
  `-----BEGIN CERTIFICATE-----\n${repeated('QUJD\n')}-----END CERTIFICATE-----`,
  `(${'a?'.repeat(64)})${'a'.repeat(64)}`,
];
