import { cosmos } from '../cosmos/family.ts'
import { namesIn, wordsIn } from '../cosmos/names.ts'
import { DecodeError } from '../errors.ts'
import { evm } from '../evm/family.ts'
import type { Explanation } from '../intent/explained.ts'
import type { Stated } from '../intent/network.ts'
import type { Family } from '../intent/types.ts'
import { move } from '../move/family.ts'
import { svm } from '../svm/family.ts'
import { cosmosNetwork, evmNetwork, type KnownNetwork, solanaNetwork, suiNetwork } from './networks.ts'

/** Names of the families, as an intent's family has them. */
export type FamilyName = 'evm' | 'cosmos' | 'svm' | 'move'

/** A transaction as one family reads it, without any protocol. */
export interface FamilyReading {
  readonly family: FamilyName
  /** As people call it. */
  readonly title: string
  readonly network: KnownNetwork
  readonly explanation: Explanation
  /** Until when it can be sent, as a phrase. */
  readonly validity: string
  /** What the bytes themselves say of settings of the family: a memo. */
  readonly ownTerms: Readonly<Record<string, string>>
  /** What a request would have named who signs; undefined where the bytes do not tell. */
  readonly signer: string | undefined
}

/** Why a family cannot read it: a sentence. */
export interface FamilyRefusal {
  readonly title: string
  readonly why: string
}

/** Every family's reading of a transaction, or why there is none. Readers are strict, so that there is one reading at most for nearly all bytes. */
export async function readFamilies(text: string, stated: Stated): Promise<readonly (FamilyReading | FamilyRefusal)[]> {
  return Promise.all(FAMILIES.map(({ title, read }) => attempt(title, () => read(text, stated))))
}

async function attempt(title: string, read: () => Promise<FamilyReading>): Promise<FamilyReading | FamilyRefusal> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof DecodeError) return { title, why: error.message }
    throw error
  }
}

const FAMILIES: readonly { readonly title: string; readonly read: (text: string, stated: Stated) => Promise<FamilyReading> }[] = [
  { title: 'EVM', read: (text, stated) => readAs('evm', 'EVM', { family: evm, networkOf: evmNetwork }, text, stated) },
  { title: 'Solana', read: (text, stated) => readAs('svm', 'Solana', { family: svm, networkOf: () => solanaNetwork }, text, stated) },
  { title: 'Sui', read: (text, stated) => readAs('move', 'Sui', { family: move, networkOf: suiNetworkOf }, text, stated) },
  {
    title: 'Cosmos',
    read: async (text, stated) => {
      const { prefix, denom } = namesIn(text)
      const { memo, pubkey } = wordsIn(text)
      const network = cosmosNetwork(denom, prefix)
      const reading = await readAs('cosmos', 'Cosmos', { family: cosmos({ prefix, denom }), networkOf: () => network }, text, stated, {
        memo,
      })
      return { ...reading, ownTerms: memo === '' ? {} : { memo }, signer: pubkey }
    },
  },
]

/** What is asked of a family here, whatever terms it has of its own. */
interface Reader {
  readonly family: Pick<Family<{ readonly chain_identifier: string; readonly memo?: string }>, 'explain' | 'validity'>
  readonly networkOf: (chainId: string) => KnownNetwork
}

async function readAs(
  name: FamilyName,
  title: string,
  { family, networkOf }: Reader,
  text: string,
  stated: Stated,
  own: Readonly<Record<string, string>> = {},
): Promise<FamilyReading> {
  if (!family.explain) throw new DecodeError(`the reader of ${title} reads answers to crafts only`)
  const { terms } = networkOf('mainnet')
  const explanation = await family.explain(text, {}, { chain_identifier: '', ...terms, ...own, max_fee: '0' }, stated)
  const { decoded, signers } = explanation
  return {
    family: name,
    title,
    network: networkOf(decoded.chainId ?? ''),
    explanation,
    validity: family.validity(decoded),
    ownTerms: {},
    signer: signers[0]?.address,
  }
}

/** The bytes of another network have an identifier that is not the mainnet's. */
function suiNetworkOf(chainId: string): KnownNetwork {
  if (chainId === '' || chainId === 'mainnet') return suiNetwork
  const identifier = chainId.replace(/^unknown /, '')
  return { ...suiNetwork, name: `Sui, network ${identifier}`, terms: { ...suiNetwork.terms, caip2: `sui:${identifier}` } }
}
