import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shapeOf } from './shape.ts'

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
  /** Reads what is recorded of the node until now. */
  known(): Promise<readonly Recorded[]>
  /**
   * Asks what a recording asks once more, and keeps the answer where its form is another one: so that what `git diff` shows is a change of the node, and not of the time.
   *
   * @returns whether it was kept
   */
  again(url: string, name: string, situation: string, asked: Asked): Promise<boolean>
  /** Keeps an answer that somebody else got. */
  keep(name: string, situation: string, asked: Asked, response: Response): Promise<void>
}

/** A recording, with its name. */
export interface Recorded {
  readonly name: string
  readonly situation: string
  readonly request: Asked
  readonly response: Response
  /** Where the body is a part of the answer: which. */
  readonly part?: string
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
  const fetched = async (url: string, asked: Asked): Promise<Response> => {
    const [method = 'GET', path = '/'] = asked.http.split(' ')
    const body = asked.body === undefined ? undefined : typeof asked.body === 'string' ? asked.body : JSON.stringify(asked.body)
    const answer = await fetch(new URL(path, url), {
      method,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    })
    const read = jsonOf(await answer.text())
    const contentType = answer.headers.get('content-type')
    return { status: answer.status, ...(contentType ? { contentType } : {}), body: read }
  }
  const known: Recorder['known'] = async () => {
    const files = (await readdir(join(FOLDER, node)).catch(() => [])).filter((file) => file.endsWith('.json')).sort()
    return Promise.all(
      files.map(async (file) => ({
        name: file.slice(0, -'.json'.length),
        ...JSON.parse(await readFile(join(FOLDER, node, file), 'utf8')),
      })),
    )
  }
  return {
    wanted,
    keep,
    known,
    async again(url, name, situation, asked) {
      const before = (await known()).find((each) => each.name === name)
      const response = await fetched(url, asked)
      const isSame = before !== undefined && shapeOf(before.response) === shapeOf(response)
      if (!isSame) await keep(name, situation, asked, response)
      return !isSame
    },
    async ask(url, name, situation, asked) {
      const response = await fetched(url, asked)
      await keep(name, situation, asked, response)
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
