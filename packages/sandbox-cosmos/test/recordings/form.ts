/** Answers as far as a stand-in can equal them: what only time, keys and amounts decide is masked, everything else stays. */

/** Masks an answer, member by member. @param name of the member */
export function formOf(value: unknown, name = '', parent = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => formOf(each, name, parent))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, formOf(each, key, name)]))
  // The place in a block depends on who else was there.
  if (name === 'index' && typeof value === 'number') return 'index'
  if (typeof value !== 'string') return value
  if (holdsMessage(parent, name) && value !== '') return messageOf(Buffer.from(value, 'base64'))
  if (BYTES.has(name) && value !== '') return `bytes(${Buffer.from(value, 'base64').length})`
  return textOf(value)
}

/** Whether a member holds a message in base64: the answer of a query, or of the messages of a transaction. */
function holdsMessage(parent: string, name: string): boolean {
  return parent === 'response' ? name === 'value' : name === 'data' && parent !== 'error'
}
/** Members that hold bytes in base64, of which only the length can be equal. */
const BYTES = new Set(['app_hash', 'last_block_app_hash', 'signature'])

/** Accounts of the recorded validators' keys, to which tips go in turn. */
const PROPOSERS =
  /(cosmos|celestia)1(9j5xg8gg3el2lpndwyl2uf8m8cchgg5z|0tyae9kal89lxxdrme3t52n4sfvnrm5m|n3cjlptyynea9mps7kjym46n2lq42r72|kjlk35d02pa7ayj5v9ras8stgzlqnrht)[a-z0-9]{6}/g

/** Masks a text: digits that are no part of a word, hashes and times. Zero stays zero. */
export function textOf(text: string): string {
  if (/^[0-9A-F]{40}$|^[0-9A-F]{64}$/.test(text)) return `hash(${text.length})`
  if (text.startsWith('<html>')) return '<html>'
  return (
    text
      // Protocol Buffers for Go write a space of either kind, so that nobody reads their texts.
      .replaceAll('\u00a0', ' ')
      .replace(PROPOSERS, 'PROPOSER')
      .replace(/\b[0-9A-F]{64}\b/g, 'HASH')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (_, fraction?: string) =>
        fraction === undefined ? 'SECONDS' : fraction.length < 6 ? 'MILLIS' : 'NANOS',
      )
      .replace(/(?<![A-Za-z0-9])\d+\.\d{18}(?!\d)/g, (dec) => (/[1-9]/.test(dec) ? 'DEC' : dec))
      .replace(/(?<![A-Za-z0-9])\d+/g, (digits) => (/^0+$/.test(digits) ? digits : '#'))
  )
}

/** Reads bytes as protobuf without knowing the message: numbers and kinds of fields, texts, and what is nested. */
export function messageOf(bytes: Uint8Array): unknown {
  const fields = fieldsOf(bytes)
  return fields ?? `bytes(${bytes.length})`
}

function fieldsOf(bytes: Uint8Array): unknown[] | undefined {
  const fields: unknown[] = []
  let position = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const digit = bytes[position++]
      if (digit === undefined || shift > 63n) return undefined
      value |= BigInt(digit & 127) << shift
      if (digit < 128) return value
    }
  }
  while (position < bytes.length) {
    const tag = varint()
    if (tag === undefined || tag >> 3n === 0n || tag >> 3n > 100n) return undefined
    const [field, kind] = [Number(tag >> 3n), Number(tag & 7n)]
    if (kind === 0) {
      const value = varint()
      if (value === undefined) return undefined
      fields.push(`${field}: ${value === 0n ? '0' : value > 1n << 62n ? 'minus' : '#'}`)
    } else if (kind === 1) {
      position += 8
      fields.push(`${field}: double`)
    } else if (kind === 2) {
      const length = varint()
      if (length === undefined || position + Number(length) > bytes.length) return undefined
      const inside = bytes.subarray(position, position + Number(length))
      position += Number(length)
      fields.push([field, insideOf(inside)])
    } else return undefined
    if (position > bytes.length) return undefined
  }
  return fields
}

function insideOf(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return ''
  if (bytes.every((byte) => byte >= 32 && byte < 127)) return textOf(Buffer.from(bytes).toString())
  return fieldsOf(bytes) ?? `bytes(${bytes.length})`
}

/** Places in which two forms differ, each with both. */
export function differences(real: unknown, here: unknown, path = ''): string[] {
  if (JSON.stringify(real) === JSON.stringify(here)) return []
  if (Array.isArray(real) && Array.isArray(here) && real.length === here.length)
    return real.flatMap((each, index) => differences(each, here[index], `${path}[${index}]`))
  if (Array.isArray(real) && Array.isArray(here)) {
    const at = real.findIndex((each, index) => JSON.stringify(each) !== JSON.stringify(here[index]))
    const [from, to] = [at < 0 ? real.length : at, (at < 0 ? real.length : at) + 1]
    return [`${path}[${from}] of ${real.length} and ${here.length}: real ${show(real.slice(from, to))} here ${show(here.slice(from, to))}`]
  }
  if (isObject(real) && isObject(here)) {
    const names = [...new Set([...Object.keys(real), ...Object.keys(here)])]
    const found = names.flatMap((name) => differences(real[name], here[name], `${path}.${name}`))
    return found.length > 0 ? found : [`${path}: order of members: real ${Object.keys(real).join()} here ${Object.keys(here).join()}`]
  }
  return [`${path}: real ${show(real)} here ${show(here)}`]
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 500)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
