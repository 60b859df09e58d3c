import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shapeOf } from './shape.ts'

/** Question, as a recording keeps it. */
interface Asked {
  /** Method and path. @example POST / */
  readonly http: string
  /** JSON, or a text where it is none; left out for a GET. */
  readonly body?: unknown
  /** Length of the kept part of a long body, of which only the beginning is kept: how much of how much. */
  readonly cut?: string
}

/** Writes answers of a node as files of `@svc/testing/recordings`. */
export interface Recorder {
  /** True if recordings are wanted. */
  readonly wanted: boolean
  /**
   * Asks a node and keeps question and answer.
   *
   * @param name of the file, without its ending
   * @param situation in one sentence
   * @returns the answer's body, as JSON where it is
   */
  ask(url: string, name: string, situation: string, wish: Asked): Promise<unknown>
  /** Reads what is recorded of the node until now. */
  known(): Promise<readonly Recorded[]>
  /**
   * Asks what a recording asks once more, and keeps the answer where its form is another one: so that what `git diff` shows is a change of the node, and not of the time.
   *
   * @returns whether it was kept
   */
  again(url: string, name: string, situation: string, question: Asked): Promise<boolean>
  /** Keeps an answer that somebody else got. */
  keep(name: string, situation: string, request: Asked, response: Response): Promise<void>
}

/** A recording, with its name. */
interface Recorded {
  readonly name: string
  readonly situation: string
  readonly request: Asked
  readonly response: Response
  /** Name of the part where the body is a part of the answer. */
  readonly part?: string
}

/** An answer, as a recording keeps it. */
interface Response {
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
export function createRecorder(node: string, software: string, isEnabled: boolean): Recorder {
  const keep: Recorder['keep'] = async (name, situation, request, response) => {
    if (!isEnabled) return
    await mkdir(join(FOLDER, node), { recursive: true })
    await writeFile(join(FOLDER, node, `${name}.json`), `${JSON.stringify({ situation, software, request, response }, null, 2)}\n`)
  }
  const fetched = async (url: string, inquiry: Asked): Promise<Response> => {
    const [method = 'GET', path = '/'] = inquiry.http.split(' ')
    const body = inquiry.body === undefined ? undefined : typeof inquiry.body === 'string' ? inquiry.body : JSON.stringify(inquiry.body)
    const answer = await fetch(new URL(path, url), {
      method,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    })
    const read = jsonOf(await answer.text())
    const contentType = answer.headers.get('content-type')
    return { status: answer.status, ...(contentType ? { contentType } : {}), body: read }
  }
  const recordings: Recorder['known'] = async () => {
    const files = (await readdir(join(FOLDER, node)).catch(() => [])).filter((file) => file.endsWith('.json')).sort()
    return Promise.all(
      files.map(async (file) => ({
        name: file.slice(0, -'.json'.length),
        ...JSON.parse(await readFile(join(FOLDER, node, file), 'utf8')),
      })),
    )
  }
  return {
    wanted: isEnabled,
    keep,
    known: recordings,
    async again(url, name, situation, wish) {
      const before = (await recordings()).find((each) => each.name === name)
      const response = await fetched(url, wish)
      const isSame = before !== undefined && shapeOf(before.response) === shapeOf(response)
      if (!isSame) await keep(name, situation, wish, response)
      return !isSame
    },
    async ask(url, name, situation, question) {
      const response = await fetched(url, question)
      await keep(name, situation, question, response)
      return response.body
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
