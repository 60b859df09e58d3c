import type { Call, Decoded, Effects } from '@svc/verify'
import { call, encodeCall } from '@svc/verify/evm'
import {
  type ActionIntent,
  amount,
  callOf,
  formerIn,
  integerArg,
  optional,
  pinnedValidator,
  Refused,
  sharesWithin,
  text,
} from '@svc/verify/intent'
import { type ExitBooks, price, promisedShares } from './exit.ts'
import { claimedHarvest, type Harvest, harvestArgs, harvestCall, readHarvest } from './harvest.ts'
import { ALL, CLAIM, DEPOSIT, EXIT, HARVEST, HARVEST_AND_DEPOSIT, REDEEM } from './methods.ts'
import { knownParts } from './parts.ts'
import type { Terms } from './terms.ts'

const holder = { address: text }
/** Exits and withdrawals may be about a former vault, which the request names then. */
const leaver = { ...holder, vault: optional(text) }
const holderAndAmount = { ...holder, amount }
const leaverAndAmount = { ...leaver, amount }

/** Facts of every action: the report that the vault is brought up to in the same call; null without one. */
export interface StakeFacts {
  readonly harvest: Harvest | null
}

/** Intent of depositing into the operator's vault, which is harvested in the same call where that is required. */
export const stake: ActionIntent<Terms, typeof holderAndAmount, StakeFacts> = {
  input: holderAndAmount,
  effects: ({ vault, referrer }, { address, amount }, { harvest }) => {
    const args = { receiver: address, referrer }
    if (!harvest) return signedBy(address, call(vault, DEPOSIT, args, amount))
    return signedBy(address, call(vault, HARVEST_AND_DEPOSIT, { ...args, harvest: harvestArgs(harvest) }, amount))
  },
  factsOf: (decoded, terms) => {
    const { method, args } = callOf(decoded, DEPOSIT, HARVEST_AND_DEPOSIT)
    const harvest = method === HARVEST_AND_DEPOSIT ? readHarvest(args.harvest) : null
    return { facts: { harvest }, claimed: [claimedHarvest(harvest, terms)] }
  },
  requestOf: (decoded, address) => ({ address, amount: callOf(decoded, DEPOSIT, HARVEST_AND_DEPOSIT).value }),
}

/** Facts from which an exit follows, apart from the request and the settings. */
export interface UnstakeFacts extends StakeFacts {
  /** Shares that leave, or the books from which they follow. */
  readonly shares: bigint | ExitBooks
  /** A vault without a queue pays at once, by another call. */
  readonly way: 'queue' | 'redeem'
}

/** Intent of an exit: the shares that an amount is worth go into the exit queue, or are paid at once where there is none. */
export const unstake: ActionIntent<Terms, typeof leaverAndAmount, UnstakeFacts> = {
  input: leaverAndAmount,
  effects: (terms, { address: receiver, amount, vault: choice }, { shares: known, way, harvest }) => {
    const shares = typeof known === 'bigint' ? known : promisedShares(amount, known, terms.os_token_reserve_seconds)
    const vault = pinnedVault(terms, choice)
    const exit = { shares, receiver }
    if (way === 'redeem') return signedBy(receiver, call(vault, REDEEM, exit))
    if (!harvest) return signedBy(receiver, call(vault, EXIT, exit))
    return signedBy(receiver, call(vault, ALL, { calls: [harvestCall(harvest), encodeCall(EXIT, exit)] }))
  },
  // Too many or too few shares move another sum than was asked for, all of it the address's own: it is the receiver.
  factsOf: (decoded, terms, { amount }) => {
    const { parts, exit } = exitIn(decoded)
    const shares = integerArg(exit, 'shares')
    const way = exit.method === REDEEM ? 'redeem' : 'queue'
    const harvest = harvestIn(parts)
    const claimedWay = {
      fact: 'way',
      value: way === 'redeem' ? 'paid at once' : 'through the exit queue',
      bound: 'the vault has one of the two and refuses the other; either is for the address alone',
      holds: true,
    }
    return {
      facts: { shares, way, harvest },
      claimed: [sharesWithin(amount, shares, price, terms), claimedWay, claimedHarvest(harvest, terms)],
    }
  },
  // An amount that its shares are worth, whatever their price: as many as there are shares.
  requestOf: (decoded, address, terms) => {
    const { exit } = exitIn(decoded)
    return { address, amount: integerArg(exit, 'shares'), vault: formerOf(exit, terms) }
  },
}

