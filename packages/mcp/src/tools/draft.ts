import { plain } from '../data.ts'
import type { Drafts } from '../drafts.ts'
import type { Bound } from '../protocols.ts'
import { inputSchema, object, text } from '../schema.ts'
import { assumedSchema, assumptions, words, wordsSchema } from '../shown.ts'
import { defineTool, type Tool } from '../tool.ts'

const output = object({
  ...wordsSchema,
  verified: { const: true, description: 'Every byte was read in this process and is what was asked for, on pinned terms.' },
  draft: text('By which the other tools know it.'),
  assumed: assumedSchema,
  signer: text('Who must sign.'),
  algorithm: { enum: ['secp256k1', 'ed25519'] },
  payload: { type: 'string', description: 'Hex of what the key signs as it is: for secp256k1 a hash, which must not be hashed again.' },
  craft: { type: 'object', description: 'The unsigned transaction, for wallets that want the whole of it.' },
})

/** A tool for each action of a protocol. */
export function draftTools(bound: Bound, drafts: Drafts): readonly Tool[] {
  const { name, intent, terms, calls } = bound
  return Object.entries(intent.actions).map(([action, { input }]) =>
    defineTool<Readonly<Record<string, unknown>>>({
      name: `staking_draft_${name}_${action}`,
      title: `Draft ${action} (${name})`,
      description: `Drafts the unsigned transaction ${action} of ${name} on ${terms.caip2} and verifies it in this process. Nothing is signed or sent.`,
      readOnly: true,
      idempotent: false,
      openWorld: true,
      input: inputSchema(intent, input, terms),
      output,
      async run(args, { signal }) {
        const transaction = await calls.craft(action, args, { signal })
        const { request, assumed } = transaction
        const craft = plain(transaction.answer)
        return {
          ...words(name, terms, transaction),
          verified: true,
          draft: drafts.keep({ bound, transaction }),
          assumed: assumptions(assumed),
          signer: request.signer,
          algorithm: request.algorithm,
          payload: `0x${Buffer.from(request.payload).toString('hex')}`,
          craft,
        }
      },
    }),
  )
}
