import { DecodeError, shown } from '../errors.ts'
import type { Family } from '../intent/types.ts'
import { type CosmosCraft, decodeCosmos } from './decode.ts'
import { explainCosmos } from './explain.ts'
import { signing } from './signing.ts'

/** What a chain of the Cosmos SDK writes into every address and every fee. */
export interface CosmosNames {
  /** Prefix of account addresses: `cosmos`. */
  readonly prefix: string
  /** Base unit in which stake and fees are paid: `uatom`. */
  readonly denom: string
}

/** Header in which the service says the signer's account number, which is part of what is signed and not of the bytes. */
const ACCOUNT_NUMBER = 'x-account-number'

/** The memo that every transaction of the service has: a term of the network. */
interface Memo {
  readonly memo?: string | undefined
}

/** Chains of the Cosmos SDK: one signer, whose key is in the bytes, and a hash over bytes, chain and account number. */
export function cosmos({ prefix, denom }: CosmosNames): Family<Memo> {
  return {
    name: 'cosmos',
    signer: 'pubkey',
    terms: { memo: { type: 'text', optional: true, description: 'Memo of every transaction.' } },
    decode: (answer, { layouts }, { chainId, memo }, stated) =>
      // What the answer is, the reader finds out.
      decodeCosmos(answer as CosmosCraft, layouts, {
        chainId,
        accountNumber: accountNumber(stated[ACCOUNT_NUMBER]),
        prefix,
        denom,
        ...(memo ? { memo } : {}),
      }),
    explain: async (text, { layouts }, { chainId, memo }, stated) => {
      const given = stated[ACCOUNT_NUMBER]
      const number = given === undefined ? null : accountNumber(given)
      return explainCosmos(text, layouts, { chainId, accountNumber: number, prefix, denom, memo: memo ?? '' })
    },
    claimed: (stated) => [
      {
        fact: 'accountNumber',
        value: String(stated[ACCOUNT_NUMBER]),
        bound: 'no other account has the key, so that the chain refuses a signature over any other number',
        holds: true,
      },
    ],
    signing,
    validity: ({ terms }) => `valid while the sequence of the account is ${terms.sequence}`,
  }
}

/** @throws DecodeError when there is none */
function accountNumber(text: string | undefined): bigint {
  if (text !== undefined && /^(0|[1-9]\d{0,19})$/.test(text)) return BigInt(text)
  throw new DecodeError(
    `the header ${ACCOUNT_NUMBER} is ${shown(text)}; without the number of the account the hash to sign cannot be checked`,
  )
}
