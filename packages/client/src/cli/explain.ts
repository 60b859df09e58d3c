import { DecodeError } from '@svc/verify'
import { inspectedCosmos } from '@svc/verify/cosmos/inspected'
import { inspectedEvm } from '@svc/verify/evm/inspected'
import { type FamilyReading, readableAmong, readFamilies } from '@svc/verify/inspect'
import { type Explanation, explain, type Signer } from '@svc/verify/intent'
import { inspectedMove } from '@svc/verify/move/inspected'
import { inspectedSvm } from '@svc/verify/svm/inspected'
import type { ExplainAsked } from './arguments.ts'
import { callLine, inTokens } from './call-line.ts'
import { readHeaders, readTransaction, readTrust } from './files.ts'
import { bind, type IntentFinder } from './intents.ts'
import { bewareOf, type Outcome } from './outcome.ts'

/** Explains a transaction in words. @throws Mistake, SetupError */
export async function explainText(options: ExplainAsked, folder: string, find: IntentFinder): Promise<Outcome> {
  const { trust, protocol, headers, network } = options
  const headerValues = await readHeaders(folder, headers)
  const text = await readTransaction(options.transaction)
  try {
    if (trust === undefined || protocol === undefined) return await byFamily(text, headerValues)
    const { intent, terms } = bind(await find(protocol), await readTrust(folder, trust), network)
    const explained = await explain(intent, terms, text, headerValues)
    const beware = explained.known ? [] : [`Not every call is one of ${intent.path} on these terms.`]
    return { code: 0, lines: [explained.sentence, ...beware, ...bewareOf(explained), ...common(explained)], errors: [] }
  } catch (error) {
    if (DecodeError.is(error)) return { code: 1, lines: [], errors: [capital(error.message)] }
    throw error
  }
}

/** Explains a transaction by the family whose bytes it has: strict readers leave one family at most. */
async function byFamily(text: string, headers: Readonly<Record<string, string>>): Promise<Outcome> {
  const attempts = await readFamilies(text, headers, readableAmong([inspectedEvm, inspectedSvm, inspectedMove, inspectedCosmos]))
  const reading = attempts.find((each) => 'explanation' in each)
  if (reading) return { code: 0, lines: [`A transaction for ${reading.title}.`, ...bare(reading)], errors: [] }
  const refusals = attempts.flatMap((each) => ('why' in each ? [`${each.title}: ${each.why}`] : []))
  return { code: 1, lines: [], errors: ['This is no transaction of any of the four families.', ...refusals] }
}

function bare({ explanation, validity, network: { terms } }: FamilyReading): readonly string[] {
  const { decoded } = explanation
  return [
    ...(decoded.chainId === null ? [] : [`Chain: ${decoded.chainId}`]),
    ...decoded.calls.map((call, i) => `Call ${i + 1}: ${callLine(call, terms)}`),
    `Fee at most: ${inTokens(decoded.maxFee, terms)}`,
    capital(validity),
    ...common(explanation),
  ]
}

function common({ form, signers, hash, txHash, notes }: Explanation): readonly string[] {
  return [
    form === 'signed' ? 'It is signed.' : 'It is unsigned.',
    ...signers.map(({ address, signature }) => `Signer: ${address}, ${SAID[signature]}`),
    ...(hash === null ? [] : [`Hash to sign: ${hash}`]),
    ...(txHash === null ? [] : [`Transaction hash: ${txHash}`]),
    ...notes,
  ]
}

const SAID: Readonly<Record<Signer['signature'], string>> = {
  missing: 'whose signature is not there yet',
  right: 'whose signature is right',
  wrong: 'whose signature is WRONG',
  unchecked: 'whose signature cannot be checked by the bytes alone',
}

function capital(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${sentence.endsWith('.') ? '' : '.'}`
}
