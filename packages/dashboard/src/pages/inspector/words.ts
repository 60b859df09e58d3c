import type { Inspection, Reading } from '@svc/verify/inspect'
import { formatUnits } from '@svc/verify/intent'

/** A line of a list of facts: what it is, and its value; `amount` with its unit, `address` to be copied whole, or a `text`. */
export interface Line {
  readonly label: string
  readonly kind: 'amount' | 'address' | 'text' | 'code'
  readonly value: string
  readonly unit?: string
  /** Beside it. */
  readonly note?: string
}

type Move = Reading['moves'][number]

const KINDS: Readonly<Record<Move['kind'], string>> = {
  leaves: 'Leaves the wallet',
  staked: 'Staked',
  freed: 'Freed',
  arrives: 'Arrives',
}

/** Lists the moves, the fee, the signers and the validity: all that one reads before signing. */
export function factLines({ moves, maxFee, terms, signers, validity, hash, txHash, form }: Reading): readonly Line[] {
  return [
    ...moves.map((move) => moveLine(move, terms)),
    { label: 'Fee at most', kind: 'amount', value: formatUnits(maxFee, terms.decimals), unit: terms.symbol },
    ...(signers.length === 0
      ? [{ label: 'Signer', kind: 'text', value: 'not in the bytes until it is signed' } as const]
      : signers.map(signerLine)),
    { label: 'Valid', kind: 'text', value: validity.replace(/^valid /, '') },
    { label: 'Chain', kind: 'text', value: terms.caip2 },
    ...(hash === null
      ? []
      : [{ label: form === 'signed' ? 'Hash that was signed' : 'Hash to be signed', kind: 'address', value: hash } as const]),
    ...(txHash === null ? [] : [{ label: 'Transaction hash', kind: 'address', value: txHash } as const]),
  ]
}

function moveLine({ kind, asset, amount }: Move, { decimals, symbol }: Reading['terms']): Line {
  const label = KINDS[kind]
  if (amount === null)
    return {
      label,
      kind: 'text',
      value: asset === 'native' ? `${symbol}, the bytes do not say how much` : `the token ${asset}, the bytes do not say how much`,
    }
  if (asset === 'native') return { label, kind: 'amount', value: formatUnits(amount, decimals), unit: symbol }
  return { label, kind: 'amount', value: String(amount), unit: 'base units', note: `of the token ${asset}` }
}

const SIGNED = {
  missing: 'has not signed yet',
  right: 'signed, rightly',
  wrong: 'signed WRONGLY',
  unchecked: 'signed; whether rightly the bytes alone do not tell',
} as const

function signerLine({ address, signature }: Reading['signers'][number]): Line {
  return { label: 'Signer', kind: 'address', value: address, note: SIGNED[signature] }
}

/** Lists the lines on a call, with every argument in full. */
export function callLines(
  { target, method, args, value }: Reading['calls'][number],
  { called, terms }: Pick<Reading, 'called' | 'terms'>,
): readonly Line[] {
  return [
    { label: called, kind: 'address', value: target },
    { label: 'What', kind: 'code', value: method === '' ? 'a plain transfer' : method },
    ...Object.entries(args).flatMap(([name, each]) => argumentLines(name, each)),
    ...(value === 0n
      ? []
      : [{ label: 'Sent along', kind: 'amount', value: formatUnits(value, terms.decimals), unit: terms.symbol } as const]),
  ]
}

type Argument = Reading['calls'][number]['args'][string]

function argumentLines(label: string, value: Argument): readonly Line[] {
  if (typeof value === 'object') {
    if (value.length === 0) return [{ label, kind: 'text', value: 'an empty list' }]
    return value.flatMap((each, i) => argumentLines(`${label} ${i + 1}`, each))
  }
  return [
    { label, kind: typeof value === 'string' && value !== '' ? 'address' : 'code', value: value === '' ? 'an empty text' : String(value) },
  ]
}

/** Says where the transaction is from, in a few words: its network and family, its form, and what it was handed over as. */
export function origin({ network, title, form, what }: Reading): string {
  return `${network}${network.includes(title) ? '' : ` (${title})`}, ${form}: ${what}`
}

/** Says the outcome in one sentence, to be read out. */
export function outcome(inspection: Inspection): string {
  if (inspection.kind === 'unreadable') return `It cannot be read. ${inspection.why}`
  if (inspection.kind !== 'read') return ''
  const [first] = inspection.readings
  if (!first) return ''
  const differ = first.agreements[0]?.differ.length ?? 0
  const { asks, strange } = sorted(first)
  const parts = [
    ...asks.map(({ title }) => title),
    ...(asks.length > 0 && strange.length === 0 ? [] : [count(strange.length, 'unusual thing')]),
    ...(first.agreements.length === 0 ? [] : [`${count(differ, 'difference')} from the agreed terms`]),
  ]
  return `${inspection.readings.length > 1 ? 'It can be read in more than one way. ' : ''}${first.sentence} ${parts.join(', ')}.`
}

/** Separates what only the reader can answer from what is unusual in itself. */
export function sorted({ unusual }: Pick<Reading, 'unusual'>): Readonly<Record<'asks' | 'strange', Reading['unusual']>> {
  return { asks: unusual.filter(({ level }) => level === 'ask'), strange: unusual.filter(({ level }) => level !== 'ask') }
}

/** Writes a number with its word: `1 term`, `3 terms`, `no terms`. */
export function count(number: number, word: string): string {
  return `${number === 0 ? 'no' : number} ${word}${number === 1 ? '' : 's'}`
}

/** Names in a row: `one, two and three`. */
export function listed(names: readonly string[]): string {
  const [last = '', ...others] = [...names].reverse()
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`
}
