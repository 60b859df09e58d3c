import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseExact } from '../json.ts'
import type { TrustDocument } from '../trust.ts'
import { Mistake } from './outcome.ts'

/** Members of an object, whatever they are. */
export type Members = Readonly<Record<string, unknown>>

/** Reads a JSON file; numbers that a double cannot hold become text. @throws Mistake */
export async function readJson(folder: string, name: string): Promise<unknown> {
  const content = await readBytes(folder, name)
  try {
    return parseExact(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content))
  } catch {
    throw new Mistake(`${name} is not JSON, or has a member twice in one object, of which every reader takes another.`)
  }
}

/** Reads the bytes of a file. @throws Mistake */
export async function readBytes(folder: string, name: string): Promise<Uint8Array> {
  return await readFile(resolve(folder, name)).catch((error: unknown) => {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new Mistake(`${name} ${missing ? 'is not there' : 'cannot be read'}.`)
  })
}

/** Reads a JSON object from a file. @throws Mistake */
export async function readMembers(folder: string, name: string): Promise<Members> {
  return membersOf(await readJson(folder, name), name)
}

/** Reads response headers from a file, with their names in lower case; none without a file. @throws Mistake */
export async function readHeaders(folder: string, name: string | undefined): Promise<Readonly<Record<string, string>>> {
  if (name === undefined) return {}
  const headers: Record<string, string> = {}
  for (const [header, value] of Object.entries(await readMembers(folder, name))) {
    const key = header.toLowerCase()
    if (Object.hasOwn(headers, key)) throw new Mistake(`${name} has the header ${key} twice.`)
    headers[key] = String(value)
  }
  return headers
}

/** Reads a trust document from a file. @throws Mistake when it is of another shape */
export async function readTrust(folder: string, name: string): Promise<TrustDocument> {
  const document = await readMembers(folder, name)
  if (!isTrust(document))
    throw new Mistake(`${name} is no trust document: it has no list of protocols with their networks. \`svc trust\` prints one.`)
  return document
}

/** Tells whether a document has the shape of a trust document. */
export function isTrust(document: Members): document is Members & TrustDocument {
  const { protocols } = document
  const isListOf = (value: unknown, each: (item: Members) => boolean) =>
    Array.isArray(value) && value.every((item) => isMembers(item) && each(item))
  return (
    'version' in document &&
    isListOf(protocols, ({ path, networks }) => typeof path === 'string' && isListOf(networks, ({ terms }) => isMembers(terms)))
  )
}

/** Returns the transaction of an argument, or reads it from standard input for `-`. */
export function readTransaction(input: string): Promise<string> {
  return input === '-' ? text(process.stdin) : Promise.resolve(input)
}

function membersOf(value: unknown, name: string): Members {
  if (isMembers(value)) return value
  throw new Mistake(`${name} is not a JSON object.`)
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
