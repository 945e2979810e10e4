/**
 * Distinguishes the texts that a page sets in an editor from those that the editor has reported itself. React passes a
 * reported text back to the editor a little later, when the person may already have typed more. The editor must not
 * restore this older text.
 */
export class Echoes {
  #reported: string[] = [];

  /** Records a text that the editor has reported after the person typed. */
  report(text: string): void {
    this.#reported.push(text);
  }

  /**
   * Returns whether the editor has reported this text. Forgets the text and all texts that the editor
   * reported earlier, because React does not pass them back any more. If the editor has not reported it,
   * forgets all texts.
   */
  isEcho(text: string): boolean {
    const at = this.#reported.indexOf(text);
    this.#reported = at < 0 ? [] : this.#reported.slice(at + 1);
    return at >= 0;
  }
}
