import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What was asked, as a recording keeps it. */
export interface Asked {
  /** Method and path. @example POST / */
  readonly http: string
  /** JSON, or a text where it is none; left out for a GET. */
  readonly body?: unknown
}

/** Writes answers of a node as files of `@svc/testing/recordings`. */
export interface Recorder {
  /** Whether recordings are wanted. */
  readonly wanted: boolean
  /**
   * Asks a node and keeps question and answer.
   *
   * @param name of the file, without its ending
   * @param situation in one sentence
   * @returns the answer's body, as JSON where it is
   */
  ask(url: string, name: string, situation: string, asked: Asked): Promise<unknown>
  /** Keeps an answer that somebody else got. */
  keep(name: string, situation: string, asked: Asked, response: Response): Promise<void>
}

/** An answer, as a recording keeps it. */
export interface Response {
  readonly status: number
  readonly contentType?: string
  readonly body: unknown
}

const FOLDER = join(import.meta.dirname, '../../testing/recordings')

/**
 * Makes a recorder.
 *
 * @param node folder of the recordings
 * @param software what answers, with its version
 */
export function createRecorder(node: string, software: string, wanted: boolean): Recorder {
  const keep: Recorder['keep'] = async (name, situation, request, response) => {
    if (!wanted) return
    await mkdir(join(FOLDER, node), { recursive: true })
    await writeFile(join(FOLDER, node, `${name}.json`), `${JSON.stringify({ situation, software, request, response }, null, 2)}\n`)
  }
  return {
    wanted,
    keep,
    async ask(url, name, situation, asked) {
      const [method = 'GET', path = '/'] = asked.http.split(' ')
      const body = asked.body === undefined ? undefined : typeof asked.body === 'string' ? asked.body : JSON.stringify(asked.body)
      const answer = await fetch(new URL(path, url), {
        method,
        ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
      })
      const text = await answer.text()
      const contentType = answer.headers.get('content-type')
      const read = jsonOf(text)
      await keep(name, situation, asked, { status: answer.status, ...(contentType ? { contentType } : {}), body: read })
      return read
    },
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
