import { MismatchError, SignatureError } from '@svc/client'
import { formatUnits, parseUnits, readInput, review } from '@svc/verify/intent'
import type { Sandbox } from '../../api/sandbox.ts'
import type { Choice } from './choices.ts'
import { elsewhere } from './elsewhere.ts'
import { intentOf } from './intents.ts'
import { type Bound, clientFor, inputOf, signWith } from './service.ts'

/** Something that may happen to a caller, played here. */
export interface Lie {
  readonly id: string
  readonly title: string
  /** How it is played. */
  readonly how: string
  play(choice: Choice, amount: string, sandbox: Sandbox): Promise<void>
}

/** How a lie ended: refused by the check, with its sentence; anything else is said as it is. */
export interface Ending {
  readonly refused: boolean
  readonly sentence: string
}

/** What can happen, and must be refused here. */
export const LIES: readonly Lie[] = [
  {
    id: 'changed',
    title: 'Somebody between changes the answer',
    how: 'A digit of the transaction is changed on its way to this page.',
    async play(choice, amount, sandbox) {
      await craft(await clientFor(choice, sandbox, changing), choice, amount)
    },
  },
  {
    id: 'replayed',
    title: 'Yesterday’s answer is given again',
    how: 'The same is asked twice, and the second time the first answer comes back.',
    async play(choice, amount, sandbox) {
      const client = await clientFor(choice, sandbox, repeating())
      await craft(client, choice, amount)
      await craft(client, choice, amount)
    },
  },
  {
    id: 'thief',
    title: 'A thief owns the service and its key',
    how: 'The answer is truly the service’s, but the transaction in it stakes ten times as much as you asked for.',
    play: tenfold,
  },
  {
    id: 'elsewhere',
    title: 'The operator stakes elsewhere than agreed',
    how: 'The trust document of this page names another validator or contract than the service uses.',
    async play(choice, amount, sandbox) {
      await craft(await clientFor(choice, { ...sandbox, trust: elsewhere(sandbox.trust, choice) }, fetch.bind(window)), choice, amount)
    },
  },
  {
    id: 'key',
    title: 'The custodian signs with a wrong key',
    how: 'Another demo wallet signs the right transaction.',
    async play(choice, amount, sandbox) {
      const transaction = await craft(await clientFor(choice, sandbox, fetch.bind(window)), choice, amount)
      await signWith(transaction, choice, choice.other ?? choice.address)
    },
  },
]

/** Plays a lie. @throws what no check refused, such as a chain that does not answer */
export async function told(lie: Lie, choice: Choice, amount: string, sandbox: Sandbox): Promise<Ending> {
  try {
    await lie.play(choice, amount, sandbox)
    return { refused: false, sentence: 'It was not refused. That is a fault of this page or of the check.' }
  } catch (error) {
    if (error instanceof MismatchError || error instanceof SignatureError) return { refused: true, sentence: error.message }
    throw error
  }
}

function craft(client: Bound, choice: Choice, amount: string) {
  return client.craft(choice.action, inputOf(choice, amount))
}

/** A way to the service on which one digit of an answer is changed. */
const changing: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const text = await response.text()
  const at = text.lastIndexOf('"') - 1
  const other = text[at] === '1' ? '2' : '1'
  return new Response(text.slice(0, at) + other + text.slice(at + 1), { status: response.status, headers: response.headers })
}

/** A way to the service on which the first answer is given again. */
function repeating(): typeof fetch {
  let first: Promise<Response> | undefined
  return async (input, init) => {
    first ??= fetch(input, init)
    return (await first).clone()
  }
}

async function tenfold(choice: Choice, amount: string, sandbox: Sandbox): Promise<void> {
  let stated: Readonly<Record<string, string>> = {}
  const client = await clientFor(choice, sandbox, async (input, init) => {
    const response = await fetch(input, init)
    stated = Object.fromEntries(response.headers)
    return response
  })
  const { decimals } = client.terms
  const units = parseUnits(amount, decimals)
  const more = units === null ? amount : formatUnits(units * 10n, decimals)
  const { unverified } = await client.craftWithoutVerification(choice.action, inputOf(choice, more))
  const intent = await intentOf(choice.protocol)
  const action = intent.actions[choice.action]
  if (!action) throw new Error(`The intent of ${choice.protocol} has no action ${choice.action}.`)
  const input = readInput(action.input, inputOf(choice, amount), decimals)
  const reviewed = review({ intent, action, terms: client.terms, input, answer: unverified, stated })
  if ('mismatches' in reviewed)
    throw new MismatchError('The transaction is not what was asked for, so it cannot be signed', reviewed.mismatches)
}
