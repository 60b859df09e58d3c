import { DecodeError } from '../errors.ts'
import { decodeEvm, type EvmCraft } from '../evm/decode.ts'
import type { Explanation } from '../intent/explained.ts'
import type { FamilyReading } from './families.ts'
import type { Members } from './given.ts'
import type { Finding } from './unusual.ts'

/** What an answer says of the transaction beside its bytes, and otherwise than they: one signer signs the hash, another the payload. */
export function contradictions(answer: Members | null, { family, explanation }: FamilyReading): readonly Finding[] {
  if (answer === null) return []
  const said = [...others(answer, explanation), ...(family === 'evm' && answer.payload !== undefined ? payload(answer) : [])]
  return said.map((why) => ({
    level: 'bad',
    title: 'The answer contradicts itself',
    why: `${why.charAt(0).toUpperCase()}${why.slice(1)}${why.endsWith('.') ? '' : '.'} What is shown here is what the bytes say.`,
  }))
}

/** Members of the answer that are worked out here as well. */
function* others(answer: Members, { unsigned, txHash }: Explanation): Generator<string> {
  // With signatures beside the transaction, what is read has them in it.
  const { unsigned_tx_hex: svm, ...rest } = unsigned
  const own = Array.isArray(answer.signatures) || svm === undefined ? rest : unsigned
  for (const [name, value] of Object.entries({ ...own, tx_hash: txHash, tx_body_hex: unsigned.unsigned_tx_hex ?? null })) {
    const given = answer[name]
    if (typeof given === 'string' && value !== null && plain(given) !== plain(value))
      yield `${name} is ${clipped(given)}, and by the bytes it is ${clipped(value)}`
  }
}

function payload(answer: Members): readonly string[] {
  try {
    decodeEvm(answer as unknown as EvmCraft, [])
    return []
  } catch (error) {
    if (error instanceof DecodeError) return [error.message]
    throw error
  }
}

function plain(text: string): string {
  return text.trim().replace(/^0x/i, '').toLowerCase()
}

function clipped(text: string): string {
  return text.length > 80 ? `${text.slice(0, 64)}…` : text
}
