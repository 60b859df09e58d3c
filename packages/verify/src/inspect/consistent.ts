import type { Explanation } from '../intent/explained.ts'
import type { InspectedFamily } from '../intent/inspected.ts'
import type { FamilyReading } from './families.ts'
import type { Finding } from './finding.ts'
import { FORMS, type Members } from './input-form.ts'

/** Lists the members of an answer that contradict its bytes: one signer signs the hash, another the payload. */
export function contradictions(answer: Members | null, { inspected, explanation }: FamilyReading, text: string): readonly Finding[] {
  if (answer === null) return []
  const sentences = [
    ...others(answer, explanation, inspected),
    ...beside(answer, explanation, text, inspected),
    ...(inspected.contradictions?.(answer) ?? []),
  ]
  return sentences.map((why) => ({
    level: 'bad',
    title: 'The answer contradicts itself',
    why: `${why.charAt(0).toUpperCase()}${why.slice(1)}${why.endsWith('.') ? '' : '.'} What is shown here is what the bytes say.`,
  }))
}

/** Lists members of the answer that are worked out here as well. */
function* others(answer: Members, { unsigned, txHash }: Explanation, { isSame }: InspectedFamily): Generator<string> {
  // With signatures beside the transaction, what is read has them in it: such a member is compared below, but for its signatures.
  const joined = Array.isArray(answer.signatures) && isSame !== undefined
  for (const [name, value] of Object.entries({ ...unsigned, tx_hash: txHash, tx_body_hex: unsigned.unsigned_tx_hex ?? null })) {
    const claim = answer[name]
    if (joined && name !== 'tx_body_hex' && FORMS.some(({ member }) => member === name)) continue
    if (typeof claim === 'string' && value !== null && plain(claim) !== plain(value))
      yield `${name} is ${clipped(claim)}, and by the bytes it is ${clipped(value)}`
  }
}

/** Lists transactions in other members than the one that is shown: whoever signs those signs something else. */
function* beside(answer: Members, { unsigned, form }: Explanation, text: string, { isSame }: InspectedFamily): Generator<string> {
  const joined = form === 'signed' || Array.isArray(answer.signatures)
  for (const { member } of FORMS) {
    const claim = answer[member]
    if (typeof claim !== 'string' || plain(claim) === plain(text) || Object.values(unsigned).some((each) => plain(each) === plain(claim)))
      continue
    // The unsigned one may be the signed one without its signatures, and say the same.
    if (joined && Object.hasOwn(unsigned, member) && isSame?.(claim, text)) continue
    yield `${member} is another transaction than the one that is shown here`
  }
}

function plain(text: string): string {
  return text.trim().replace(/^0x/i, '').toLowerCase()
}

function clipped(text: string): string {
  return text.length > 80 ? `${text.slice(0, 64)}…` : text
}
