import type { Call } from '@svc/verify'
import { evm, sameAddress } from '@svc/verify/evm'
import {
  type Clause,
  type DecodedCall,
  defineIntent,
  integerArg,
  type Move,
  move,
  type NetworkTerms,
  textArg,
  tokens,
} from '@svc/verify/intent'
import { stake, unstake, withdraw } from './actions.ts'
import { price } from './exit.ts'
import { readHarvest } from './harvest.ts'
import { CLAIM, DEPOSIT, EXIT, HARVEST, HARVEST_AND_DEPOSIT, methods, REDEEM } from './methods.ts'
import { partsOf } from './parts.ts'
import { type Terms, terms } from './terms.ts'

/** Intent of StakeWise V3 vaults on Ethereum: deposits against shares, exits through the vault's queue. */
export const evmVault = defineIntent({
  family: evm,
  path: '/evm-one/vault-one',
  title: 'A staking vault on Ethereum',
  /** Ten claims in one transaction take an estimate of 289,000 gas, measured on a vault of version 5 (2026-11-21), at 120 percent of it and 8 gwei. */
  usualFee: '0.003',
  terms,
  actions: { stake, unstake, withdraw },
  layouts: () => ({ methods }),
  describe,
})

function describe(call: DecodedCall, network: Terms & NetworkTerms): Clause | null {
  const { vault, former_validators: former = [] } = network
  if (![vault, ...former].some((each) => sameAddress(call.target, each))) return null
  const clauses = partsOf(call)?.map((part) => clauseOf(part, network)) ?? []
  const phrases = clauses.filter((clause) => clause !== null)
  if (phrases.length === 0 || phrases.length < clauses.length) return null
  return { text: phrases.map(({ text }) => text).join(', then '), moves: phrases.flatMap(({ moves }) => moves) }
}

function clauseOf(call: Call, network: NetworkTerms): Clause | null {
  const { target, method, value } = call
  switch (method) {
    case DEPOSIT:
    case HARVEST_AND_DEPOSIT: {
      const whose = `for ${textArg(call, 'receiver')}, with the referrer ${textArg(call, 'referrer')}`
      const before = method === DEPOSIT ? '' : `${update(call)}, then `
      return {
        text: `${before}stake ${tokens(value, network)} in the vault ${target} ${whose}`,
        moves: [move('leaves', value), move('staked', value), move('arrives', null, target)],
      }
    }
    case HARVEST:
      return { text: update(call), moves: [] }
    case REDEEM:
      return {
        text: `redeem ${sharesIn(call, network)} of the vault ${target}, paid to ${textArg(call, 'receiver')} at once`,
        moves: [sharesOf(call), move('freed', null), move('arrives', null)],
      }
    case EXIT:
      return {
        text: `put ${sharesIn(call, network)} of the vault ${target} into its exit queue, for ${textArg(call, 'receiver')} to claim`,
        moves: [sharesOf(call), move('freed', null)],
      }
    case CLAIM: {
      const exit = `the exit with the ticket ${integerArg(call, 'ticket')} of second ${integerArg(call, 'timestamp')} since 1970`
      return {
        text: `claim ${exit} from the vault ${target} at checkpoint ${integerArg(call, 'index')}`,
        moves: [move('arrives', null)],
      }
    }
    default:
      return null
  }
}

function update(call: Call): string {
  return `bring the vault ${call.target} up to the oracles' report ${readHarvest(call.args.harvest).rewardsRoot}`
}

/** Shares have the vault's address. */
function sharesOf(call: Call): Move {
  return move('leaves', integerArg(call, 'shares'), call.target)
}

function sharesIn(call: Call, network: NetworkTerms): string {
  return tokens(integerArg(call, 'shares'), { ...network, symbol: price.symbol })
}
