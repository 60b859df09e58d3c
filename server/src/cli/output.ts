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

/** Writes a moment to the second, in UTC, as an option takes it: 2030-12-31T23:59:59Z; `-` for none. */
export function moment(date: Date | null): string {
  return date === null ? '-' : date.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Writes records as JSON: each on a line, whether there are many or one. */
export function writeJson(...records: readonly unknown[]): void {
  for (const record of records) console.log(JSON.stringify(record))
}

/** Names the members of a record as the API does: `request_id`. What is in them stays as it is, since arguments of a transaction have names of their own. */
export function snaked(record: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [snake(name), value]))
}

/** Converts the names of members to snake_case, at every depth, but for data of a chain. @param kept members whose own names stay */
export function snakedDeep(value: unknown, kept: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => snakedDeep(each, kept))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [snake(name), kept.has(name) ? each : snakedDeep(each, kept)]))
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Shows a record for a person, a member on a line. */
export function writeMembers(record: object): void {
  const entries = Object.entries(record)
  const width = Math.max(...entries.map(([name]) => name.length)) + 2
  for (const [name, value] of entries) console.log(`${name.padEnd(width)}${plain(memberText(value))}`)
}

function memberText(value: unknown): string {
  if (value === null || value instanceof Date) return moment(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Makes a text fit for one line of a terminal: what moves the cursor is a space, what else cannot be seen a sign that can. It stands here, and not in the service,
 * which no command loads for it.
 */
export function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').replace(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd')
}

/** Keeps the rest of a pipeline's end from looking like a fault here: `svc audit | head`. */
export function endQuietlyWithPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
}
