import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Nodes whose answers are kept; each has a folder of that name. */
export type RecordedNode = 'hub' | 'celestia' | 'geth' | 'anvil' | 'solana'

/** One question to a real node, and the answer. Written by `pnpm real --record`; never by hand. */
export interface Recording {
  /** File name without its ending. @example broadcast-twice-landed */
  readonly name: string
  /** The situation in one sentence. */
  readonly situation: string
  /** Software and versions that answered. */
  readonly software: string
  /** `http` is method and path; `body` is missing for a GET, and a text where the body was no JSON. */
  readonly request: { readonly http: string; readonly body?: unknown; readonly cut?: string; readonly note?: string }
  readonly response: { readonly status: number; readonly contentType?: string; readonly body: unknown; readonly cut?: string }
  /** Name of the part where the body is a part of the answer. */
  readonly part?: string
}

const FOLDER = join(import.meta.dirname, '../recordings')

/**
 * Reads all recordings of a node.
 *
 * @returns by name, in the order of the names
 */
export function recordings(node: RecordedNode): ReadonlyMap<string, Recording> {
  const files = readdirSync(join(FOLDER, node))
    .filter((file) => file.endsWith('.json'))
    .sort()
  return new Map(files.map((file) => [file.slice(0, -'.json'.length), recording(node, file.slice(0, -'.json'.length))]))
}

/** Reads one recording. @throws Error where there is none of that name */
export function recording(node: RecordedNode, name: string): Recording {
  return { name, ...(JSON.parse(readFileSync(join(FOLDER, node, `${name}.json`), 'utf8')) as Omit<Recording, 'name'>) }
}
