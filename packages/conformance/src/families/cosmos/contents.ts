import { present } from '../../present.ts'
import { edit, type Field, readFields, textBytes, valueAt, writeFields } from '../shared/protobuf.ts'

// Messages of whatever type, changed field by field without knowing what the fields mean: what a layout leaves out, or takes for something
// else, is a change that nobody notices.

/** A message's content with one thing changed. */
interface ContentChange {
  readonly name: string
  readonly body: Uint8Array
}

const MESSAGES = 1
const VALUE = 2

/** Makes every change of a single field in the messages of a body, at every depth; also with fields added, removed and exchanged. */
export function contentChanges(body: Uint8Array): readonly ContentChange[] {
  const fields = readFields(body)
  return fields.flatMap(({ number, value: message }, at) => {
    if (number !== MESSAGES || !(message instanceof Uint8Array)) return []
    const content = valueAt(message, [VALUE])
    if (!(content instanceof Uint8Array)) return []
    return changesOf(content, `message ${at}`).map(({ name, to }) => ({
      name,
      body: writeFields(
        fields.with(at, {
          number,
          value: edit(message, [], (all) => all.map((field) => (field.number === VALUE ? { number: VALUE, value: to } : field))),
        }),
      ),
    }))
  })
}

interface Change {
  readonly name: string
  readonly to: Uint8Array
}

function changesOf(content: Uint8Array, path: string): readonly Change[] {
  const fields = readFields(content)
  const change = (name: string, to: readonly Field[]): Change => ({ name: `${path}${name}`, to: writeFields(to) })
  const highest = Math.max(...fields.map(({ number }) => number))
  const absent = Array.from({ length: highest + 1 }, (_, i) => i + 1).filter((number) => !fields.some((field) => field.number === number))
  const sorted = (field: Field) => [...fields, field].sort((a, b) => a.number - b.number)
  return [
    ...absent.flatMap((number) => [
      change(`: field ${number} added, a number`, sorted({ number, value: 1n })),
      change(`: field ${number} added, a text`, sorted({ number, value: textBytes('1') })),
    ]),
    ...fields.flatMap((field, i) => {
      const { number, value } = field
      const where = `, field ${number}`
      const next = fields[i + 1]
      const exchanged =
        next && typeof next.value === typeof value && String(next.value) !== String(value)
          ? [change(`${where} exchanged with the next`, fields.with(i, { number, value: next.value }).with(i + 1, { ...next, value }))]
          : []
      return [
        change(`${where} taken away`, fields.toSpliced(i, 1)),
        change(`${where} twice`, fields.toSpliced(i, 0, field)),
        change(`${where} of another kind`, fields.with(i, { number, value: typeof value === 'bigint' ? textBytes('1') : 1n })),
        ...exchanged,
        ...valuesBeside(value).map(([how, other]) => change(`${where} ${how}`, fields.with(i, { number, value: other }))),
        ...(value instanceof Uint8Array && isMessage(value)
          ? changesOf(value, `${path}${where}`).map(({ name, to }) => ({ name, to: writeFields(fields.with(i, { number, value: to })) }))
          : []),
      ]
    }),
  ]
}

/** Values that differ from one in a single thing. */
function valuesBeside(value: bigint | Uint8Array): readonly (readonly [string, bigint | Uint8Array])[] {
  if (typeof value === 'bigint')
    return [
      ['+ 1', BigInt.asUintN(64, value + 1n)],
      ['with its highest bit turned', value ^ (1n << 63n)],
      ['with bit 32 turned', value ^ (1n << 32n)],
    ]
  const text = new TextDecoder().decode(value)
  const turned = (at: number) => value.with(at, present(value[at], `a byte ${at}`) ^ 1)
  return [
    ...(/^[0-9]+$/.test(text)
      ? ([
          ['+ 1', textBytes(String(BigInt(text) + 1n))],
          ['tenfold', textBytes(`${text}0`)],
        ] as const)
      : []),
    ...(value.length > 0
      ? ([
          ['with another first byte', turned(0)],
          ['with another byte in its middle', turned(value.length >> 1)],
          ['with another last byte', turned(value.length - 1)],
          ['without its last byte', value.subarray(0, -1)],
        ] as const)
      : []),
    ['with a byte more', Buffer.concat([value, Uint8Array.of(0x31)])],
  ]
}

/** Tells whether bytes could be a message of varints, texts and messages. No text of the chain reads as one. */
function isMessage(bytes: Uint8Array): boolean {
  try {
    return bytes.length > 0 && Buffer.compare(writeFields(readFields(bytes)), bytes) === 0
  } catch {
    return false
  }
}