/** A claim of an exit that is processed, as the vault takes it. */
export interface Claim {
  readonly ticket: bigint
  /** Seconds since 1970, of the request. */
  readonly timestamp: bigint
  /** Checkpoint of the queue that the exit begins in. */
  readonly index: bigint
}

export interface WithdrawFacts extends StakeFacts {
  readonly claims: readonly Claim[]
}

/** Intent of claiming exits, all in one call, after a harvest where that is required. */
export const withdraw: ActionIntent<Terms, typeof leaver, WithdrawFacts> = {
  input: leaver,
  effects: (terms, { address, vault: choice }, { claims, harvest }) => {
    const vault = pinnedVault(terms, choice)
    const [first, ...more] = claims
    if (first && more.length === 0 && !harvest) return signedBy(address, call(vault, CLAIM, { ...first }))
    const calls = [...(harvest ? [harvestCall(harvest)] : []), ...claims.map((claim) => encodeCall(CLAIM, { ...claim }))]
    return signedBy(address, call(vault, ALL, { calls }))
  },
  factsOf: (decoded, terms) => {
    const parts = knownParts(callOf(decoded, CLAIM, ALL))
    const claims = parts
      .filter(({ method }) => method === CLAIM)
      .map((part) => ({ ticket: integerArg(part, 'ticket'), timestamp: integerArg(part, 'timestamp'), index: integerArg(part, 'index') }))
    const harvest = harvestIn(parts)
    const claimedExits = {
      fact: 'claims',
      value: claims.map(({ ticket, timestamp, index }) => `ticket ${ticket} of second ${timestamp} at checkpoint ${index}`).join(', '),
      bound: 'one at least; the vault pays each to the address alone, which has to have asked for it, and refuses any other',
      holds: claims.length > 0,
    }
    return { facts: { claims, harvest }, claimed: [claimedExits, claimedHarvest(harvest, terms)] }
  },
  requestOf: (decoded, address, terms) => ({ address, vault: formerOf(callOf(decoded, CLAIM, ALL), terms) }),
}

/** The exit among the calls of a transaction. @throws Refused when there is none */
function exitIn(decoded: Decoded): { readonly parts: readonly Call[]; readonly exit: Call } {
  const parts = knownParts(callOf(decoded, REDEEM, EXIT, ALL))
  const exit = parts.find(({ method }) => method === EXIT || method === REDEEM)
  if (!exit) throw new Refused('args.calls', `a call of ${EXIT}`, 'none')
  return { parts, exit }
}

function harvestIn(parts: readonly Call[]): Harvest | null {
  const part = parts.find(({ method }) => method === HARVEST)
  return part ? readHarvest(part.args.harvest) : null
}

/** An address has two spellings. */
const lower = (vaults: readonly string[] | undefined) => (vaults ?? []).map((each) => each.toLowerCase())

function formerOf({ target }: Call, { former_validators: former }: Terms): string | undefined {
  return formerIn(lower(former), target.toLowerCase())
}

/** The vault that the request names, the operator's present one without a name. @throws Refused for one that is not pinned */
function pinnedVault({ vault, former_validators: former }: Terms, choice: string | undefined): string {
  return pinnedValidator(vault.toLowerCase(), lower(former), choice?.toLowerCase(), 'vault')
}

function signedBy(signer: string, promised: Call): Effects {
  return { signers: [signer], calls: [promised] }
}
