import { createHash } from 'node:crypto'
import { membersOf, type NetworkBase } from '@svc/contract'
import type { KeyStore } from '@svc/contract/host'
import type { FastifyBaseLogger } from 'fastify'

/** Longest key (`MOST_KEY`), and longest value as text, in characters. The values are small: a sample, a place in a list, the last good answer. */
const MOST_KEY = 64
const MOST_TEXT = 65_536
/** Most keys of one network in one process. */
const MOST_KEYS = 32

/** Texts by place and key, which the host keeps across restarts and for all replicas. */
export interface Records {
  /** Reads a text. @returns null when there is none. @throws when it cannot be read */
  read(place: string, key: string): Promise<string | null>
  /** Replaces the text; of two that are written at once, one stays. @throws when it cannot be written */
  write(place: string, key: string, text: string): Promise<void>
}

/** Makes a network's own store within the host's records. */
export function createKeyStore(records: Records, place: string, log: Pick<FastifyBaseLogger, 'warn'>): KeyStore {
  /** Values that this process wrote or read last, for when the database is away. */
  const cache = new Map<string, string>()
  return {
    async get(key) {
      try {
        const text = await records.read(place, key)
        if (text !== null) cache.set(key, text)
      } catch (error) {
        log.warn({ err: error, place, key }, 'what was kept could not be read; this process goes by what it knows itself')
      }
      const text = cache.get(key)
      if (text === undefined) return undefined
      try {
        return readKept(text)
      } catch (error) {
        log.warn({ err: error, place, key }, 'what was kept cannot be understood and is left out')
        return undefined
      }
    },
    async put(key, value) {
      const text = writeKept(value)
      if (key.length === 0 || key.length > MOST_KEY) throw new TypeError(`key "${key}" is not of 1 to ${MOST_KEY} characters`)
      if (text.length > MOST_TEXT) throw new TypeError(`${key} has ${text.length} characters as text; at most ${MOST_TEXT} are kept`)
      if (!cache.has(key) && cache.size >= MOST_KEYS) throw new TypeError(`${key} would be one key more than the ${MOST_KEYS} of a network`)
      cache.set(key, text)
      try {
        await records.write(place, key, text)
      } catch (error) {
        log.warn({ err: error, place, key }, 'a value could not be kept; this process still has it')
      }
    },
  }
}

/** Makes records that last as long as the process: for tests, and for a look at a network without the service. */
export function memoryRecords(): Records {
  const texts = new Map<string, string>()
  const name = (place: string, key: string) => JSON.stringify([place, key])
  return {
    read: async (place, key) => texts.get(name(place, key)) ?? null,
    write: async (place, key, text) => void texts.set(name(place, key), text),
  }
}

/** Settings that change nothing of what is read from the chain. */
const UNRELATED: ReadonlySet<string> = new Set(['name', 'maxFee', 'max_fee', 'price_id'])

/**
 * Returns the place of a network's values: by plugin, chain and the settings that the values follow from, so that a network with
 * another validator never meets the values of this one.
 */
export function placeOf(plugin: string, network: NetworkBase): string {
  const sorted = Object.entries(network)
    .filter(([name]) => !UNRELATED.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `${plugin} ${network.chainId} ${createHash('sha256').update(writeKept(sorted)).digest('hex').slice(0, 16)}`
}

/** Writes JSON in which a bigint is `{"$bigint":"…"}`. @throws TypeError for what would not come back as it went */
function writeKept(value: unknown): string {
  return JSON.stringify(plain(value))
}

function plain(value: unknown): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'bigint') return { $bigint: String(value) }
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype && !Object.hasOwn(value, '$bigint'))
    return Object.fromEntries(Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, plain(member)]])))
  throw new TypeError(`a ${Array.isArray(value) ? 'list' : typeof value} (${String(value).slice(0, 40)}) cannot be kept`)
}

function readKept(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '$bigint')) return value
    return BigInt(String(membersOf(value).$bigint))
  })
}
