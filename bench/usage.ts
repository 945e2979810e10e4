/** Makes the process of a script answer its parent's question, what processor time it has taken. */
export function answerUsage(): void {
  process.on('message', () => process.send?.(process.cpuUsage()));
}
