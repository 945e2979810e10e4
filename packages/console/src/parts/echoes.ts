/**
 * Distinguishes the texts that a page sets in an editor from those that the editor has reported itself. React passes a
 * reported text back to the editor a little later, when the person may already have typed more. The editor must not
 * restore this older text.
 */
export class Echoes {
  #reported: string[] = [];

  /** The editor reports a text that the person has typed. */
  report(text: string): void {
    this.#reported.push(text);
  }

  /** Whether the editor has reported this text. The texts that it reported earlier do not come back any more. */
  isEcho(text: string): boolean {
    const at = this.#reported.indexOf(text);
    this.#reported = at < 0 ? [] : this.#reported.slice(at + 1);
    return at >= 0;
  }
}
