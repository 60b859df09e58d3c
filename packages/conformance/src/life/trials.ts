import type { Status, Subject as Watched } from '@svc/contract'
import { type Check, shown } from '../check.ts'
import type { Liar } from '../family.ts'
import { createRecording, type Endpoint, type Recording, type Told } from '../lies/endpoint.ts'
import type { Subject } from '../subject.ts'
import type { FamilyLife, Scene, Stage } from './family.ts'
import { type Honesty, isNegative, wrongOf } from './verdict.ts'
import { createClock, createWatcher, type Outcome } from './watcher.ts'

/** Looks at a time: a negative that is found at the first is told at the second. */
const LOOKS = 2
/** Looks until a healthy endpoint has had time to tell. */
const MOST_LOOKS = 20
/** Lies that are told in a scene; SVC_LIES=all tells every one. */
const MOST_LIES = 12

/** Looks at the transaction of a scene by other endpoints than the chain's own. */
interface Trials {
  /** After `before` of the scene, and before the transaction is sent. */
  before(): Promise<void>
  /** After `play`. @returns what a healthy endpoint tells, null when that is not what the scene says */
  after(check: Check): Promise<Status | null>
}

/** Makes the trials of a transaction, in each of which endpoints lie about it. @throws Error for bytes of which the kit cannot say the bounds */
export function trials(subject: Subject, life: FamilyLife, { name, given, told }: Scene, { body, txHash, wallet }: Stage): Trials {
  const { kit, protocol, direct, family } = subject
  const { liar } = family
  const clock = createClock()
  const followed = given !== 'hash'
  let start: Watched = {
    txHash,
    ...(kit.life?.byWallet ? { wallet: kit.address(wallet.address) } : {}),
    bounds: followed ? (kit.life?.bounds(body, direct.network) ?? null) : null,
    keep: null,
    firstSeen: followed ? clock.now() : null,
    accepted: given === 'broadcast',
  }
  let early: Recording | undefined

  async function looks(endpoints: readonly Endpoint[], most: number, until: (outcome: Outcome) => boolean): Promise<readonly Outcome[]> {
    const watcher = createWatcher(subject, endpoints, start, clock)
    const outcomes: Outcome[] = []
    try {
      for (let look = 0; look < most; look++) {
        const outcome = await watcher.look()
        outcomes.push(outcome)
        if (until(outcome)) break
      }
      if (followed) snapshot = watcher.known()
      return outcomes
    } finally {
      await watcher.close()
    }
  }
  let snapshot = start
  const never = () => false

  return {
    async before() {
      early = createRecording(subject, liar)
      await looks([early.endpoint('early', null)], 2, never)
      start = snapshot
    },
    async after(check) {
      const healthy = await looks(
        [createRecording(subject, liar).live('healthy')],
        MOST_LOOKS,
        ({ look }) => look !== null && settled(look, told),
      )
      const last = healthy.at(-1)?.look ?? null
      const messages = [...new Set(healthy.map(({ said: message }) => message))]
      if (!check.ok(last !== null && settled(last, told), `${name}: a healthy endpoint has ${told.join(' or ')} told`, shown(messages)))
        return null
      const truth = last?.status ?? 'unknown'
      const recording = createRecording(subject, liar)
      const honest = () => recording.endpoint('honest', null)
      const usual = saidBy(await looks([honest()], LOOKS, never))

      const judge = async (what: string, honesty: Honesty, endpoints: readonly Endpoint[], excused?: (outcome: Outcome) => boolean) => {
        // What could not be told from recorded answers cannot be told from the same ones.
        const outcomes = await looks(endpoints, LOOKS, ({ look }) => look === null)
        for (const outcome of outcomes) {
          const wrong = wrongOf(truth, outcome, honesty)
          if (wrong !== null && !excused?.(outcome)) check.fail(`${name}: ${what}`, wrong)
        }
        return outcomes
      }
      if (!liar) return truth
      const behind = early?.replay('behind')
      const pruned = recording.replay('pruned', life.pruned)
      for (const [what, each] of [
        ['is behind', behind],
        ['has forgotten', pruned],
      ] as const)
        if (each) {
          await judge(`what the only endpoint tells that ${what}`, 'honest', [each])
          await judge(`what is told when the first of two endpoints ${what}`, 'honest', [each, honest()])
          await judge(`what is told when the second of two endpoints ${what}`, 'honest', [honest(), each])
        }
      const lies = liesOf(liar, recording, clock.now(), `${protocol.name} ${name}`)
      for (const lie of lies) {
        const bound = life.believed?.find((each) => each.lie.test(lie.name))
        const alone = await judge(
          `${lie.name}, at the only endpoint`,
          'lying',
          [recording.endpoint('liar', lie)],
          ({ look }) => bound !== undefined && isNegative(look),
        )
        // What has no effect is the same with an endpoint behind it.
        if (saidBy(alone) === usual) continue
        await judge(`${lie.name}, with a healthy endpoint behind it`, 'lying', [recording.endpoint('liar', lie), honest()])
      }
      check.ok(lies.length > 0, `${name}: ${lies.length} lies are told of it`)
      return truth
    },
  }
}

function saidBy(outcomes: readonly Outcome[]): string {
  return outcomes.map(({ said: message }) => message).join('; ')
}

/** Spread over all that can be told, others for another scene and another plugin. */
function liesOf(liar: Liar, { answers }: Recording, now: Date, whose: string): readonly Told[] {
  const all = [...answers].flatMap(([question, answer]) => liar.lies(question, answer, now).map((lie) => ({ ...lie, question })))
  if (process.env.SVC_LIES === 'all') return all
  const step = Math.max(1, Math.ceil(all.length / MOST_LIES))
  const shift = [...whose].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  return all.filter((_, index) => (index + shift) % step === 0)
}

/** Tells whether a state is settled: what can still land is never proven for good, and is told until then. */
function settled({ status, certainty }: { readonly status: Status; readonly certainty: string }, statuses: readonly Status[]): boolean {
  return statuses.includes(status) && (status === 'pending' || status === 'unknown' || certainty === 'proven')
}
