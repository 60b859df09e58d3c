import { inputRequired, inputResponse } from '@modelcontextprotocol/server'
import type { SignedTransaction, VerifiedTransaction } from '@svc/client'
import type { Drafts } from '../drafts.ts'
import { object, text } from '../schema.ts'
import { type Call, defineTool, type Tool } from '../tool.ts'
import { ToolError } from '../tool-error.ts'
import { words, wordsSchema } from '../wire-words.ts'

/** Characters: beyond the longest sentence of any action. */
const MOST_SENTENCE = 20_000

interface Signed {
  readonly draft: string
  readonly signature: string
}

const arguments_ = {
  draft: text('The draft, as its tool answered it.', 64),
  signature: text(
    'Made outside of this server, over the payload of the draft. secp256k1: hex of r and s, with or without a recovery byte, or DER. ed25519: hex of 64 bytes; for Sui the serialized signature in base64.',
  ),
}

/** Makes the tool that joins a draft and its signature, once the signature was read back. It asks nobody and sends nothing. */
export function prepareTool(drafts: Drafts): Tool {
  return defineTool<Signed>({
    name: 'staking_prepare',
    title: 'Check a signature',
    description:
      'Checks that a signature is by the key that must sign, over the bytes of a draft, and joins the two. Nothing is sent. It is an error when the signature is by another key or of other bytes.',
    readOnly: true,
    idempotent: true,
    openWorld: false,
    input: object(arguments_),
    output: object({
      ...wordsSchema,
      signer: text('Who has signed.'),
      tx_hash: text('By which the chain will know it.'),
      signed: { type: 'object', description: 'The signed transaction.', additionalProperties: { type: 'string' } },
    }),
    async run({ draft, signature }) {
      const { bound, transaction } = drafts.of(draft)
      const { txHash, signed } = await joined(transaction, signature)
      const { name, terms } = bound
      return { ...words(name, terms, transaction), signer: transaction.request.signer, tx_hash: txHash, signed }
    },
  })
}

/** Makes the tool that broadcasts a draft's signed transaction; it is there only where the operator enables it. */
export function broadcastTool(drafts: Drafts): Tool {
  return defineTool<Signed & { readonly sentence: string }>({
    name: 'staking_broadcast',
    title: 'Broadcast a signed draft',
    description:
      'Sends a signed draft to the chain, once the person has confirmed its sentence. It cannot be taken back. The same draft twice is the same transaction.',
    readOnly: false,
    idempotent: true,
    openWorld: true,
    input: object({
      ...arguments_,
      sentence: text('The sentence of the draft, word for word, as the person has confirmed it.', MOST_SENTENCE),
    }),
    output: object({ ...wordsSchema, tx_hash: text('By which the chain knows it. Sent is not yet final.') }),
    async run({ draft: id, signature, sentence }, call) {
      const { bound, transaction } = drafts.of(id)
      const wording = words(bound.name, bound.terms, transaction)
      if (sentence !== wording.sentence)
        throw new ToolError(`Nothing was sent: the sentence must be that of the draft, word for word: ${wording.sentence}`)
      const signed = await joined(transaction, signature)
      const question = confirmation(id, [wording.sentence, ...wording.warnings].join(' '), call)
      if (question) return question
      // Not ended by a host that gives up: what has begun to be sent is told to its end, with its hash.
      const { txHash } = await bound.calls.send(signed)
      return { ...wording, tx_hash: txHash }
    },
  })
}

/** A signer that was asked elsewhere, and has signed. */
function joined(transaction: VerifiedTransaction, signature: string): Promise<SignedTransaction> {
  return transaction.sign({ sign: async () => signature })
}

/**
 * Asks the person by the sentence and the warnings, where the host can: null once he has confirmed. The answer is under the draft's own name, so that it is of no other one.
 *
 * @throws ToolError when he has declined
 */
function confirmation(id: string, shown: string, { canAsk, answers }: Call) {
  if (!canAsk) return null
  const key = `confirm_${id}`
  const answer = inputResponse(answers ? { ...answers } : undefined, key)
  if (answer.kind === 'missing') {
    const confirm = { type: 'boolean' as const, title: 'Send this transaction', default: false }
    const requestedSchema = { type: 'object' as const, properties: { confirm }, required: ['confirm'] }
    return inputRequired({ inputRequests: { [key]: inputRequired.elicit({ message: `Send to the chain? ${shown}`, requestedSchema }) } })
  }
  if (answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.confirm === true) return null
  throw new ToolError('Nothing was sent: the person has not confirmed it.')
}
