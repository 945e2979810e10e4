/** Makes a script report its CPU time when its parent process asks. */
export function answerUsage(): void {
  process.on('message', () => process.send?.(process.cpuUsage()));
}
