import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

export type Answer = Readonly<Record<string, any>>

/** `svc-verify serve`, running in a folder, and its two ends. */
export class Program {
  readonly child: ChildProcessWithoutNullStreams
  readonly #test: Test
  readonly #lines: AsyncIterator<string>
  constructor(t: Test, cwd: string, ...args: readonly string[]) {
    this.#test = t
    this.child = spawn(process.execPath, ['--conditions=@svc/source', main, 'serve', ...args], { cwd, stdio: 'pipe' })
    t.teardown(() => this.child.kill())
    const lines: Interface = createInterface({ input: this.child.stdout })
    this.#lines = lines[Symbol.asyncIterator]()
  }
  send(line: string): void {
    this.child.stdin.write(`${line}\n`)
  }
  /** Reads the next answer. @throws Error when the program has ended */
  async next(): Promise<Answer> {
    const { value, done } = await this.#lines.next()
    if (done) throw new Error('The program has ended.')
    return JSON.parse(value)
  }
  async ask(question: object): Promise<Answer> {
    this.send(JSON.stringify({ v: 1, id: 7, ...question }))
    const answer = await this.next()
    this.#test.equal(answer.id, 7)
    return answer
  }
}
