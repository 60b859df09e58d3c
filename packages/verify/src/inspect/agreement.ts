import type { NetworkTerms, ResponseStatements, TermValue } from '../intent/network.ts'
import type { Intent, TermKind } from '../intent/types.ts'
import { worded } from '../intent/worded.ts'
import { memberPath } from '../mismatch.ts'
import type { Mismatch } from '../types.ts'
import { type AnyTerms, judged, withoutFollowers } from './fit.ts'
import type { ProtocolReading } from './protocols.ts'
import type { PinnedTerms, TrustDocument } from './trust.ts'

/** Difference between a transaction and what it should be. */
export interface Difference {
  /** Title in a few words: `Number of the operator's validator`. */
  readonly title: string
  readonly agreed: string
  readonly found: string
  /** Agreed term that is broken; null for a difference that breaks the action itself, whatever the terms. */
  readonly term: string | null
}

/** Comparison of a transaction with agreed terms. */
export interface Agreement {
  readonly account: string
  readonly baseUrl: string
  /** Path of the protocol, behind the prefix of the API. */
  readonly path: string
  readonly chainId: string
  /** Terms that the transaction keeps, and that it would break if they had other values. */
  readonly agree: readonly { readonly term: string; readonly title: string; readonly value: string }[]
  readonly differ: readonly Difference[]
  /** Terms that the transaction does not touch, in words. */
  readonly silent: readonly string[]
}

/** Sorts the agreed terms into those that a transaction keeps, breaks, and does not touch: each term is changed in turn, to see whether the check would notice. */
export function agreementOf(
  reading: ProtocolReading,
  terms: PinnedTerms,
  { account, baseUrl }: TrustDocument,
  headers: ResponseStatements,
): Agreement {
  const { protocol: intent, explained, fit } = reading
  const { decoded } = explained
  const described: Readonly<Record<string, TermKind>> = { ...NETWORK, ...intent.family.terms, ...intent.terms }
  const owners = new Map<Mismatch, string>()
  const agree: { term: string; title: string; value: string }[] = []
  const silent: string[] = []
  for (const [term, kind] of Object.entries(described)) {
    const value = terms[term]
    if (value === undefined || value === '') continue
    const title = kind.description.replace(/\.$/, '')
    const entry = { term, title, value: typeof value === 'object' ? value.join(', ') : String(value) }
    if (READ_BY.has(term)) {
      // Read by it: other bytes would not have been read at all, or would have another hash where the hash is over the chain.
      const isHashed = term === 'chainId' && explained.hash !== null && !intent.family.isUnbound?.(decoded)
      if (term === 'memo' || decoded.chainId !== null || isHashed) agree.push(entry)
      else silent.push(title)
      continue
    }
    const others = changed(value).map((each) => judged(decoded, { intent, stated: headers }, fit, { ...terms, [term]: each } as AnyTerms))
    const owned = fit.mismatches.filter(
      (each) =>
        !owners.has(each) && others.some((other) => !other.some(({ path, expected }) => path === each.path && expected === each.expected)),
    )
    const isBroken = owned.length > 0 && fit.mismatches.length > 0
    if (isBroken) for (const each of owned) owners.set(each, term)
    else if (others.some((other) => texts(other) !== texts(fit.mismatches))) agree.push(entry)
    else silent.push(title)
  }
  const differ = withoutFollowers(fit.mismatches).map((each): Difference => {
    const term = owners.get(each) ?? null
    const difference = differenceOf(each, terms, intent)
    return term === null ? difference : { ...difference, title: (described[term]?.description ?? term).replace(/\.$/, ''), term }
  })
  return { account, baseUrl, path: intent.path, chainId: terms.chainId, agree, differ, silent }
}

/** Puts a mismatch into words; amounts that are known to be native tokens are written in tokens. */
export function differenceOf(
  mismatch: Mismatch,
  terms: Pick<NetworkTerms, 'decimals' | 'symbol'>,
  intent: Pick<Intent, 'nativeArguments'>,
): Difference {
  const { expected, found } = worded(mismatch, terms, intent)
  return { title: titleOf(mismatch), agreed: expected, found, term: null }
}

/** Terms that are compared of every network. */
const NETWORK: Readonly<Record<string, TermKind>> = {
  chainId: { type: 'text', description: 'The chain.' },
  max_fee: { type: 'amount', description: 'The most that a transaction may cost in fees.' },
}

function texts(mismatches: readonly Mismatch[]): string {
  return mismatches.map(({ path, expected }) => `${path}=${expected}`).join('\n')
}

/** Terms by which bytes are read: others would not have been read at all. */
const READ_BY: ReadonlySet<string> = new Set(['chainId', 'memo', 'chain_identifier'])

/** Makes other values of the same kind, which are surely not the agreed one: a near one, and for a bound one that nothing keeps. */
function changed(value: TermValue): readonly TermValue[] {
  if (typeof value === 'object') return [[]]
  if (typeof value === 'number') return [value + 1, 0]
  const near = `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}`
  return /^\d+(\.\d+)?$/.test(value) ? ['0'] : [near]
}

/** Names a place within a transaction in words. */
function titleOf({ path, expected, found: actual }: Mismatch): string {
  const [, call, part, argument] = /^calls\[(\d+)\](?:\.(target|method|value|args)(?:\.(.+))?)?$/.exec(path) ?? []
  if (call !== undefined) {
    const where = `call ${Number(call) + 1}`
    if (part === undefined)
      return expected === 'nothing'
        ? `Call ${Number(call) + 1} is one too many`
        : actual === 'nothing'
          ? `Call ${Number(call) + 1} is missing`
          : `Call ${Number(call) + 1}`
    if (part === 'target') return `What ${where} is made on`
    if (part === 'method') return `What ${where} does`
    if (part === 'value') return `What is sent along with ${where}`
    return `The ${argument ?? 'arguments'} of ${where}`
  }
  if (path === 'maxFee') return 'The fee at most'
  if (path === 'signers') return 'Who must sign'
  if (path === 'calls') return 'What it does'
  if (path === 'chainId') return 'The chain'
  const [, fact] = /^facts\.(.+)$/.exec(path) ?? []
  return fact === undefined ? memberPath('', path).replace(/^\./, '') : `${fact}, which the service chose`
}
