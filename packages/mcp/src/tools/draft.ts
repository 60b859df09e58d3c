import type { JsonSchemaType } from '@modelcontextprotocol/server'
import { plain } from '../data.ts'
import type { Drafts } from '../drafts.ts'
import type { BoundProtocol } from '../protocols.ts'
import { inputSchema } from '../schema.ts'
import { defineTool, type Tool } from '../tool.ts'
import { assumptions, words, wordsSchema } from '../wire-words.ts'

/**
 * In the list of tools it stands once for each action, and the list in the context of every conversation: so it is the shape alone. What the members are says the
 * server in its instructions, once; of what moves and assumptions consist, `staking_verify`.
 */
const output: JsonSchemaType = {
  type: 'object',
  properties: {
    moves: { type: 'array' },
    assumed: { type: 'array' },
    warnings: { type: 'array' },
    verified: { const: true },
    craft: { type: 'object' },
  },
  required: [...Object.keys(wordsSchema), 'verified', 'draft', 'assumed', 'signer', 'algorithm', 'payload', 'craft'],
  additionalProperties: { type: 'string' },
}

/** Makes a tool for each action of a protocol. */
export function draftTools(bound: BoundProtocol, drafts: Drafts): readonly Tool[] {
  const { name, intent, terms, calls } = bound
  return Object.entries(intent.actions).map(([action, { input }]) =>
    defineTool<Readonly<Record<string, unknown>>>({
      name: `staking_draft_${name}_${action}`,
      title: `Draft ${action} (${name})`,
      description: `Drafts and verifies ${action} on ${terms.caip2}.`,
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
