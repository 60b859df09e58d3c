import { formatUnits, parseUnits } from '@svc/verify/intent'
import type { Sandbox } from '../../api/sandbox.ts'
import { Far } from '../../realm/port.ts'
import type { Choice } from './choices.ts'
import { elsewhere } from './elsewhere.ts'
import { type BoundClient, clientFor, inputOf, realmOf } from './service.ts'

/** Something that may happen to a caller, played here. */
interface Lie {
  readonly id: string
  readonly title: string
  /** Way in which the lie is played. */
  readonly how: string
  play(choice: Choice, amount: string, sandbox: Sandbox): Promise<void>
}

/** End of a lie: refused by the check, with its sentence; anything else is said as it is. */
export interface Ending {
  readonly refused: boolean
  readonly sentence: string
}

/** Lies that can happen, and must be refused here. */
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
      const { protocols } = await realmOf(choice)
      const terms = protocols.find(({ path }) => choice.protocolPath === `/api/v1${path}`)?.terms ?? []
      for (const trust of elsewhere(sandbox.trust, choice, terms))
        await craft(await clientFor(choice, { ...sandbox, trust }, fetch.bind(window)), choice, amount)
    },
  },
  {
    id: 'key',
    title: 'The custodian signs with a wrong key',
    how: 'Another demo wallet signs the right transaction.',
    async play(choice, amount, sandbox) {
      const client = await clientFor(choice, sandbox, fetch.bind(window))
      await client.sign(await craft(client, choice, amount), choice.other ?? choice.address)
    },
  },
]

/** Plays a lie. @throws what no check refused, such as a chain that does not answer */
export async function told(lie: Lie, choice: Choice, amount: string, sandbox: Sandbox): Promise<Ending> {
  try {
    await lie.play(choice, amount, sandbox)
    return { refused: false, sentence: 'It was not refused. That is a fault of this page or of the check.' }
  } catch (error) {
    if (error instanceof Far && REFUSALS.includes(error.name)) return { refused: true, sentence: error.message }
    throw error
  }
}

/** Names of the client's errors by which a check refuses. */
const REFUSALS: readonly string[] = ['MismatchError', 'SignatureError']

function craft(client: BoundClient, choice: Choice, amount: string) {
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
  const client = await clientFor(choice, sandbox, fetch.bind(window))
  const units = parseUnits(amount, choice.decimals)
  const more = units === null ? amount : formatUnits(units * 10n, choice.decimals)
  await client.theft(choice.action, inputOf(choice, amount), inputOf(choice, more))
}
