import type { Value } from '@svc/verify'
import { formatUnits } from '@svc/verify/intent'
import { type Method, methodOf, type Param } from './method.ts'
import type { Source } from './sources.ts'

// A descriptor is made by having the intent say each method with values that nothing else could be, and by looking for them in what it said: so the
// sentence of a wallet has the words of ours, and each value the form that we give it.

/** A field of a descriptor, in the members that are used here. */
export interface Field {
  readonly path: string
  readonly label: string
  readonly format: 'raw' | 'amount' | 'unit' | 'addressName' | 'calldata'
  readonly params?: Readonly<Record<string, unknown>>
  readonly visible: 'always' | 'optional' | { readonly ifNotIn: readonly number[] }
}

export interface Format {
  readonly intent: string
  readonly interpolatedIntent?: string
  readonly fields: readonly Field[]
}

export interface Descriptor {
  readonly $schema: string
  readonly context: {
    readonly $id: string
    readonly contract: { readonly deployments: readonly { readonly chainId: number; readonly address: string }[] }
  }
  readonly metadata: { readonly owner: string; readonly contractName: string; readonly info: { readonly url: string } }
  readonly display: { readonly formats: Readonly<Record<string, Format>> }
}

/** Where it is in the registry, seen from an entity's folder. */
const SCHEMA = '../../specs/erc7730-v2.schema.json'
const SENT = 9_876_543_210_987_654_321n
const DECIMALS = 18

export function descriptorOf(source: Source): Descriptor {
  const { intent, terms, contract, owner, contractName, url } = source
  const methods = (intent.layouts(terms).methods ?? []).map((text) => [text, methodOf(text)] as const)
  return {
    $schema: SCHEMA,
    context: { $id: contractName, contract: { deployments: [{ chainId: Number(terms.chainId), address: contract }] } },
    metadata: { owner, contractName, info: { url } },
    display: { formats: Object.fromEntries(methods.map(([text, method]) => [method.key, formatOf(source, text, method)])) },
  }
}

/** A value of a call that can be recognised in a sentence. */
interface Mark {
  readonly path: string
  readonly label: string
  readonly type: string
  readonly value: bigint | string
}

function formatOf({ intent, terms, contract, deeds }: Source, text: string, { name, params }: Method): Format {
  const deed = deeds[name]
  if (deed === undefined) throw new Error(`${text} needs a short verb phrase`)
  const calls = params.find(({ type }) => type === 'bytes[]')
  if (calls) {
    const params = { calleePath: '@.to' }
    const inner: Field = { path: `${calls.name}.[]`, label: 'Call', format: 'calldata', params, visible: 'always' }
    return { intent: deed, fields: [inner, SENT_ALONG] }
  }
  const marks = marksOf(params, '')
  const args = Object.fromEntries(params.map((param) => [param.name, argOf(param, marks, param.name)]))
  const clause = intent.describe({ target: contract, method: text, args, value: SENT }, terms)
  if (!clause) throw new Error(`the intent does not describe ${text}`)
  const pays = clause.moves.some(({ kind, asset, amount }) => kind === 'leaves' && asset === 'native' && amount === SENT)
  const all: readonly Mark[] = [
    ...(pays ? [{ path: '@.value', label: 'Amount', type: 'uint256', value: SENT }] : []),
    ...marks,
    { path: '@.to', label: 'Contract', type: 'address', value: contract },
  ]
  let sentence = `${clause.text.charAt(0).toUpperCase()}${clause.text.slice(1)}`
  const shown: Field[] = []
  const hidden: Field[] = []
  for (const mark of all) {
    const { said, ...field } = fieldOf(mark, sentence, terms.symbol)
    if (said === null) hidden.push({ ...field, visible: 'optional' })
    else {
      sentence = sentence.replaceAll(said, `{${mark.path}}`)
      shown.push({ ...field, visible: 'always' })
    }
  }
  shown.sort((one, other) => sentence.indexOf(`{${one.path}}`) - sentence.indexOf(`{${other.path}}`))
  return { intent: deed, interpolatedIntent: sentence, fields: [...shown, ...hidden, ...(pays ? [] : [SENT_ALONG])] }
}

/** A sum that is sent along with a call that takes none is not hidden. */
const SENT_ALONG: Field = { path: '@.value', label: 'Sent along', format: 'amount', visible: { ifNotIn: [0] } }

/** How the sentence says a value, and so how a wallet has to. `said` is null where it does not. */
function fieldOf(
  { path, label, type, value }: Mark,
  sentence: string,
  symbol: string,
): Omit<Field, 'visible'> & { readonly said: string | null } {
  if (typeof value === 'bigint') {
    const units = formatUnits(value, DECIMALS)
    const [said = null, base] = new RegExp(`${units.replace('.', '\\.')} (\\w+)`).exec(sentence) ?? []
    if (said !== null && base === symbol) return { path, label, format: 'amount', said }
    if (said !== null && base !== undefined) return { path, label, format: 'unit', params: { base, decimals: DECIMALS }, said }
  }
  const raw = String(value)
  const said = sentence.includes(raw) ? raw : null
  if (type !== 'address') return { path, label, format: 'raw', said }
  const types = path === '@.to' ? ['contract'] : ['wallet', 'eoa', 'contract']
  return { path, label, format: 'addressName', params: { types }, said }
}

/** A value for each leaf, no two alike, and none that a sentence has by itself. */
function marksOf(params: readonly Param[], before: string): readonly Mark[] {
  return params.flatMap(({ type, name, members }, i): readonly Mark[] => {
    const path = `${before}${name}`
    if (members.length > 0) return marksOf(members, `${path}.`)
    const label = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    const at = before.length + i
    const byte = (0xa1 + at).toString(16)
    if (type.endsWith('[]')) return [{ path: `${path}.[]`, label, type: type.slice(0, -2), value: `0x${byte.repeat(32)}` }]
    if (type === 'address') return [{ path, label, type, value: `0x${byte.repeat(20)}` }]
    if (type === 'bytes32') return [{ path, label, type, value: `0x${byte.repeat(32)}` }]
    const [, bits] = /^u?int(\d+)$/.exec(type) ?? []
    if (bits === undefined) throw new Error(`${type} ${path} has no value to be recognised by`)
    return [{ path, label, type, value: Number(bits) < 64 ? BigInt(201 + at) : 1_234_567_890_123_456_789n + BigInt(at) * 1_111n }]
  })
}

function argOf({ type, name, members }: Param, marks: readonly Mark[], path: string): Value {
  if (members.length > 0) return members.map((member) => argOf(member, marks, `${path}.${member.name}`))
  const mark = marks.find((each) => each.path === (type.endsWith('[]') ? `${path}.[]` : path))
  if (!mark) throw new Error(`${name} has no value`)
  return type.endsWith('[]') ? [mark.value] : mark.value
}
