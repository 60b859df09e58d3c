/** Percentiles of what was measured, in the unit it was measured in. */
interface Spread {
  readonly p50: number
  readonly p99: number
}

/** Returns the median and the 99th percentile of measured values, in their own unit; NaN when there are none. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

/** Runs a few times to warm up, then as often as told, one after the other. @returns milliseconds */
export async function timed(times: number, run: (index: number) => unknown): Promise<Spread> {
  for (let index = 0; index < Math.min(times, 50); index++) await run(-1 - index)
  const values: number[] = []
  for (let index = 0; index < times; index++) {
    const from = performance.now()
    await run(index)
    values.push(performance.now() - from)
  }
  return spreadOf(values)
}

/** A table of text, first column to the left, the rest to the right. */
export function table(title: string, head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [head, ...rows.map((row) => row.map(String))]
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ')
  return [`\n${title}`, line(cells[0]!), widths.map((width) => '-'.repeat(width)).join('  '), ...cells.slice(1).map(line)].join('\n')
}

/** Writes milliseconds for a table of figures, such as `0.412 ms` and `12.3 ms`. */
export const ms = (value: number): string => `${value < 1 ? value.toFixed(3) : value.toFixed(1)} ms`
