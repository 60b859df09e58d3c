import type { JsonSchemaType } from '@modelcontextprotocol/server'
import type { Assumption, Move, NetworkTerms } from '@svc/verify/intent'
import { tokens } from '@svc/verify/intent'
import { cleaned } from './data.ts'
import { list, object, text } from './schema.ts'

/** A transaction in words: what tools of several kinds answer. */
export const wordsSchema: Readonly<Record<string, JsonSchemaType>> = {
  protocol: text('The protocol.'),
  network: text('The network, by CAIP-2.'),
  sentence: {
    type: 'string',
    description: 'What the bytes do, in one sentence, from the bytes alone. Show it to the person as it stands.',
  },
  moves: list(
    object({
      kind: { enum: ['leaves', 'staked', 'freed', 'arrives'] },
      asset: { type: 'string', description: '`native`, or the address of a token.' },
      units: { type: ['string', 'null'], description: 'Base units; null where the bytes do not say how much.' },
      amount: { type: ['string', 'null'], description: 'The same of the native token, with its symbol.' },
    }),
    'What is moved.',
  ),
  warnings: list(
    { type: 'string' },
    'What breaks no promise and the person should know before anything is signed, such as a fee far above the usual one. Show it with the sentence.',
  ),
}

export const assumedSchema: JsonSchemaType = list(
  object({ fact: { type: 'string' }, value: { type: 'string' }, bound: { type: 'string' }, cost: { type: ['string', 'null'] } }),
  'What was taken on the word of the service, each with the bound that it keeps and what the worst within it costs; null where it stays the person’s own. Show it with the sentence.',
)

interface Words {
  readonly warnings: readonly string[]
  readonly sentence: string
  readonly moves: readonly Move[]
}

/**
 * Writes a transaction in words as the tools answer it.
 *
 * @param most characters of the sentence. One of a verified transaction is never cut: its end says the fee. @default all
 */
export function words(protocol: string, terms: NetworkTerms, { sentence, moves, warnings }: Words, most = Number.POSITIVE_INFINITY) {
  return {
    protocol,
    network: terms.caip2,
    warnings: warnings.map((each) => cleaned(each)),
    sentence: cleaned(sentence, most),
    moves: moves.map(({ kind, asset, amount }) => ({
      kind,
      asset: cleaned(asset),
      units: amount === null ? null : String(amount),
      amount: amount === null || asset !== 'native' ? null : tokens(amount, terms),
    })),
  }
}

/** Rids each fact that was taken on the service's word of what could mislead an agent; a cost that nobody stated is null. */
export function assumptions(assumed: readonly Assumption[]): readonly Readonly<Record<keyof Assumption, string | null>>[] {
  return assumed.map(({ fact, value, bound, cost }) => ({
    fact: cleaned(fact),
    value: cleaned(value),
    bound: cleaned(bound),
    cost: cost === undefined ? null : cleaned(cost),
  }))
}
