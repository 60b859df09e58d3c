/** Columns as wide as their widest cell, two spaces apart, nothing at a line's end. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A moment to the minute, in UTC; `-` for none. */
export function minute(date: Date | null): string {
  return date === null ? '-' : date.toISOString().slice(0, 16).replace('T', ' ')
}

/** Text on one line of a terminal: nothing that moves the cursor. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

/** Keeps the rest of a pipeline's end from looking like a fault here: `svc audit | head`. */
export function endQuietlyWithPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
}
