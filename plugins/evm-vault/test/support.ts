import { type Answer, type Client, type Player, startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { formatAmount, parseAmount } from '@svc/contract'
import { observe } from '@svc/sandbox'
import type { EvmScenario } from '@svc/sandbox-evm'
import type { Test } from 'tap'
import { scenario as mainnet, vaultContract, type World, worldOf } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

type Subject = Awaited<ReturnType<typeof startStage>>

/** The plugin in a running service on its scenario, and the vault's world. */
export async function startObserved(settings: Readonly<Record<string, unknown>> = {}, scenario: EvmScenario = mainnet) {
  const observed = observe(scenario)
  const stage = await startStage({ plugin, scenario: observed.scenario, family: evmFamily, settings })
  return { stage, world: worldOf(observed.chain()) }
}

/** Decimal texts added up. */
export function sum(...texts: readonly (string | null)[]): string {
  return formatAmount(
    texts.reduce((total, text) => total + parseAmount(text ?? '0', 18), 0n),
    18,
  )
}

/** Decimal text as wei. */
export function wei(text: string | null): bigint {
  return parseAmount(text ?? '0', 18)
}

/** Wei as decimal text. */
export function ether(amount: bigint): string {
  return formatAmount(amount, 18)
}

/** Stakes, and waits until validators have the money. */
export async function staked(player: Player, amount: unknown): Promise<void> {
  await player.act('stake', { amount })
  await player.advance({ epochs: 1 })
}

/** An oracle update that nobody has harvested: as much reward again as the last one, and a little. */
export async function reportMore(world: World, more = 10n ** 17n): Promise<void> {
  await world.publish((world.report?.reward ?? 0n) + more)
}

/** ETH for the queue arrives, and the next report is harvested. */
export async function payQueue(world: World, assets: bigint): Promise<void> {
  await world.chain.fund(world.vault, assets)
  await reportMore(world, 0n)
  await world.harvest()
}

/** A call in a crafted transaction; of a `multicall`, all of them. */
export interface CraftedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What a craft does, read by the stand-in's own interface. */
export function callsOf(answer: Answer): readonly CraftedCall[] {
  const { payload } = answer.json as { payload: { data: string } }
  const read = (data: string): readonly CraftedCall[] => {
    const { name, args } = vaultContract.abi.parseTransaction({ data })!
    return name === 'multicall' ? (args.data as string[]).flatMap(read) : [{ name, args: args.toObject() }]
  }
  return read(payload.data)
}

/** Signs what was crafted and sends it on. @returns the answer of broadcast */
export async function send(client: Client, unsigned: unknown, player: Player): Promise<Answer> {
  const signatures = await evmFamily.sign(unsigned as never, player.wallet as never)
  const prepared = await client.post('/action/prepare', signatures)
  return client.post('/action/broadcast', prepared.json)
}

interface RpcCall {
  readonly id: number
  readonly method: string
  readonly params: readonly never[]
}

/** Answers some JSON-RPC calls in place of the chain. @param answer undefined lets a call pass */
export function answering(stage: Subject, answer: (call: RpcCall) => object | undefined): void {
  stage.upstream.interfere(async ({ body, url }, pass) => {
    if (url.includes('subgraph')) return pass()
    const parsed = JSON.parse(body) as RpcCall | RpcCall[]
    const calls = [parsed].flat()
    const own = calls.map((call) => answer(call))
    if (own.every((each) => each === undefined)) return pass()
    const passed = [await (await pass()).json()].flat() as { id: number }[]
    const answers = calls.map(({ id }, index) =>
      own[index] ? { jsonrpc: '2.0', id, ...own[index] } : passed.find((each) => each.id === id),
    )
    return Response.json(Array.isArray(parsed) ? answers : answers[0])
  })
}

/** Changes what the subgraph answers; a text that is no query of the given name passes. */
export function lying(stage: Subject, name: string, change: (data: never) => unknown): void {
  stage.upstream.interfere(async ({ body, url }, pass) => {
    if (!url.includes('subgraph') || (JSON.parse(body) as { operationName?: string }).operationName !== name) return pass()
    const { data } = (await (await pass()).json()) as { data: never }
    return Response.json({ data: change(data) })
  })
}

/** The subgraph does not answer. */
export function withoutSubgraph(stage: Subject): void {
  stage.upstream.interfere(({ url }) => (url.includes('subgraph') ? Promise.reject(new TypeError('fetch failed')) : null))
}

/** A refusal, as it has to come. */
export async function refuses(
  t: Test,
  player: Player,
  action: string,
  members: Readonly<Record<string, unknown>>,
  code: string,
  status = 400,
): Promise<void> {
  const answer = await player.craft(action, members)
  t.same([answer.status, answer.code], [status, code], `${action} is refused: ${code} (${answer.text})`)
}
