import { type Balance, formatAmount, itemsOf, membersOf, parseAmount } from '@svc/contract'
import { firstProblem } from '@svc/contract/host'
import { StakingBalanceSchema, StakingControlSchema, StakingObjectSchema } from '@svc/core/plugins'
import { type Check, messageOf, shown } from '../check.ts'
import { digestsOfMany } from '../digests.ts'
import { type Answer, numberText } from '../http.ts'
import { type Position, readPosition } from '../position.ts'
import type { Subject } from '../subject.ts'

/** Wire names of the buckets, besides the contract's. */
const BUCKETS = {
  staked_amount: 'staked',
  stake_activation_amount: 'activating',
  stake_deactivation_amount: 'deactivating',
  stake_withdrawing_amount: 'withdrawing',
  stake_rewards_amount: 'rewards',
} as const

/** Tests positions: nothing for a fresh address, exact amounts, objects that fit their buckets, 400 for an invalid address. */
export async function balance(subject: Subject, check: Check): Promise<void> {
  const { client, world, family, kit } = subject
  const fresh = world.freshWallet(family)
  const answer = await client.get(`/staking-balance/${fresh.address}`)
  if (check.equal(answer.status, 200, 'a fresh address has a balance')) {
    const position = valid(check, answer, kit.decimals)
    for (const name of Object.values(BUCKETS))
      check.ok(position?.[name] === null || position?.[name] === '0', `a fresh address has nothing ${name}`, position?.[name])
    check.ok(position?.objects === null || position?.objects.length === 0, 'a fresh address has no objects', position?.objects)
  }
  const wallets = [fresh.address]
  for (const action of subject.actions) {
    const { player } = await subject.example(action)
    await used(subject, check, player.wallet.address, action)
    wallets.push(player.wallet.address)
  }
  await digestsOfMany(subject, check, wallets)
  for (const text of family.malformedAddresses) {
    const refusal = await client.get(`/staking-balance/${encodeURIComponent(text)}`)
    check.equal(refusal.status, 400, `the address "${text}" answers 400`)
  }
}

/** A position with something in it, and the same under every spelling of its address. */
async function used(subject: Subject, check: Check, address: string, action: string): Promise<void> {
  const { client, kit, protocol, direct, family } = subject
  const answer = await client.get(`/staking-balance/${address}`)
  if (!check.equal(answer.status, 200, `the wallet of ${action} has a balance`)) return
  const position = valid(check, answer, kit.decimals)
  if (position) fits(check, position, action)
  exact(check, answer, await protocol.balance(direct, kit.address(address)), kit.decimals)
  for (const spelling of family.spellings(address)) {
    const same = await client.get(`/staking-balance/${spelling}`)
    check.equal([same.status, same.text], [200, answer.text], `the balance is the same under the spelling ${spelling}`)
  }
}

function valid(check: Check, { json, text }: Answer, decimals: number): Position | null {
  const { staking_objects: objects, by_validator: parts, control, ...buckets } = membersOf(json)
  // By validator it is told only where a part of it lies with a former one, and powers only where the plugin reads them.
  const absent = [...(parts === undefined ? ['by_validator'] : []), ...(control === undefined ? ['control'] : [])]
  const members = Object.keys(StakingBalanceSchema.properties).filter((name) => !absent.includes(name))
  const problem = firstProblem(StakingBalanceSchema, { ...buckets, staking_objects: null }, '')
  check.equal(problem, null, 'a balance fits its schema')
  check.equal(Object.keys(membersOf(json)).sort(), members.sort(), 'a balance has exactly its members')
  for (const power of itemsOf(control))
    check.equal(firstProblem(StakingControlSchema, power, 'control'), null, 'a power over the position fits its schema')
  check.ok(objects === null || Array.isArray(objects), 'staking_objects is a list or null', objects)
  for (const object of itemsOf(objects).map(membersOf)) {
    check.equal(firstProblem(StakingObjectSchema, object, 'staking_objects'), null, 'a staking object fits its schema')
    check.equal(Object.keys(object).sort(), Object.keys(StakingObjectSchema.properties).sort(), 'a staking object has exactly its members')
  }
  try {
    return readPosition(json, decimals)
  } catch (error) {
    check.fail(`amounts are exact decimals: ${messageOf(error)}`, text)
    return null
  }
}

/** Objects of one phase are no more than its bucket, and the withdrawable ones are all of it: they are what can be acted on. */
function fits(check: Check, { objects, ...buckets }: Position, action: string): void {
  if (!objects) return
  const ids = objects.map(({ id }) => id)
  const names = objects.map(({ id, validator }) => `${validator} ${id}`)
  check.equal(new Set(names).size, names.length, 'identifiers of objects are unique with a validator')
  check.ok(
    ids.every((id) => id !== ''),
    'every object has an identifier',
  )
  const units = (text: string | null) => (text === null ? 0n : parseAmount(text, 30))
  for (const [status, bucket] of [
    ['active', buckets.staked],
    ['activating', buckets.activating],
    ['deactivating', buckets.deactivating],
    ['withdrawable', buckets.withdrawing],
  ] as const) {
    const sum = objects.filter((object) => object.status === status).reduce((total, object) => total + units(object.amount), 0n)
    const holds = status === 'withdrawable' && bucket !== null ? sum === units(bucket) : sum <= units(bucket)
    check.ok(holds, `the ${status} objects of the wallet of ${action} fit their bucket`, `${formatAmount(sum, 30)} against ${bucket}`)
  }
}

/** The texts on the wire are the plugin's own numbers, digit by digit. */
function exact(check: Check, answer: Answer, own: Balance, decimals: number): void {
  for (const [wire, name] of Object.entries(BUCKETS)) {
    const units = own[name as keyof typeof own] as bigint | null
    const expected = units === null ? undefined : formatAmount(units, decimals)
    check.equal(numberText(answer.json, wire), expected, `${wire} is the exact decimal`)
  }
  check.ok(typeof own.staked === 'bigint', 'amounts are integers of base units inside', shown(own.staked))
}
