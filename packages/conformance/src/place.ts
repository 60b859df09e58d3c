import { fileURLToPath } from 'node:url'

/** A place in a test's own file. */
export interface Place {
  readonly fileName: string
  readonly lineNumber: number
  readonly columnNumber: number
}

/**
 * Finds the place from which a function was called, so that results are reported under the test that asked for them and not under this package.
 *
 * @param callee the function itself, which and what it calls are left out
 * @returns undefined where the engine does not tell
 * @see https://v8.dev/docs/stack-trace-api (read 2026-11-22)
 */
export function placeOfCall(callee: (...parameters: never[]) => unknown): Place | undefined {
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, callee)
  const [, file, line, column] = /(file:\/\/[^\s()]+|\/[^\s():]+):(\d+):(\d+)\)?$/m.exec(holder.stack ?? '') ?? []
  if (file === undefined) return undefined
  return {
    fileName: file.startsWith('file:') ? fileURLToPath(file) : file,
    lineNumber: Number(line),
    columnNumber: Number(column),
  }
}
