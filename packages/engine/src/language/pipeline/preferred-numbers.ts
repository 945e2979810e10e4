/**
 * Series of preferred numbers within one power of ten: ISO 3 (R), IEC 60063 (E), and 1-2-5. As in the server, `R80`
 * contains only the numbers that `R40` lacks.
 */
const written: Readonly<Record<string, string>> = {
  R5: '10 16 25 40 63',
  R10: '100 125 160 200 250 315 400 500 630 800',
  R20: '100 112 125 140 160 180 200 224 250 280 315 355 400 450 500 560 630 710 800 900',
  R40: `100 106 112 118 125 132 140 150 160 170 180 190 200 212 224 236 250 265 280 300 315 335 355 375 400
    425 450 475 500 530 560 600 630 670 710 750 800 850 900 950`,
  R80: `103 109 115 122 128 136 145 155 165 175 185 195 206 218 230 243 258 272 290 307 325 345 365 387 412
    437 462 487 515 545 575 615 650 690 730 775 825 875 925 975`,
  '1-2-5': '10 20 50',
  E6: '10 15 22 33 47 68',
  E12: '10 12 15 18 22 27 33 39 47 56 68 82',
  E24: '10 11 12 13 15 16 18 20 22 24 27 30 33 36 39 43 47 51 56 62 68 75 82 91',
};

/** Computes a series of three-digit numbers, the rounded powers of a root of ten. The standard rounds 919 up to 920. */
function geometric(count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => {
    const rounded = Math.round(100 * 10 ** (i / count));
    return rounded === 919 ? 920 : rounded;
  });
}

const computed: Readonly<Record<string, number>> = { E48: 48, E96: 96, E192: 192 };

/** Returns the series with this name in ascending order, or `undefined` if there is none. */
export function preferredNumbers(name: string): readonly number[] | undefined {
  const text = Object.hasOwn(written, name) ? written[name] : undefined;
  if (text !== undefined) return text.split(/\s+/).map(Number);
  const count = Object.hasOwn(computed, name) ? computed[name] : undefined;
  return count === undefined ? undefined : geometric(count);
}
