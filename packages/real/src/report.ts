/** Report of what was found true or false, as lines on stdout and as two counts. */
export interface Report {
  /** One assertion. @param sentence what holds. @param detail what was found instead, printed when it does not */
  check(sentence: string, holds: boolean, detail?: unknown): void
  /** An equality of texts, numbers or whatever JSON holds. @param sentence what holds */
  equal(sentence: string, actual: unknown, expected: unknown): void
  /**
   * Opens an assertion about many things of a kind, of which each wrong one is kept.
   *
   * @returns `note` for each; `close` prints how many there were, and is wrong where one was, or none was there at all
   */
  tally(sentence: string): Tally
  /** A line that is no assertion, such as a measured figure. */
  say(line: string): void
  /** The same, with a further word before each line. */
  within(word: string): Report
}

/** An assertion about many things. */
interface Tally {
  note(holds: boolean, detail: () => string): void
  /** Returns how many there were until now. */
  count(): number
  close(): void
}

/** Numbers of assertions that held, and that did not. */
interface Counts {
  passed: number
  failed: number
}

/** Most wrong things of a tally that are printed. */
const SHOWN = 8

/**
 * Makes a report.
 *
 * @param counts what is counted into
 * @param write takes a line
 */
export function createReport(counts: Counts, write: (line: string) => void, words: readonly string[] = []): Report {
  const place = words.join(' ')
  const check = (sentence: string, holds: boolean, detail?: unknown) => {
    if (holds) counts.passed++
    else counts.failed++
    write(`${holds ? 'ok  ' : 'FAIL'} ${place}: ${sentence}`)
    if (!holds && detail !== undefined) for (const line of textOf(detail).split('\n')) write(`       ${line}`)
  }
  return {
    check,
    equal(sentence, actual, expected) {
      check(sentence, textOf(actual) === textOf(expected), `expected ${textOf(expected)}\nfound    ${textOf(actual)}`)
    },
    tally(sentence) {
      let total = 0
      const wrong: string[] = []
      return {
        note(holds, detail) {
          total++
          if (!holds) wrong.push(detail())
        },
        count: () => total,
        close() {
          const more = wrong.length > SHOWN ? [`and ${wrong.length - SHOWN} more`] : []
          const nothing = total === 0 ? ['nothing of the kind was there to look at'] : []
          check(
            `${sentence} (${total - wrong.length} of ${total})`,
            total > 0 && wrong.length === 0,
            [...wrong.slice(0, SHOWN), ...more, ...nothing].join('\n'),
          )
        },
      }
    },
    say: (line) => write(`     ${place}: ${line}`),
    within: (word) => createReport(counts, write, [...words, word]),
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Error)
    return [value.stack ?? value.message, ...(value.cause instanceof Error ? [`by ${textOf(value.cause)}`] : [])].join('\n')
  return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}` : member)) ?? String(value)
}
