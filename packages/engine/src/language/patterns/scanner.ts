/** Reads a pattern from left to right. */
export class Scanner {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get ended(): boolean {
    return this.#at >= this.#source.length;
  }

  take(): string {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) as number);
    this.#at += character.length;
    return character;
  }

  /** Consumes the next characters if they match. */
  taken(expected: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(expected.source, 'yu');
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#source);
    if (found === null) return undefined;
    this.#at = sticky.lastIndex;
    return found;
  }

  follows(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  /** Consumes everything up to and including `text`, or everything if it does not occur. */
  takeTo(text: string): string {
    const end = this.#source.indexOf(text, this.#at);
    const found = this.#source.slice(this.#at, end === -1 ? undefined : end);
    this.#at = end === -1 ? this.#source.length : end + text.length;
    return found;
  }
}
