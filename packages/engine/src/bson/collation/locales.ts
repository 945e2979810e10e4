/**
 * The BCP 47 keys of special collations by their ICU names. Collations whose ICU name is also the key are not listed.
 */
const collationKeys: Readonly<Record<string, string>> = {
  phonebook: 'phonebk',
  traditional: 'trad',
  dictionary: 'dict',
  gb2312han: 'gb2312',
};

const shape =
  /^(?<language>[a-z]{2,3})(?:_(?<script>[A-Z][a-z]{3}))?(?:_(?<region>[A-Z]{2}|\d{3}))?(?<posix>_POSIX)?(?:@collation=(?<collation>[a-z0-9]+))?$/;

/** Maximum length of a locale. All known locales are shorter, and `Intl` reads any length. */
const LONGEST = 64;
/** Maximum length of the value of a BCP 47 key. `Intl` throws for longer ones. */
const LONGEST_KEY = 8;

/**
 * Returns the language tag of a locale: `de-AT` for `de_AT`, `de-u-co-phonebk` for `de@collation=phonebook`. Returns
 * undefined if the locale is unknown or not in canonical form.
 */
export function localeTag(locale: string): string | undefined {
  if (locale.length > LONGEST) return undefined;
  if (locale === 'root') return 'und';
  const parts = shape.exec(locale)?.groups;
  if (parts === undefined) return undefined;
  const { language = '', script, region, posix, collation } = parts;
  const base = [language, script, region].filter(Boolean).join('-');
  if (Intl.Collator.supportedLocalesOf([base]).length === 0) return undefined;
  // The script or region may be unknown even if the language is known.
  if ((script ?? region) !== undefined && !isKnown(base)) return undefined;
  if (posix !== undefined) return base === 'en-US' ? 'en-US-u-va-posix' : undefined;
  if (collation === undefined || collation === 'standard') return base;
  const key = collationKeys[collation] ?? collation;
  return key.length > LONGEST_KEY ? undefined : `${base}-u-co-${key}`;
}

function isKnown(tag: string): boolean {
  const { locale } = new Intl.DateTimeFormat(tag).resolvedOptions();
  return locale === tag || new Intl.Collator(tag).resolvedOptions().locale === tag;
}

interface Tailored {
  readonly caseFirst?: 'upper';
  readonly alternate?: 'shifted';
  readonly normalization?: true;
  readonly backwards?: true;
}

/**
 * The languages whose default options differ from the general defaults. The source is `settings` of the Common Locale
 * Data Repository.
 */
const tailored: Readonly<Record<string, Tailored>> = {
  da: { caseFirst: 'upper' },
  mt: { caseFirst: 'upper' },
  th: { alternate: 'shifted', normalization: true },
  fr_CA: { backwards: true },
  vi: { normalization: true },
  as: { normalization: true },
  bn: { normalization: true },
  gu: { normalization: true },
  hi: { normalization: true },
  kn: { normalization: true },
  ml: { normalization: true },
  mr: { normalization: true },
  or: { normalization: true },
  pa: { normalization: true },
  ta: { normalization: true },
  te: { normalization: true },
};

export function tailoredDefaults(locale: string): Tailored {
  if (locale.length > LONGEST) return {};
  const [base = ''] = locale.split('@', 1);
  const [language = ''] = base.split('_', 1);
  return tailored[base] ?? tailored[language] ?? {};
}
