import type { AnyFamily } from './family.ts'

/**
 * Makes a function that replaces a good answer by an invalid one.
 *
 * @param kind which of those that the family knows
 * @param sent is told what was sent, and how many kinds there are
 */
export function garble(family: Pick<AnyFamily, 'garble'>, kind: number, sent: (text: string, kinds: number) => void) {
  return async (good: Response): Promise<Response> => {
    const type = good.headers.get('content-type') ?? 'application/json'
    // What is no text goes through as one character a byte.
    const encoding = /json/.test(type) ? 'utf8' : 'latin1'
    const garbled = family.garble(Buffer.from(await good.arrayBuffer()).toString(encoding))
    const text = garbled[kind] ?? 'null'
    sent(text, garbled.length)
    return new Response(Buffer.from(text, encoding), { status: 200, headers: { 'content-type': type } })
  }
}
