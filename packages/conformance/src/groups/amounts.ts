import { formatAmount, isServiceError, membersOf } from '@svc/contract'
import { amountMark, parseJson, readInput } from '@svc/contract/host'
import { type Check, shown, thrown } from '../check.ts'
import { type CapturedCraft, capture } from '../direct.ts'
import { type Numbers, numbersIn } from '../numbers.ts'
import { actionOf } from '../present.ts'
import type { Subject } from '../subject.ts'
import { exactBalances } from './amounts-balance.ts'
import { largest } from './amounts-largest.ts'
import type { AmountMember, Member } from './member.ts'

/** The first integer that a double cannot hold. @see https://tc39.es/ecma262/#sec-number.max_safe_integer (read 2026-11-22) */
const BIG = (1n << 53n) + 1n
/** Base units between two amounts that are converted: enough to be seen in shares, fewer than a double skips at a thousand tokens of 18 decimals. */
const STRIDE = 1000n
/** A conversion may round at either end. */
const ROUNDING = 2n

/**
 * Tests that amounts are exact, from the request to the bytes and from the chain to the balance: the bytes contain the request's own amount, a request of one base unit
 * more makes bytes that differ by just that, `effects` promises an amount that no double can hold, and a position changes by the amount that went in or out. The largest
 * amount does no harm.
 */
export async function amounts(subject: Subject, check: Check): Promise<void> {
  const members: Member[] = []
  for (const action of subject.actions) {
    const { body } = await subject.example(action)
    const schemas = actionOf(subject.protocol, action).body
    for (const [name, schema] of Object.entries(schemas)) {
      const mark = amountMark(schema)
      if (!mark || !check.ok(body[name] !== undefined, `${action}: its example gives an amount for ${name}`)) continue
      const decimals = mark.decimals ?? subject.kit.decimals
      const amount = BigInt(String(inputOf(subject, action, body)[name]))
      const question = { action, name, decimals, amount }
      await largest(subject, check, question)
      const close = await neighbour(subject, question)
      check.ok(close !== null, `${action}: ${name} a base unit above or below that of its example is accepted`)
      if (close === null) continue
      const member = { ...question, near: close.near }
      members.push(member)
      if (subject.options.examples[action]?.converts) await converted(subject, check, member)
      else await held(subject, check, member, close.numbers)
    }
  }
  check.ok(true, `${members.length} amounts tried`)
  await exactBalances(subject, check, members)
}

/** The bytes hold the amount itself, and `effects` promises it. */
async function held(subject: Subject, check: Check, member: Member, [before, after]: readonly Numbers[]): Promise<void> {
  const { action, name, amount, near } = member
  if (!before || !after) return
  const where = [...before].filter(([, number]) => number === amount).map(([path]) => path)
  if (!check.ok(where.length > 0, `${action}: the bytes hold ${name} ${amount}, as it was asked for`, shown([...before]))) return
  const wrong = [...after]
    .filter(([path, number]) => {
      const difference = number - (before.get(path) ?? number)
      return where.includes(path) ? number !== near : difference !== 0n && difference !== near - amount
    })
    .map(([path, number]) => `${path} is ${number} and was ${before.get(path)}`)
  check.equal(wrong, [], `${action}: asked for ${name} ${near}, the bytes hold that, and differ in nothing else`)
  await promised(subject, check, member, where)
}

/** `effects` is pure, so that it can be asked about amounts that no wallet of the tests has. */
async function promised(subject: Subject, check: Check, { action, name }: Member, where: readonly string[]): Promise<void> {
  const { protocol, direct } = subject
  const declared = actionOf(protocol, action)
  const sentence = `${action}: effects promises ${name} ${BIG} as it is`
  try {
    const input = inputOf(subject, action, (await subject.example(action)).body)
    const big = { ...input, [name]: BIG }
    const facts = declared.read && !declared.settle ? await declared.read(direct, input) : undefined
    const numbers = numbersIn(declared.effects(direct.network, big, declared.settle ? declared.expect(big) : facts).calls)
    // Where facts of the chain limit it, it may be another amount altogether, but none that a double makes of this one.
    const off = (number: bigint | undefined) => number !== BIG && (!facts || (number !== undefined && about(number, BIG)))
    const wrong = where.filter((path) => off(numbers.get(path))).map((path) => `${path} is ${numbers.get(path)}`)
    check.equal(wrong, [], sentence)
  } catch (error) {
    check.fail(sentence, thrown(error))
  }
}

/** The bytes hold what the chain's price makes of the amount: in proportion, and by no steps. */
async function converted(subject: Subject, check: Check, member: Member): Promise<void> {
  const { action, name, amount } = member
  let stride = STRIDE
  let numbers = await together(subject, member, [0n, stride, 2n * stride])
  if (!numbers) {
    stride = -STRIDE
    numbers = await together(subject, member, [0n, stride, 2n * stride])
  }
  check.ok(numbers !== null, `${action}: ${name} ${2n * STRIDE} base units above or below that of its example is accepted`)
  const [first, second, third] = numbers ?? []
  if (!first || !second || !third) return
  let following = 0
  for (const [path, number] of first) {
    const [once, twice] = [(second.get(path) ?? number) - number, (third.get(path) ?? number) - number]
    if (once === 0n && twice === 0n) continue
    following++
    const share = (stride * number) / amount
    const even = about(once, share) && about(twice, 2n * share)
    const comparison = `${once} and ${twice} for ${stride} and ${2n * stride} of ${name}`
    check.ok(even, `${action}: ${path} follows ${name} in proportion`, comparison)
  }
  check.ok(following > 0, `${action}: the bytes follow ${name} by ${stride} base units`, shown([...first]))
}

function about(actual: bigint, expected: bigint): boolean {
  const difference = actual - expected
  return difference <= ROUNDING && difference >= -ROUNDING
}

async function neighbour(
  subject: Subject,
  question: AmountMember,
): Promise<{ readonly near: bigint; readonly numbers: readonly Numbers[] } | null> {
  for (const step of [1n, -1n]) {
    const numbers = await together(subject, question, [0n, step])
    if (numbers) return { near: question.amount + step, numbers }
  }
  return null
}

/** Numbers of the example crafted with its amount and with others, all in one moment of the chain; null when one of them is refused. */
async function together(subject: Subject, question: AmountMember, steps: readonly bigint[]): Promise<readonly Numbers[] | null> {
  const { action, name, decimals, amount } = question
  const { body } = await subject.example(action)
  try {
    return await Promise.all(
      steps.map(async (step) => {
        const text = JSON.stringify({ ...body, [name]: formatAmount(amount + step, decimals) })
        return numbersOf(subject, await capture(subject.protocol, subject.direct, actionOf(subject.protocol, action), text))
      }),
    )
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}

function numbersOf({ kit, direct }: Subject, { unsigned, effects, bounds }: CapturedCraft): Numbers {
  return numbersIn(kit.decode(membersOf(unsigned), effects, direct.network, bounds.terms ?? {}).calls)
}

function inputOf({ kit, protocol }: Subject, action: string, body: object): Readonly<Record<string, unknown>> {
  const { body: properties, invalidBody } = actionOf(protocol, action)
  return readInput(kit, properties, parseJson(JSON.stringify(body)), invalidBody)
}
