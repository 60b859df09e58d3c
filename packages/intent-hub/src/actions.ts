import { type Call, DecodeError, type Effects } from '@svc/verify'
import { bytesOf } from '@svc/verify/bytes'
import { addressOfKey, type CosmosAccounts, type CosmosNames, call } from '@svc/verify/cosmos'
import {
  type ActionIntent,
  amount,
  callOf,
  correctedAmount,
  formerIn,
  integerArg,
  optional,
  pinnedValidator,
  Refused,
  text,
  textArg,
} from '@svc/verify/intent'
import { delegate, layouts, undelegate, withdrawReward } from './layouts.ts'
import type { Terms } from './terms.ts'

const pubkey = { pubkey: text }
const keyAndAmount = { ...pubkey, amount }
/** Exits and claims may be about a former validator, which the request names then. */
const ofFormer = { validator: optional(text) }
/** A claim that is paid to another account than the wallet repeats its address; no byte says it. */
const claim = { ...pubkey, ...ofFormer, withdraw_address: optional(text) }
const exit = { ...keyAndAmount, ...ofFormer }

/** Facts of an exit: the amount by the stake, which may be a little less than what was asked for. */
export interface UnstakeFacts {
  readonly amount: bigint
}

/** The three actions on one chain. Each is a single message of the account whose key the body names. */
export type HubActions = {
  /** Moves an amount from the account into a delegation. */
  readonly stake: ActionIntent<Terms, typeof keyAndAmount>
  /** Starts to unbond an amount. */
  readonly unstake: ActionIntent<Terms, typeof exit, UnstakeFacts>
  /** Pays the rewards out. */
  readonly 'claim-rewards': ActionIntent<Terms, typeof claim>
}

/** Makes the intents of the three actions. @param names prefix and denom of the chain */
export function hubActions(names: CosmosNames): HubActions {
  const { denom } = names
  return {
    stake: {
      input: keyAndAmount,
      effects({ validator }, { pubkey, amount }) {
        const delegator = addressFrom(pubkey, names)
        return signedBy(delegator, call(delegate, { delegator, validator, denom, amount }, amount))
      },
      requestOf: (decoded, pubkey) => ({ pubkey, amount: integerArg(callOf(decoded, 'MsgDelegate'), 'amount') }),
    },
    unstake: {
      input: exit,
      effects(terms, { pubkey, validator: choice }, { amount }) {
        const delegator = addressFrom(pubkey, names)
        const validator = pinnedValidator(terms.validator, terms.former_validators, choice, 'validator')
        return signedBy(delegator, call(undelegate, { delegator, validator, denom, amount }))
      },
      factsOf: (decoded, terms, { amount }) => correctedAmount(amount, integerArg(callOf(decoded, 'MsgUndelegate'), 'amount'), terms),
      requestOf(decoded, pubkey, terms) {
        const exit = callOf(decoded, 'MsgUndelegate')
        return { pubkey, amount: integerArg(exit, 'amount'), validator: formerOf(exit, terms) }
      },
    },
    'claim-rewards': {
      input: claim,
      effects(terms, { pubkey, validator: choice }) {
        const delegator = addressFrom(pubkey, names)
        const validator = pinnedValidator(terms.validator, terms.former_validators, choice, 'validator')
        return signedBy(delegator, call(withdrawReward, { delegator, validator }))
      },
      requestOf: (decoded, pubkey, terms) => ({
        pubkey,
        validator: formerOf(callOf(decoded, 'MsgWithdrawDelegatorReward'), terms),
      }),
    },
  }
}

function formerOf(call: Call, { former_validators: former }: Terms): string | undefined {
  return formerIn(former, textArg(call, 'validator'))
}

function signedBy(signer: string, promised: Call): Effects {
  return { signers: [signer], calls: [promised], layouts }
}

/** Derives the address from a key; the last digit of an uncompressed key gives the parity of y. @throws Refused when the text is no key */
function addressFrom(pubkey: string, chain: CosmosAccounts): string {
  const digits = /[0-9a-f]+$/.exec(pubkey.trim().toLowerCase())?.[0] ?? ''
  const compressed = digits.length === 130 ? `0${Number.parseInt(digits.slice(-1), 16) % 2 === 0 ? 2 : 3}${digits.slice(2, 66)}` : digits
  const key = bytesOf(`0x${compressed}`)
  if (key?.length !== 33) throw new Refused('input.pubkey', 'a secp256k1 key, 33 bytes compressed or 65, in hex', pubkey)
  try {
    return addressOfKey(chain, key)
  } catch (error) {
    if (error instanceof DecodeError) throw new Refused('input.pubkey', 'a point of the curve secp256k1', pubkey)
    throw error
  }
}
