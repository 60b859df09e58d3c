import { digitsOf } from '../bytes/hex.ts'
import { bytesOfText } from '../bytes/text.ts'
import { DecodeError, shown } from '../errors.ts'
import { dictating } from '../intent/dictating.ts'
import type { Family } from '../intent/types.ts'
import { actsCosmos } from './acts.ts'
import type { CosmosAccounts } from './address.ts'
import { type CosmosCraft, decodeCosmos, MAX_BYTES } from './decode.ts'
import { ACCOUNT_NUMBER, dictatedOf, type GasTerms } from './dictated.ts'
import { explainCosmos } from './explain.ts'
import { keysOf } from './keys.ts'
import { signingWith } from './signing.ts'

/**
 * Prefix, base unit and kind of key of a chain of the Cosmos SDK, which shape every address, fee and signature: a promise of the chain's, which is never taken from the
 * service.
 */
export type CosmosNames = CosmosAccounts & {
  /** Base unit in which stake and fees are paid: `uatom`. */
  readonly denom: string
}

/** Settings of a network that every transaction rests on. */
interface CosmosTerms extends GasTerms {
  /** Memo of every transaction of the service. */
  readonly memo?: string | undefined
}

/**
 * Makes the family of the Cosmos SDK's chains: one signer, whose key is in the bytes, and a hash over bytes, chain and account number.
 *
 * @throws DecodeError for names without a kind of key
 */
export function cosmos({ prefix, denom, ...given }: CosmosNames): Family<CosmosTerms> {
  const keys = keysOf(given)
  return {
    name: 'cosmos',
    signer: 'pubkey',
    terms: {
      memo: { type: 'text', optional: true, description: 'Memo of every transaction.' },
      gas_price_minimum: { type: 'text', optional: true, description: 'Least gas price, in the base unit.' },
      gas_price_percent: { type: 'integer', optional: true, description: "Gas price, percent of the chain's own." },
    },
    decode: (answer, { layouts }, { chainId, memo }, claim) =>
      // What the answer is, the reader finds out.
      decodeCosmos(answer as CosmosCraft, layouts, {
        chainId,
        accountNumber: accountNumber(claim[ACCOUNT_NUMBER]),
        prefix,
        denom,
        ...keys,
        ...(memo ? { memo } : {}),
      }),
    explain: async (text, { layouts }, { chainId, memo }, headers) => {
      const accountText = headers[ACCOUNT_NUMBER]
      const number = accountText === undefined ? null : accountNumber(accountText)
      return explainCosmos(text, layouts, { chainId, accountNumber: number, prefix, denom, ...keys, memo: memo ?? '' })
    },
    acts: (text, { layouts }) => actsCosmos(text, layouts, { prefix, denom, ...keys }),
    ...dictating(dictatedOf(denom), ({ terms }) => [`sequence ${terms.sequence}`]),
    signing: signingWith(keys),
    signed: {
      free: { fee: 'any', gasLimit: 'more', signMode: 'any' },
      body: (text) => ({ signed_tx_hex: digitsOf(bytesOfText(text, MAX_BYTES)) }),
    },
    counter: 'sequence',
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
