import { membersOf } from '@svc/contract'
import type { AnyProtocol } from '@svc/contract/host'
import type { Step } from '@svc/sandbox'
import { type Budget, checkCraft } from './budget.ts'
import { type Check, differences, messageOf, shown } from './check.ts'
import type { AnyContext } from './direct.ts'
import type { AnyFamily } from './family.ts'
import type { Answer, Client } from './http.ts'
import { chosen, type ExpectedPosition, type Position, readPosition } from './position.ts'
import type { Service } from './service.ts'
import type { Upstream } from './upstream.ts'
import { vouched } from './vouched.ts'
import type { Wallet } from './wallet.ts'
import type { World } from './world.ts'

type Members = Readonly<Record<string, unknown>>

/** A transaction that went all the way. */
export interface PlayedAction {
  readonly hash: string
  /** Response of the craft. */
  readonly unsigned: unknown
}

/** A wallet in the service's hands: what a plugin's test acts with. Everything goes over HTTP. */
export interface Player {
  readonly wallet: Wallet
  readonly client: Client
  /** Check to which the findings go that a test makes by itself. */
  readonly check: Check
  /** Another player, whose wallet is fresh and has nothing. */
  newcomer(): Player
  /** @param amount decimal text in native units */
  fund(amount: string): Promise<void>
  /** Moves the chain on. @returns what its scenario tells, such as the epoch */
  advance(step: Step): Promise<Record<string, unknown>>
  /** The whole body of an action: the signer and the members given. */
  body(members?: Members): Members
  craft(action: string, members?: Members): Promise<Answer>
  /**
   * Crafts, signs, prepares, broadcasts, and waits for the block. The caller's own check has to take the craft. In a journey the craft must stay within the budget, and prepare must not
   * ask the chain.
   *
   * @param waves of this craft, where a correction takes more than the budget says
   * @throws StepFailed when a step is refused, or the transaction fails on the chain; it ends the journey
   */
  act(action: string, members?: Members, waves?: number): Promise<PlayedAction>
  /** Records whether a craft is refused like this. */
  refused(action: string, members: Members, code: string, status?: number): Promise<void>
  position(): Promise<Position>
  /** Records whether the position is this. */
  expect(name: string, expected: ExpectedPosition): Promise<void>
}

/** A step that was refused; its finding is made. */
export class StepFailed extends Error {
  /** The action whose transaction the service withheld, where that was the reason. */
  readonly withheld: string | undefined
  constructor(message: string, withheld?: string) {
    super(message)
    this.name = 'StepFailed'
    this.withheld = withheld
  }
}

/** Ground on which a player acts: the plugin in a running service on a running chain. */
interface Ground {
  readonly family: AnyFamily
  readonly world: World
  readonly upstream: Upstream
  readonly protocol: AnyProtocol
  /** The plugin's own client, whose network has the settings. */
  readonly direct: Pick<AnyContext, 'network'>
  readonly options: { readonly budget?: Budget }
  readonly service: Service
  readonly client: Client
}

/**
 * Makes a player, who acts on a position.
 *
 * @param measured whether each step is held against the budget
 * @param wallet with which he acts @default a fresh one
 */
export function createPlayer(ground: Ground, check: Check, measured: boolean, wallet = ground.world.freshWallet(ground.family)): Player {
  const { family, world, upstream, protocol, options, client, service, direct } = ground
  const body = (members: Members = {}) => ({ [protocol.kit.signer]: wallet.signer, ...members })
  const craft = (action: string, members?: Members) => client.post(`/action/${action}`, body(members))

  async function step<T>(action: string, name: string, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      check.fail(`${action}: ${name}`, messageOf(error))
      throw new StepFailed(`${action}: ${name}: ${messageOf(error)}`)
    }
  }

  async function posted(action: string, name: string, send: () => Promise<Answer>): Promise<Answer> {
    const answer = await send()
    if (answer.status === 200) return answer
    const withheld = withheldFrom(service, answer)
    const why = withheld ? `withheld it: ${withheld}` : `answered ${answer.status} ${shown(answer.text)}`
    check.fail(`${action}: ${name} answers 200`, withheld ? why : `${answer.status} ${answer.text}`)
    throw new StepFailed(`${action}: ${name} ${why}`, withheld ? action : undefined)
  }

  async function used<T>(run: () => Promise<T>, observer: (usage: { calls: number; waves: number }) => void): Promise<T> {
    if (!measured) return run()
    // What an earlier refusal made the service read anew is not this request's.
    await upstream.idle()
    const { result, usage } = await upstream.measure(run)
    observer(usage)
    return result
  }

  async function act(action: string, members?: Members, waves?: number): Promise<PlayedAction> {
    const budget = { ...options.budget, ...(waves === undefined ? {} : { craft: waves }) }
    const crafted = await used(
      () => posted(action, 'craft', () => craft(action, members)),
      (usage) => checkCraft(check, budget, protocol, action, usage),
    )
    const unsigned = crafted.json
    vouched(check, protocol, direct.network, action, body(members), crafted)
    const signatures = await step(action, 'the wallet can sign', () => family.sign(unsigned, wallet))
    const most = budget.prepare ?? 0
    const signed = await used(
      () => posted(action, 'prepare', () => client.post('/action/prepare', signatures)),
      ({ calls }) => check.ok(calls <= most, `prepare makes ${most} upstream calls at most`, calls),
    )
    const sent = await posted(action, 'broadcast', () => client.post('/action/broadcast', signed.json))
    const hash = String(membersOf(sent.json).tx_hash)
    await step(action, 'the transaction succeeds on the chain', () => family.landed(world.rpcUrl, hash))
    return { hash, unsigned }
  }

  async function position(): Promise<Position> {
    const answer = await client.get(`/staking-balance/${wallet.address}`)
    if (answer.status === 200) return readPosition(answer.json, protocol.kit.decimals)
    check.fail('staking-balance answers 200', `${answer.status} ${answer.text}`)
    throw new StepFailed(`staking-balance answered ${answer.status} ${shown(answer.text)}`)
  }

  return {
    wallet,
    client,
    check,
    newcomer: () => createPlayer(ground, check, measured),
    fund: (amount) => world.fund(wallet.address, amount),
    advance: (by) => world.advance(by),
    body,
    craft,
    act,
    async refused(action, members, code, status = 400) {
      const answer = await craft(action, members)
      const actual = { status: answer.status, code: answer.code }
      if (!check.equal(actual, { status, code }, `${action} ${shown(members)} is refused: ${status} ${code}`))
        check.fail(`${action}: the refusal`, answer.text)
    },
    position,
    async expect(name, expected) {
      check.equal(chosen(await position(), expected), expected, name)
    },
  }
}

/** Returns what the service logged about a transaction that it withheld: the caller is told nothing. null when it answered otherwise. */
function withheldFrom(service: Service, { status, headers }: Answer): string | null {
  if (status !== 500) return null
  const line = service.log.find(({ alert, reqId }) => alert === 'DECODE_MISMATCH' && reqId === headers.get('x-request-id'))
  return line ? differences(line.mismatches as Parameters<typeof differences>[0]) : null
}
