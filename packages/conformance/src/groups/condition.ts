import type { Condition } from '@svc/contract'
import { flawOfConditions } from '@svc/contract/host'
import { count } from '../budget.ts'
import { type Check, shown, thrown } from '../check.ts'
import type { AnyContext } from '../direct.ts'
import { whileFailing } from '../failing.ts'
import type { ConditionTest, Idle } from '../options.ts'
import type { Subject } from '../subject.ts'

type Tell = (ctx: AnyContext) => Promise<readonly Condition[]>

/**
 * Tests the condition of the validator or pool: read in one wave, and consistent with whether stake is crafted, in the plugin's own scenario and in every state in which
 * stake is refused; and never reported from a chain that does not answer, or answers nonsense.
 */
export async function condition(subject: Subject, check: Check): Promise<void> {
  const { protocol, options } = subject
  const tell = protocol.condition
  if (!tell) {
    check.equal(options.condition, undefined, 'a plugin that tells no condition has no test of it')
    return
  }
  const { condition: test } = options
  if (!test) {
    check.fail('there is a test of the condition', 'the option condition: the action that stakes, and the states in which it is refused')
    return
  }
  const usual = await told(subject, check, tell)
  if (!usual) return
  check.equal(
    statesOf(usual),
    usual.map(() => 'active'),
    'in the scenario everything that is staked with is active',
  )
  await crafted(subject, check, test)
  const idle = typeof test.idle === 'string' ? [] : test.idle
  if (typeof test.idle === 'string') check.note(`no state in which stake is refused: ${test.idle}`)
  else check.tried(idle.length, 'states in which stake is refused')
  for (const each of idle) await refused(subject, check, tell, test, each, usual)
  const flawOf = (conditions: readonly Condition[]) => (shown(conditions) === shown(usual) ? null : `told ${shown(conditions)}`)
  await whileFailing(subject, check, 'a reading that fails is an error, and not a state', () => fresh(subject, tell), flawOf)
}

/** A reading on a connection of its own, held against its form and its cost. */
async function told({ connect, upstream, protocol }: Subject, check: Check, tell: Tell): Promise<readonly Condition[] | null> {
  const ctx = connect()
  try {
    // What is remembered of a chain, such as where a contract is, costs the first reading a wave.
    await tell(ctx)
    const { result, usage } = await upstream.measure(() => tell(ctx))
    if (!check.equal(flawOfConditions(result), null, 'a condition says what it can say')) return null
    check.ok(usage.waves <= 1, 'it is told in one wave', `${count(usage.waves, 'wave')} in ${count(usage.calls, 'call')}`)
    check.ok(usage.calls > 0, 'and asks the chain')
    return result
  } catch (error) {
    check.fail('the condition is told', thrown(error))
    return null
  } finally {
    await protocol.kit.close?.(ctx.client)
  }
}

async function crafted(subject: Subject, check: Check, { action }: ConditionTest): Promise<void> {
  const { body } = await subject.example(action)
  const answer = await subject.client.post(`/action/${action}`, body)
  check.ok(answer.status === 200, `${action} is crafted while everything is active`, `${answer.status} ${answer.text}`)
}

/** @param usual the conditions otherwise */
async function refused(
  subject: Subject,
  check: Check,
  tell: Tell,
  test: ConditionTest,
  { state, code, status = 400, during }: Idle,
  usual: readonly Condition[],
): Promise<void> {
  const { action } = test
  try {
    const { body } = await subject.example(action)
    await during(async () => {
      const conditions = await fresh(subject, tell).catch((error: unknown) => void check.fail(`${state}: it is told`, thrown(error)))
      if (!conditions) return
      check.ok(
        conditions.some((each) => each.state === state),
        `${state}: it is told`,
        shown(conditions),
      )
      check.equal(flawOfConditions(conditions), null, `${state}: it says what it can say`)
      const answer = await subject.client.post(`/action/${action}`, body)
      const actual = { status: answer.status, code: answer.code }
      if (!check.equal(actual, { status, code }, `${state}: ${action} is refused: ${status} ${code}`))
        check.fail(`${state}: the refusal`, answer.text)
      const { obstacles = [] } = subject.protocol.actions[action] ?? {}
      check.ok(
        obstacles.includes(code),
        `${state}: ${action} names ${code} among its obstacles, so that the state is read anew when a caller meets it`,
        shown(obstacles),
      )
    })
    check.equal(await fresh(subject, tell), usual, `${state}: afterwards it is as before`)
  } catch (error) {
    check.fail(`${state}: it came to its end`, thrown(error))
  }
}

/** Reads the conditions by a connection that remembers nothing. */
async function fresh({ connect, protocol }: Subject, tell: Tell): Promise<readonly Condition[]> {
  const ctx = connect()
  try {
    return await tell(ctx)
  } finally {
    await protocol.kit.close?.(ctx.client)
  }
}

function statesOf(conditions: readonly Condition[]): readonly string[] {
  return conditions.map(({ state }) => state)
}
