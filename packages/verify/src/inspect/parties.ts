import type { FamilyReading } from './families.ts'
import type { Finding } from './finding.ts'
import { type AnyTerms, type Fit, judged } from './fit.ts'
import type { ProtocolReading } from './protocols.ts'

/** Parties meant by a transaction, and the facts known about them. */
export interface PartyReading {
  readonly reading: FamilyReading
  /** Reading by the protocol that knows the transaction best; null when none does. */
  readonly known: ProtocolReading | null
  /** Address of the user, as the user gave it; undefined when none was given. */
  readonly address: string | undefined
  /** True if the user gave the request, which names the user and was compared. */
  readonly isRequested: boolean
}

/**
 * Makes a question about each party of a transaction that the user has not named: who has to sign, and, where the bytes do not name the beneficiary, for whom the calls
 * are. The search for the best explaining request would accept a thief's address too, so that its result cannot answer this question.
 *
 * @returns a question for each party, or what is wrong where the address is known and another one is meant
 */
export function questions({ reading, known: interpretation, address, isRequested }: PartyReading): readonly Finding[] {
  const parties = [...signersOf(reading), ...holdersOf(reading, interpretation)]
  const own = address?.trim() ?? ''
  // Who has signed a transaction already is past asking.
  if (own === '') return isRequested || reading.explanation.form === 'signed' ? [] : parties.map(asked)
  return parties.filter((party) => !isSame(party.address, own)).map((party) => other(party, own))
}

interface Party {
  readonly address: string
  readonly role: 'signs' | 'gets'
}

/** Lists whose signature is still to be made; of a signed transaction, who made it. */
function signersOf({ explanation: { signers, form } }: FamilyReading): readonly Party[] {
  const open = form === 'signed' ? signers.slice(0, 1) : signers.filter(({ signature }) => signature === 'missing')
  return open.map(({ address }) => ({ address, role: 'signs' }))
}

/** Lists for whom the calls are where the bytes do not name who signs: any address there explains them as well as the right one. */
function holdersOf({ explanation, signer }: FamilyReading, interpretation: ProtocolReading | null): readonly Party[] {
  if (explanation.signers.length > 0 || signer !== undefined || interpretation === null) return []
  const { protocol, explained, fit } = interpretation
  const address = fit.input[protocol.family.signer]
  if (typeof address !== 'string' || address === '') return []
  const by = (terms: AnyTerms, input: Fit['input']) => judged(explained.decoded, { intent: protocol, stated: {} }, { ...fit, input }, terms)
  const without = { ...fit.input, [protocol.family.signer]: another(address) }
  return by(fit.terms, without).length > by(fit.terms, fit.input).length ? [{ address, role: 'gets' }] : []
}

/** Makes another address of the same form. */
function another(address: string): string {
  return `${address.slice(0, -1)}${address.endsWith('1') ? '2' : '1'}`
}

function asked({ address, role }: Party): Finding {
  return role === 'gets'
    ? {
        level: 'ask',
        title: `It is for ${address}: is that you?`,
        why: 'What it pays, stakes or frees is that address’s, whoever signs: the bytes do not say whose key that is. Give your address, or the request that you made, to have it compared.',
      }
    : {
        level: 'ask',
        title: `${address} has to sign: is that you?`,
        why: 'The bytes name that address as the one who acts, and nobody has said that it is yours. Give your address, or the request that you made, to have it compared.',
      }
}

function other({ address, role }: Party, own: string): Finding {
  return {
    level: 'bad',
    title: role === 'gets' ? `It is for ${address}, and not for you` : `It is ${address} who signs, and not you`,
    why: `The address that you gave is ${own}. What this transaction pays, stakes or frees is not for that one.`,
    difference: { title: role === 'gets' ? 'For whom it is' : 'Who must sign', agreed: own, found: address, term: null },
  }
}

/** Tells whether two texts are one address: hex in either case. */
function isSame(one: string, other: string): boolean {
  return one === other || (/^0x/i.test(one) && one.toLowerCase() === other.toLowerCase())
}
