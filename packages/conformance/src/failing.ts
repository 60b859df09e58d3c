import { isServiceError } from '@svc/contract'
import { type Check, messageOf, shown } from './check.ts'
import { garble } from './garble.ts'
import type { Subject } from './subject.ts'

/** Most calls of a reading whose failure is tried one by one. */
const MOST_SOURCES = 10

/**
 * Makes each call of a reading fail, and then get an invalid answer: the reading must then be refused with a 5xx, or still be right.
 *
 * @param name of the check
 * @param read by a connection that remembers nothing
 * @param flawOf returns why a reading is wrong; null when it is right
 */
export async function whileFailing<T>(
  { upstream, family }: Subject,
  check: Check,
  name: string,
  read: () => Promise<T>,
  flawOf: (reading: T) => string | null,
): Promise<void> {
  const wrong: string[] = []
  const hold = async (what: () => string) => {
    try {
      const flaw = flawOf(await read())
      if (flaw !== null) wrong.push(`${what()}: ${flaw}`)
    } catch (error) {
      if (!isServiceError(error) || error.statusCode < 500) wrong.push(`${what()}: ${messageOf(error)}`)
    }
  }
  try {
    const before = upstream.calls.length
    await read()
    const calls = Math.min(upstream.calls.length - before, MOST_SOURCES)
    for (let nth = 0; nth < calls; nth++) {
      const first = upstream.calls.length
      upstream.interfere((call) => (call === upstream.calls[first + nth] ? Promise.reject(new TypeError('fetch failed')) : null))
      await hold(() => `call ${nth + 1} fails`)
    }
    let kinds = 1
    for (let kind = 0; kind < kinds; kind++) {
      let sent = ''
      const garbling = garble(family, kind, (text, of) => {
        sent = text
        kinds = Math.max(kinds, of)
      })
      upstream.interfere(async (_call, pass) => garbling(await pass()))
      await hold(() => `the chain answers ${shown(sent, 60)}`)
    }
    check.equal(wrong, [], name)
    check.tried(calls + kinds, 'failing readings')
  } finally {
    upstream.interfere(null)
  }
}
