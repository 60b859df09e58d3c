import { formatAmount, isServiceError, membersOf } from '@svc/contract'
import { amountMark, parseJson, readInput } from '@svc/contract/host'
import { shown } from '../check.ts'
import { awaitLanding } from '../landing.ts'
import { once } from '../once.ts'
import { actionOf, present } from '../present.ts'
import type { Ready, Subject } from '../subject.ts'
import type { FamilyLife, Signed, Stage } from './family.ts'

/**
 * Makes a wallet with a signed transaction of an action, which nobody has received yet.
 *
 * @param given the wallet and the body. @default the example of the action, set up anew
 * @throws a sentence when it cannot be made
 */
export async function setStage(subject: Subject, life: FamilyLife, action: string, given?: Ready): Promise<Stage> {
  const ready = given ?? (await subject.freshExample(action))
  const { world } = subject
  const transactions = new Map<string, Promise<Signed>>()
  const placement: Stage['placed'] = ({ txHash }) =>
    awaitLanding(txHash, async () => ((await life.has(world.rpcUrl, txHash)) ? 'landed' : null))
  return {
    ...(await signed(subject, action, ready, ready.body)),
    rpcUrl: world.rpcUrl,
    wallet: ready.player.wallet,
    another: () => once(transactions, 'another', () => another(subject, action, ready)),
    operate: (name, body) => world.operate(name, body),
    send: ({ body }) => life.send(world.rpcUrl, body),
    placed: placement,
  }
}

async function signed({ client, family, kit, direct }: Subject, action: string, ready: Ready, body: Ready['body']): Promise<Signed> {
  const crafted = await client.post(`/action/${action}`, body)
  if (crafted.status !== 200) throw new TypeError(`${action} answered ${crafted.status} ${shown(crafted.text)}`)
  const prepared = await client.post('/action/prepare', await family.sign(crafted.json, ready.player.wallet))
  if (prepared.status !== 200) throw new TypeError(`prepare answered ${prepared.status} ${shown(prepared.text)}`)
  const sent = membersOf(prepared.json)
  return { body: sent, txHash: kit.names.signed(sent, direct.network).txHash }
}

/** The same for a base unit more, or less where that is refused. */
async function another(subject: Subject, action: string, ready: Ready): Promise<Signed> {
  const { kit, protocol } = subject
  const { body: properties, invalidBody } = actionOf(protocol, action)
  const input = readInput(kit, properties, parseJson(JSON.stringify(ready.body)), invalidBody)
  const [name, schema] = present(
    Object.entries(properties).find(([member, schema]) => amountMark(schema) && typeof input[member] === 'bigint'),
    `an amount in the body of ${action}`,
  )
  const amount = BigInt(String(input[name]))
  const decimals = amountMark(schema)?.decimals ?? kit.decimals
  const near = (step: bigint) => signed(subject, action, ready, { ...ready.body, [name]: formatAmount(amount + step, decimals) })
  return near(1n).catch((error: unknown) => {
    if (error instanceof TypeError || isServiceError(error)) return near(-1n)
    throw error
  })
}
