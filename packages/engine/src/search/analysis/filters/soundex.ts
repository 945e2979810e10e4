import { type TokenFilter, tokenFilter } from '../token.ts';

/**
 * Daitch–Mokotoff Soundex: codes of six digits for the sound of an Eastern European name; a name with several
 * pronunciations has several codes. Each rule lists letters that sound the same, and their digits at the start of a
 * name, before a vowel, and elsewhere. The rules and the examples in the tests are those of JewishGen.
 */
const RULES = `
  a e i o u: 0 - -; ai aj ay ei ej ey oi oj oy ui uj uy ue: 0 1 -; au: 0 7 -; eu: 1 1 -; ia ie io iu y: 1 - -;
  b f v w p fb pf ph: 7 7 7; d t th dt: 3 3 3; g k q kh: 5 5 5; h: 5 5 -; l: 8 8 8; m n: 6 6 6; mn nm: 66 66 66;
  r: 9 9 9; x ks chs: 5 54 54; ţ ț: 3|4 3|4 3|4; ę ą: - - |6; c ch: 4|5 4|5 4|5; ck: 5|45 5|45 5|45;
  rs rz: 4|94 4|94 4|94; j: 1|4 |4 |4; scht schd sht szt shd szd zhd st sd zd: 2 43 43;
  schtsch schtsh schtch shtch shtsh stsch zhdzh shch stch strz strs stsh szcz szcs zdzh zdz sc: 2 4 4;
  s z ttsch ttch tsch ttsz zsch csz czs drz drs dsh dsz dzh dzs sch tch trz trs tsh tts ttz tzs tsz zsh cz cs ds dz sh
  sz ts tc tz zh zs: 4 4 4`;

interface Rule {
  readonly letters: string;
  readonly atStart: readonly string[];
  readonly beforeVowel: readonly string[];
  readonly elsewhere: readonly string[];
}

const LENGTH = 6;

const codes = (text = '') => text.replaceAll('-', '').split('|');

/** The rules by their first letter, the longest first. */
const rules = Map.groupBy(
  RULES.split(';')
    .flatMap((line): Rule[] => {
      const [all = '', sounds = ''] = line.split(':');
      const [atStart, beforeVowel, elsewhere] = sounds.trim().split(' ').map(codes);
      return all
        .trim()
        .split(/\s+/)
        .map((letters) => ({
          letters,
          atStart: atStart ?? [],
          beforeVowel: beforeVowel ?? [],
          elsewhere: elsewhere ?? [],
        }));
    })
    .toSorted((a, b) => b.letters.length - a.letters.length),
  ({ letters }) => letters[0],
);

/** One possible pronunciation of a name. */
interface Branch {
  readonly code: string;
  readonly last: string | undefined;
}

/** Returns the codes of a name, or none if no letter of the name has a code. */
function soundex(name: string): readonly string[] {
  const letters = cleaned(name);
  let branches: readonly Branch[] = [{ code: '', last: undefined }];
  let before = '';
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] as string;
    const rule = rules.get(letter)?.find((one) => letters.startsWith(one.letters, at));
    if (rule === undefined) continue;
    const isVowelNext = /[aeiou]/.test(letters[at + rule.letters.length] ?? '');
    const sounds = before === '' ? rule.atStart : isVowelNext ? rule.beforeVowel : rule.elsewhere;
    const isPair = (before === 'm' && letter === 'n') || (before === 'n' && letter === 'm');
    const next = branches.flatMap((branch) => sounds.map((sound) => continued(branch, sound, isPair)));
    branches = [...new Map(next.map((branch) => [branch.code, branch])).values()];
    before = letter;
    if (branches.every(({ code }) => code.length === LENGTH)) break;
    at += rule.letters.length - 1;
  }
  return before === '' ? [] : [...new Set(branches.map(({ code }) => code.padEnd(LENGTH, '0')))];
}

function continued({ code, last }: Branch, sound: string, isPair: boolean): Branch {
  const isNew = last === undefined || !last.endsWith(sound) || isPair;
  return { code: isNew ? (code + sound).slice(0, LENGTH) : code, last: sound };
}

function cleaned(name: string): string {
  const lower = name
    .toLowerCase()
    .replaceAll('ß', 's')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'a');
  return lower.replaceAll(/[^a-zţțęą]/g, (one) => one.normalize('NFD')[0] ?? '').replaceAll(/\s/g, '');
}

/** Maximum number of characters of a name. Longer terms are not names, and can have a hundred codes. */
const LONGEST_NAME = 255;

/**
 * Replaces each term by its codes at the same position. A term without codes stays. With `keepOriginals`, the
 * term itself comes before its codes.
 */
export function daitchMokotoffSoundex(keepOriginals: boolean): TokenFilter {
  return tokenFilter((token) => {
    if (token.term.length > LONGEST_NAME) return [token];
    const made = soundex(token.term).map((term) => ({ ...token, term }));
    return keepOriginals || made.length === 0 ? [token, ...made] : made;
  });
}
