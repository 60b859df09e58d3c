import type { DecodeError } from '@svc/verify'
import { cosmos, namesIn } from '@svc/verify/cosmos'
import { evm } from '@svc/verify/evm'
import { type Explanation, explain, type Family, type NetworkTerms, type Signer } from '@svc/verify/intent'
import { move } from '@svc/verify/move'
import { svm } from '@svc/verify/svm'
import type { ExplainAsked } from './arguments.ts'
import { callLine } from './call-line.ts'
import { readHeaders, readTransaction, readTrust } from './files.ts'
import { bind } from './intents.ts'
import { Mistake, type Outcome } from './outcome.ts'

/** Says what a transaction does. @throws Mistake, SetupError */
export async function explainText(asked: ExplainAsked, folder: string): Promise<Outcome> {
  const { trust, protocol, headers, network } = asked
  const stated = await readHeaders(folder, headers)
  const text = await readTransaction(asked.transaction)
  try {
    if (trust === undefined || protocol === undefined) return await byFamily(text, stated)
    const { intent, terms } = await bind(folder, protocol, await readTrust(folder, trust), network)
    const explained = await explain(intent, terms, text, stated)
    const beware = explained.known ? [] : [`Not every call is one of ${intent.path} on these terms.`]
    return { code: 0, lines: [explained.sentence, ...beware, ...common(explained)], errors: [] }
  } catch (error) {
    if (isDecodeError(error)) return { code: 1, lines: [], errors: [capital(error.message)] }
    throw error
  }
}

/** Mainnet's first checkpoint, by which its transactions name it: https://docs.sui.io/references/sui-api (read 2026-11-22). */
const SUI = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S'

/** By the family whose bytes they are: strict readers leave one at most. */
async function byFamily(text: string, stated: Readonly<Record<string, string>>): Promise<Outcome> {
  const refused: string[] = []
  for (const [name, familyOf] of FAMILIES) {
    try {
      const family = familyOf(text)
      if (!family.explain) throw new Mistake(`The reader of ${name} is too old for this command.`)
      const explanation = await family.explain(text, {}, TERMS, stated)
      return { code: 0, lines: [`A transaction for ${name}.`, ...bare(explanation, family)], errors: [] }
    } catch (error) {
      if (!isDecodeError(error)) throw error
      refused.push(`${name}: ${error.message}`)
    }
  }
  return { code: 1, lines: [], errors: ['This is no transaction of any of the four families.', ...refused] }
}

/** What is asked of a family here, whatever terms it has of its own. */
type Reader = Pick<Family<typeof TERMS>, 'explain' | 'validity'>

const FAMILIES: readonly (readonly [name: string, familyOf: (text: string) => Reader])[] = [
  ['EVM', () => evm],
  ['Solana', () => svm],
  ['Sui', () => move],
  ['Cosmos', (text) => cosmos(namesIn(text))],
]
/** Nothing of it is said: what is read without a protocol is told in base units. */
const TERMS: NetworkTerms & { readonly chain_identifier: string } = {
  chainId: 'mainnet',
  caip2: '',
  decimals: 0,
  symbol: '',
  max_fee: '0',
  chain_identifier: SUI,
}

function bare(explanation: Explanation, family: Reader): readonly string[] {
  const { decoded } = explanation
  return [
    ...(decoded.chainId === null ? [] : [`Chain: ${decoded.chainId}`]),
    ...decoded.calls.map((call, i) => `Call ${i + 1}: ${callLine(call)}`),
    `Fee at most, in base units: ${decoded.maxFee}`,
    capital(family.validity(decoded)),
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

/** By its code, since the folder's intents may bring another copy of the reader. */
function isDecodeError(error: unknown): error is DecodeError {
  return error instanceof Error && 'code' in error && error.code === 'DECODE_FAILED'
}
