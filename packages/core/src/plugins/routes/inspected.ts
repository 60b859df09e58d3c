import type { Value } from '@svc/verify'
import { type ExplainedTransaction, formatUnits, type NetworkTerms } from '@svc/verify/intent'
import { type Static, Type } from 'typebox'
import { MoveSchema, movesToWire } from '../craft/moves.ts'

const nullableString = (description: string, example: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example] })

const CallSchema = Type.Object({
  target: Type.String({
    description: 'Contract, program or module that is called.',
    examples: ['0x0000000000000000000000000000000000001000'],
  }),
  method: Type.String({
    description:
      'What is called, with named parameters; empty for a plain transfer; begins with `unknown` where the protocol does not have it.',
    examples: ['delegate(uint64 validator)'],
  }),
  args: Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    description: 'Arguments by their names in `method`: integers as decimal text, bytes as hex.',
    additionalProperties: true,
    examples: [{ validator: '12' }],
  }),
  value: Type.String({
    description: 'Native amount that is sent along, in base units, as decimal text.',
    examples: ['100000000000000000000'],
  }),
})

const SignerSchema = Type.Object({
  address: Type.String({ description: 'Who must sign, or did.', examples: ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'] }),
  signature: Type.Unsafe<ExplainedTransaction['signers'][number]['signature']>({
    type: 'string',
    enum: ['missing', 'right', 'wrong', 'unchecked'],
    description: '`unchecked`: it covers something that the bytes do not hold, as an account number.',
  }),
})

const DifferenceSchema = Type.Object(
  {
    path: Type.String({ description: 'What differs.', examples: ['calls[0].value'] }),
    expected: Type.String({ description: 'As it was asked for, or crafted.', examples: ['100 MON'] }),
    found: Type.String({ description: 'As the bytes have it.', examples: ['101 MON'] }),
  },
  { title: 'Difference', description: 'Something that is not as it was asked for.' },
)

/** Verdict on a signed transaction that was held against a request. */
const ComparisonSchema = Type.Object(
  {
    matches: Type.Boolean({ description: 'It does what was asked for and nothing else, and every signature is right.', examples: [true] }),
    mismatches: Type.Array(DifferenceSchema, { description: 'Why it does not match; empty where it does.' }),
  },
  { title: 'OrderComparison', description: 'A signed transaction, held against a request.' },
)

/** Response of every inspection. */
export const InspectedTransactionSchema = Type.Object(
  {
    sentence: Type.String({
      description: 'What it does, in one sentence: exact amounts, whole addresses, the fee at most, until when it can be sent.',
      examples: [
        'Delegate 100 MON to validator 12 through 0x0000000000000000000000000000000000001000 on eip155:143; fee at most 0.0281962 MON; valid while the nonce of the account is 0.',
      ],
    }),
    known: Type.Boolean({
      description:
        'Whether it does what one request to this protocol leads to, on the terms of this service; what it does not know, `prepare` and `broadcast` refuse.',
      examples: [true],
    }),
    form: Type.Unsafe<'unsigned' | 'signed'>({
      type: 'string',
      enum: ['unsigned', 'signed'],
      description: '`signed` once every signature that it needs is there, be it right or wrong.',
    }),
    calls: Type.Array(CallSchema, { description: 'Everything that it does, in order.' }),
    moves: Type.Array(MoveSchema, { description: 'What it moves. Several may say the same amount from different sides.' }),
    signers: Type.Array(SignerSchema, { description: 'Empty where the bytes do not say who must sign.' }),
    max_fee: Type.String({ description: 'The most that it can cost in fees, in native tokens, as decimal text.', examples: ['0.0281962'] }),
    hash: nullableString(
      'What is signed; null where the bytes do not tell, or the message is signed as it is.',
      '0x8b4280caf61f3f490624bbe351613c193a369a5e06c1e651bbccd5fa72e296be',
    ),
    tx_hash: nullableString(
      'Hash by which the chain knows it; null until it is signed.',
      '0xad5d30a2ff03ef8bb0341eda4bad23c05d2d60d2cab5a7c559d0409054cc2e4c',
    ),
    validity: Type.String({ description: 'Until when it can be sent.', examples: ['valid while the nonce of the account is 0'] }),
    notes: Type.Array(Type.String(), {
      description: 'What the bytes cannot tell, a sentence each.',
      examples: [['The bytes do not say who must sign: whoever signs is the sender.']],
    }),
    order: Type.Unsafe<Static<typeof ComparisonSchema> | null>({
      anyOf: [ComparisonSchema, { type: 'null' }],
      description: 'What `expect` led to; null where it was not given.',
    }),
  },
  {
    $id: 'InspectedTransaction',
    title: 'InspectedTransaction',
    description: 'A transaction in words, from its bytes alone. Says what it does, and not whether it should be signed.',
  },
)

/** Writes an explained transaction for callers. @param order how it compares with a request; null where there is none */
export function inspectedToWire(
  explained: ExplainedTransaction,
  { decimals }: NetworkTerms,
  order: Static<typeof ComparisonSchema> | null,
): Static<typeof InspectedTransactionSchema> {
  const { sentence, known: facts, form, decoded, moves, signers, hash, txHash, validity, notes } = explained
  return {
    sentence,
    known: facts,
    form,
    calls: decoded.calls.map(({ target, method, args, value }) => ({
      target,
      method,
      args: Object.fromEntries(Object.entries(args).map(([name, each]) => [name, textual(each)])),
      value: value.toString(),
    })),
    moves: movesToWire(moves),
    signers: signers.map(({ address, signature }) => ({ address, signature })),
    max_fee: formatUnits(decoded.maxFee, decimals),
    hash,
    tx_hash: txHash,
    validity,
    notes: [...notes],
    order,
  }
}

function textual(value: Value): unknown {
  if (typeof value === 'bigint') return value.toString()
  return typeof value === 'object' ? value.map(textual) : value
}
