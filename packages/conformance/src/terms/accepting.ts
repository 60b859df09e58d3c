import { itemsOf, membersOf } from '@svc/contract'
import { acceptControl, shortName } from '@svc/core/operate'
import { type Check, shown } from '../check.ts'
import type { Client } from '../http.ts'
import { createPlayer } from '../player.ts'
import { present } from '../present.ts'
import type { Service } from '../service.ts'
import type { Ready, Subject } from '../subject.ts'

const REFUSAL = 'CONTROL_CHANGED'

/** A running service of the trial, in which what has changed was compared. */
export interface Visit {
  readonly service: Service
  readonly operations: Client
  beat(): Promise<void>
}

/** Holder of a power, by the chain itself. */
interface Power {
  readonly key: string
  readonly name: string
  readonly value: string | null
}

/**
 * Stakes while a change of a power waits for the operator: those, and no exit, are refused in each service of the trial until he has accepted it. Which of the actions stake is
 * told by the moves of what they craft, and not by the plugin.
 */
export function createStakes(subject: Subject, check: Check) {
  const { protocol, actions } = subject
  const accepted = new Map<string, string | null>()
  let stakes: readonly string[] = []
  /** One of each action, of this trial alone. */
  const examples = new Map<string, Ready>()
  let isLanded = false

  async function powers(): Promise<readonly Power[]> {
    const ctx = subject.connect()
    try {
      const conditions = (await protocol.condition?.(ctx)) ?? []
      return conditions.flatMap(({ kind, id, terms = [] }) =>
        terms.flatMap((term) => (term.kind === 'power' ? [{ key: `${kind} ${id} ${term.name}`, name: term.name, value: term.value }] : [])),
      )
    } finally {
      await protocol.kit.close?.(ctx.client)
    }
  }

  /** Powers that somebody else has than who was accepted. One that is seen for the first time is accepted. */
  async function waiting(): Promise<readonly Power[]> {
    const current = await powers()
    for (const { key, value } of current) if (!accepted.has(key)) accepted.set(key, value)
    return current.filter(({ key, value }) => accepted.get(key) !== value)
  }

  async function craft({ service }: Visit, action: string) {
    return (await service.client()).post(`/action/${action}`, examples.get(action)?.body)
  }

  /** Sends an action all the way through a service of the trial. */
  async function land({ service }: Visit, action: string): Promise<void> {
    const { player, body } = present(examples.get(action), `an example of ${action}`)
    await createPlayer({ ...subject, service, client: await service.client() }, check, false, player.wallet).act(action, body)
  }

  /** The newest record of an action in the audit log. */
  async function recordOf({ operations }: Visit, action: string) {
    const { json } = await operations.get(`/audit?action=${action}&limit=1`)
    return membersOf(itemsOf(membersOf(json).records)[0])
  }

  /** Lands every exit while a change waits, and every stake once it is accepted. */
  async function landAll(visit: Visit, name: string, pending: readonly Power[]): Promise<void> {
    const exits = actions.filter((action) => !stakes.includes(action))
    for (const action of exits) {
      await land(visit, action)
      const { sentence } = await recordOf(visit, action)
      check.ok(
        /operator has not accepted that/.test(String(sentence)),
        `${name}: ${action} lands, and its record says what waits`,
        shown(sentence),
      )
    }
    const network = subject.world.chainId
    const path = `plugins.${protocol.name}.networks.${network}`
    for (const { key, name: aspect, value: holder } of pending) {
      const acceptance = { protocol: shortName(protocol.name), network, aspect, holder, note: 'conformance' }
      await acceptControl(visit.service.store, [path], acceptance, async () => undefined)
      accepted.set(key, holder)
    }
    await visit.beat()
    for (const action of stakes) await land(visit, action)
    check.note(`${name}: ${exits.join(', ')} landed before it was accepted, ${stakes.join(', ')} after`)
  }

  return {
    /** Looks which actions stake, and prepares all of them, before anything changes. */
    async begin(visit: Visit): Promise<void> {
      await waiting()
      for (const action of actions) {
        examples.set(action, await subject.freshExample(action))
        const answer = await craft(visit, action)
        check.ok(answer.status === 200, `${action} is crafted at first`, `${answer.status} ${answer.text}`)
        const { moves } = await recordOf(visit, action)
        if (itemsOf(moves).some((move) => membersOf(move).kind === 'staked')) stakes = [...stakes, action]
      }
      const naming = actions.filter((name) => protocol.actions[name]?.obstacles)
      check.equal(naming, stakes, 'the actions that name obstacles, be they none, are those that put stake in')
    },
    /** Looks whether stake is refused where it has to be. @param name of the change */
    async judge(visit: Visit, name: string): Promise<void> {
      const pending = await waiting()
      const names = pending.map((power) => power.name).sort()
      check.equal(await unacceptedIn(visit.operations), names, `${name}: the powers whose holder is not accepted are shown`)
      const refused: string[] = []
      for (const action of actions) if ((await craft(visit, action)).code === REFUSAL) refused.push(action)
      const expected = pending.length > 0 ? stakes : []
      check.equal(
        refused,
        expected,
        `${name}: ${pending.length > 0 ? 'nothing is staked, and everything leaves' : 'no stake is refused for it'}`,
      )
      if (pending.length === 0 || isLanded) return
      isLanded = true
      await landAll(visit, name, pending)
    },
  }
}

/** Names of the powers that a service shows as not accepted, sorted. */
export async function unacceptedIn(operations: Client): Promise<readonly string[]> {
  const [protocol] = itemsOf((await operations.get('/protocols')).json)
  const [network] = itemsOf(membersOf(protocol).networks)
  const terms = itemsOf(membersOf(network).staked_with).flatMap((each) => itemsOf(membersOf(each).terms).map(membersOf))
  return terms.flatMap(({ name, accepted }) => (accepted === false ? [String(name)] : [])).sort()
}
