import { createInterface } from 'node:readline'
import { Refusal } from '../cli/refusal.ts'

/** A question of `svc init`. */
export interface Question<T> {
  /** Text of the question, without a question mark. */
  readonly text: string
  /** The option that answers it, as it is written on the command line. */
  readonly option: string
  /** Answer to an empty line, and with --yes. Without one an answer is needed. */
  readonly fallback?: string
  /** Reads an answer. @throws an Error whose sentence says what would be right */
  read(answer: string): T | Promise<T>
}

/** Asks on the terminal, or, with --yes, takes fallbacks and notes what lacks one. */
export interface Questions {
  /**
   * @param answer the option's value, if it was given: then nothing is asked
   * @returns null where nothing is asked and there is no fallback; it is noted for `assertComplete`
   * @throws Refusal for an option's value that does not fit, and when the answers end
   */
  ask<T>(question: Question<T>, answer?: string): Promise<T | null>
  /** Tells the person something that is no question. */
  tell(line: string): void
  /** Whether somebody can be asked. */
  readonly isOpen: boolean
  /** @throws Refusal that names every option that is needed and was not given */
  assertComplete(): void
  close(): void
}

/** Makes the asker of one run's questions. @param isSilent true with --yes: nothing is asked */
export function createQuestions(isSilent: boolean): Questions {
  const isPerson = process.stdin.isTTY === true
  const terminal = isSilent ? null : createInterface({ input: process.stdin, output: process.stderr, terminal: isPerson })
  const lines = terminal?.[Symbol.asyncIterator]()
  const missing: string[] = []

  async function answerTo<T>({ text, option, fallback, read }: Question<T>): Promise<T> {
    for (;;) {
      const prompt = `${text}${fallback === undefined ? '' : ` [${fallback}]`}: `
      if (isPerson && terminal !== null) {
        terminal.setPrompt(prompt)
        terminal.prompt()
      } else process.stderr.write(prompt)
      const line = await lines?.next()
      if (line === undefined || line.done)
        throw new Refusal(`There was no answer to "${text}". Give it as ${option}; with --yes what has a default takes it.`)
      const answer = line.value.trim() || fallback
      try {
        if (answer === undefined) throw new Error('It has no default, so an answer is needed.')
        return await read(answer)
      } catch (error) {
        console.error(`  ${sentence(error)}`)
      }
    }
  }

  return {
    isOpen: !isSilent,
    async ask(question, answer) {
      const { option, fallback, read } = question
      if (answer !== undefined) {
        try {
          return await read(answer)
        } catch (error) {
          throw new Refusal(`${option}: ${sentence(error)}`, { cause: error })
        }
      }
      if (!isSilent) return await answerTo(question)
      if (fallback !== undefined) return await read(fallback)
      missing.push(option)
      return null
    },
    tell(line) {
      if (!isSilent) console.error(line)
    },
    assertComplete() {
      if (missing.length === 0) return
      throw new Refusal(
        `With --yes nothing is asked, and these have no default:\n${missing.map((option) => `  ${option}`).join('\n')}\nGive them, or leave out --yes to be asked.`,
      )
    },
    close: () => terminal?.close(),
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
