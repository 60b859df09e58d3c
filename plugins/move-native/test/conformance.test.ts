import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { type Answer, type Client, type Player, type PositionObject, randomAmount, testPlugin } from '@svc/conformance'
import { type MoveWallet, moveFamily, stakedSuiChanges, stakedSuiLies } from '@svc/conformance/move'
import { exactNumber, formatAmount, parseAmount } from '@svc/contract'
import { callers } from '@svc/testing/callers'
import t from 'tap'
import { operatorName, scenarios } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { onChain } from './chain.ts'
import { moves } from './moves.ts'
import { terms } from './terms.ts'
import { ledger } from './wealth.ts'

const { scenario, chain } = onChain(scenarios[0]!)
/** Nine decimals, the last one set. */
const EXACT = '1234.000000001'
const amount = exactNumber(EXACT)
const mist = (text: string | null) => parseAmount(text ?? '0', 9)
const sui = (units: bigint) => formatAmount(units, 9)

async function staked(player: Player): Promise<void> {
  await player.act('stake', { amount })
}

async function earning(player: Player): Promise<void> {
  await staked(player)
  await player.advance({ epochs: 4 })
}

/** The only position of a player, as `unstake` wants it. */
async function onlyId(player: Player): Promise<string> {
  const { objects } = await player.position()
  if (objects?.length !== 1) throw new Error(`the test expects one position, and there are ${objects?.length}`)
  return objects[0]!.id
}

function keyOf(player: Player): Ed25519Keypair {
  const { key } = player.wallet as MoveWallet
  return Ed25519Keypair.fromSecretKey(key.export({ format: 'der', type: 'pkcs8' }).subarray(-32))
}

/** Withdraws a position, and records whether it paid what was shown of it, to the MIST. */
async function withdraw(player: Player, { id, amount, rewards }: PositionObject): Promise<void> {
  const before = await chain().holds(player.wallet.address)
  const { hash } = await player.act('unstake', { staked_sui_object_id: id })
  const paid = (await chain().holds(player.wallet.address)) - before + (await chain().gasOf(hash))
  player.check.equal(sui(paid), sui(mist(amount) + mist(rewards)), 'it paid what the balance had said')
}

/** Makes fungible what a wallet has staked, which the service does not craft. */
async function convert(player: Player, id: string): Promise<void> {
  await chain().run(keyOf(player), (tx) => {
    const [share] = tx.moveCall({
      target: '0x3::sui_system::convert_to_fungible_staked_sui',
      arguments: [tx.object.system({ mutable: true }), tx.object(id)],
    })
    tx.transferObjects([share!], player.wallet.address)
  })
}

/** Stakes with another validator than the operator's. */
async function stakeWith(player: Player, validator: string, units: bigint): Promise<void> {
  await chain().run(keyOf(player), (tx) => {
    const [coin] = tx.splitCoins(tx.gas, [units])
    tx.moveCall({
      target: '0x3::sui_system::request_add_stake',
      arguments: [tx.object.system({ mutable: true }), coin!, tx.pure.address(validator)],
    })
  })
}

interface Listed {
  readonly staking_objects: readonly { readonly id: string }[]
}

/** An action from craft to block, by a wallet that was funded otherwise than a player's is. */
async function go(client: Client, wallet: MoveWallet, action: string, body: object): Promise<void> {
  const crafted = await succeeded(client.post(`/action/${action}`, { wallet_address: wallet.address, ...body }))
  const signed = await succeeded(client.post('/action/prepare', await moveFamily.sign(crafted as never, wallet)))
  const { tx_hash } = (await succeeded(client.post('/action/broadcast', signed))) as { tx_hash: string }
  await moveFamily.landed(chain().move.rpcUrl, tx_hash)
}

async function succeeded(sent: Promise<Answer>): Promise<unknown> {
  const { status, json, text } = await sent
  if (status !== 200) throw new Error(`a step was refused: ${status} ${text}`)
  return json
}

let ready = ''
let withdrawn = ''
let coin = ''
let foreign = ''
const NOBODYS = `0x${'12'.repeat(32)}`

await testPlugin(t, {
  plugin,
  scenario,
  family: moveFamily,
  callers: callers(import.meta.url),
  budget: { craft: { stake: 1, unstake: 2 }, balance: 2, prepare: 0 },
  examples: {
    stake: { body: { amount } },
    unstake: {
      async setup(player) {
        await earning(player)
        ready = await onlyId(player)
      },
      body: {
        get staked_sui_object_id() {
          return ready
        },
      },
    },
  },
  ledger: ledger(chain),
  moves: moves(chain),
  former: {
    leaving: ['unstake'],
    change: async () => ({ settings: { validator: chain().move.validator('atlas').address }, former: {} }),
  },
  condition: {
    action: 'stake',
    idle: [
      {
        state: 'inactive',
        code: 'VALIDATOR_INACTIVE',
        async during(then) {
          chain().leaves(operatorName)
          await chain().move.advance({ epochs: 1 })
          await then()
          await chain().move.createValidator({ name: operatorName, commissionBps: 400 })
        },
      },
    ],
  },
  control: {
    async begin(player, random) {
      // So much that one SUI, which a stranger gives, is less than a hundredth of it.
      for (let more = random(3); more >= 0; more--) await player.act('stake', { amount: randomAmount(random, [110, 1_000], 9) })
      await player.advance({ epochs: 4 })
    },
    changes: stakedSuiChanges,
    lies: stakedSuiLies,
  },
  terms,
  journeys: [
    {
      name: 'a stake waits for its epoch, earns, and leaves with its rewards in one transaction',
      async run(player) {
        const none = { deactivating: null, withdrawing: null }
        await player.expect('nothing is staked', { ...none, staked: '0', activating: '0', rewards: '0', objects: [] })
        await player.act('stake', { amount })
        const { epoch } = chain().move.latest()
        const object = {
          type: 'delegation',
          amount: EXACT,
          validator: chain().move.validator('operator').address,
          activationEpoch: epoch + 1,
          withdrawableEpoch: null,
          withdrawableAt: null,
        }
        await player.expect('it waits', {
          ...none,
          staked: '0',
          activating: EXACT,
          rewards: '0',
          objects: [{ ...object, status: 'activating', rewards: '0' }],
        })
        await player.advance({ epochs: 1 })
        await player.expect('it is active, and has not earned yet', {
          staked: EXACT,
          activating: '0',
          rewards: '0',
          objects: [{ ...object, status: 'active', rewards: '0' }],
        })
        await player.act('stake', { amount: 1 })
        await player.advance({ epochs: 30 })
        const { staked, activating, rewards, objects } = await player.position()
        player.check.equal([staked, activating], ['1235.000000001', '0'], 'stakes add up')
        // About 1.5 % a year of 1235, thirty days of it.
        player.check.ok(mist(rewards) > 1_400_000_000n && mist(rewards) < 1_700_000_000n, 'a month has earned what it should', rewards)
        player.check.equal(sui(objects!.reduce((sum, each) => sum + mist(each.rewards), 0n)), rewards, 'rewards are those of the objects')
        for (const each of objects!) await withdraw(player, each)
        await player.expect('nothing is left', { ...none, staked: '0', activating: '0', rewards: '0', objects: [] })
      },
    },
    {
      name: 'a stake that is not active yet pays its principal',
      async run(player) {
        await staked(player)
        const { objects } = await player.position()
        await withdraw(player, objects![0]!)
        await player.expect('nothing is left', { staked: '0', activating: '0', objects: [] })
        await player.refused('unstake', { staked_sui_object_id: objects![0]!.id }, 'STAKE_NOT_FOUND')
      },
    },
    {
      name: 'stakes of different epochs pay different rewards, each as it was shown',
      async run(player) {
        for (let epoch = 0; epoch < 6; epoch++) {
          await player.act('stake', { amount: exactNumber(`${epoch * 1000 + 7}.123456789`) })
          await player.advance({ epochs: 1 })
        }
        await player.act('stake', { amount: 5 })
        const { objects, rewards } = await player.position()
        player.check.equal(objects?.map(({ status }) => status).sort(), ['activating', ...Array(6).fill('active')], 'seven positions')
        player.check.equal(sui(objects!.reduce((sum, each) => sum + mist(each.rewards), 0n)), rewards, 'rewards are those of the objects')
        // The last one before the others: withdrawals of an epoch do not change what the others pay.
        for (const each of objects!.toReversed()) await withdraw(player, each)
      },
    },
    {
      name: 'fungible stake is shown and redeemed as principal and reward',
      async run(player) {
        await earning(player)
        const before = await player.position()
        await convert(player, before.objects![0]!.id)
        await player.act('stake', { amount: 10 })
        const after = await player.position()
        const share = after.objects!.find(({ status }) => status === 'active')!
        player.check.equal(
          { ...share, id: '', amount: '', rewards: '' },
          { ...before.objects![0]!, id: '', amount: '', rewards: '', activationEpoch: null },
          'it has no epoch of its own',
        )
        player.check.ok(share.id !== before.objects![0]!.id, 'and is another object')
        player.check.ok(mist(share.rewards) > 0n, 'with what was earned', share)
        await player.advance({ epochs: 9 })
        const grown = (await player.position()).objects!.find(({ id }) => id === share.id)!
        player.check.ok(mist(grown.rewards) > mist(share.rewards), 'which grows', [share, grown])
        await withdraw(player, grown)
        player.check.equal((await player.position()).objects?.length, 1, 'the other one stays')
      },
    },
    {
      name: 'several owners of fungible stake of one pool are paid in turn, each what is shown then',
      async run(player) {
        for (const part of [10, 33.333333333, 500]) {
          await player.act('stake', { amount: exactNumber(String(part)) })
          await player.advance({ epochs: 2 })
        }
        for (const { id } of (await player.position()).objects!) await convert(player, id)
        await player.act('stake', { amount: 7 })
        await player.advance({ epochs: 3 })
        for (let left = 4; left > 0; left--) await withdraw(player, (await player.position()).objects![0]!)
      },
    },
    {
      name: 'an epoch that ended in safe mode has no rate, and the one before it counts',
      async run(player) {
        await staked(player)
        chain().safeMode()
        await player.act('stake', { amount: 77 })
        for (const _ of [1, 2]) chain().safeMode()
        await player.act('stake', { amount: 88 })
        for (const _ of [1, 2, 3, 4]) chain().safeMode()
        await player.advance({ epochs: 3 })
        const { objects, rewards } = await player.position()
        player.check.ok(rewards !== null && mist(rewards) > 0n, 'rewards are derived all the same', rewards)
        for (const each of objects!) await withdraw(player, each)
      },
    },
    {
      name: 'with a validator that has asked to leave nothing is staked, and what is staked can leave',
      async run(player) {
        await earning(player)
        chain().leaves(operatorName)
        // Once an epoch has begun, the state of the system is read anew.
        const { objects } = await player.position()
        await player.refused('stake', { amount: 1 }, 'VALIDATOR_INACTIVE')
        await withdraw(player, objects![0]!)
        chain().move.node.changeValidator(operatorName, { leaving: false })
        await player.advance({ epochs: 1 })
        await player.position()
        await player.act('stake', { amount: 1 })
      },
    },
    {
      name: 'a validator that left keeps paying what was earned until then',
      async run(player) {
        const validator = chain().move.validator('galileo').address
        await stakeWith(player, validator, 500_000_000_001n)
        await player.advance({ epochs: 3 })
        await stakeWith(player, validator, 20_000_000_000n)
        const early = (await player.position()).objects!
        await convert(player, early.find(({ status }) => status === 'active')!.id)
        await stakeWith(player, validator, 30_000_000_000n)
        await player.advance({ epochs: 2 })
        chain().leaves(validator)
        await player.advance({ epochs: 2 })
        const { objects, rewards } = await player.position()
        player.check.equal(rewards, null, 'the sum is null, since the parts of a fungible payout are not known')
        player.check.equal(
          objects?.map((each) => [each.status, each.validator]),
          Array(3).fill(['active', validator]),
          'all are active',
        )
        await player.advance({ epochs: 5 })
        player.check.equal((await player.position()).objects, objects, 'nothing is earned any more')
        for (const { id } of objects!) {
          const object = (await player.position()).objects!.find((each) => each.id === id)!
          await withdraw(player, object)
        }
      },
    },
    {
      name: 'coins that are spread over hundreds of objects count together',
      async run({ client, check }) {
        const wallet = moveFamily.wallet(2_000_000)
        await chain().move.giveCoins(wallet.address, 300, '5')
        await go(client, wallet, 'stake', { amount: exactNumber('1100.5') })
        const { staking_objects: objects } = (await client.get(`/staking-balance/${wallet.address}`)).json as Listed
        check.equal(objects.length, 1, 'no single coin covered it')
        const refused = await client.post('/action/stake', { wallet_address: wallet.address, amount: 400 })
        check.equal([refused.status, refused.code], [400, 'INSUFFICIENT_BALANCE'], 'what is left is not 400')
      },
    },
    {
      name: 'an address balance pays for everything where there are no coins',
      async run({ client, check }) {
        const wallet = moveFamily.wallet(2_000_001)
        await chain().move.fundAddressBalance(wallet.address, '200')
        await go(client, wallet, 'stake', { amount: exactNumber('150.5') })
        const { staking_objects: objects } = (await client.get(`/staking-balance/${wallet.address}`)).json as Listed
        check.equal(objects.length, 1, 'it is staked')
        await go(client, wallet, 'unstake', { staked_sui_object_id: objects[0]!.id })
        const left = await chain().holds(wallet.address)
        check.ok(left > 199_900_000_000n && left < 200_000_000_000n, 'all of it came back, less the gas', String(left))
      },
    },
    {
      name: 'a party object is a position like any other',
      async run(player) {
        await earning(player)
        const [object] = (await player.position()).objects!
        await chain().move.makeParty(object!.id)
        await player.expect('it is listed', { objects: [object!] })
        await withdraw(player, object!)
      },
    },
    {
      name: 'two crafts at once use the same coins, and one of them lands',
      async run(player) {
        const crafts = [await player.craft('stake', { amount: 1 }), await player.craft('stake', { amount: 2 })]
        const answers = []
        for (const { json } of crafts) {
          const signed = await player.client.post('/action/prepare', await moveFamily.sign(json as never, player.wallet as MoveWallet))
          answers.push(await player.client.post('/action/broadcast', signed.json))
        }
        player.check.equal(
          answers.map(({ status, code }) => [status, code]),
          [
            [200, undefined],
            [400, 'TRANSACTION_STALE'],
          ],
          'the other is refused, and says so',
        )
        await player.act('stake', { amount: 2 })
        await player.expect('crafted again it lands', { activating: '3' })
      },
    },
  ],
  refusals: [
    { name: 'less than 1', action: 'stake', body: { amount: exactNumber('0.999999999') }, code: 'AMOUNT_TOO_SMALL' },
    { name: 'ten decimals', action: 'stake', body: { amount: exactNumber('1.0000000001') }, code: 'AMOUNT_INVALID' },
    { name: 'more than the wallet holds', action: 'stake', body: { amount: 100_001 }, code: 'INSUFFICIENT_BALANCE' },
    { name: 'all that the wallet holds', action: 'stake', body: { amount: 100_000 }, code: 'INSUFFICIENT_BALANCE' },
    { name: 'more than the chain can express', action: 'stake', body: { amount: exactNumber('1e58') }, code: 'AMOUNT_INVALID' },
    { name: 'one MIST more than it can express', action: 'stake', body: { amount: '18446744073.709551616' }, code: 'AMOUNT_INVALID' },
    { name: 'all that it can express', action: 'stake', body: { amount: '18446744073.709551615' }, code: 'INSUFFICIENT_BALANCE' },
    { name: 'an object that never was', action: 'unstake', body: { staked_sui_object_id: NOBODYS }, code: 'STAKE_NOT_FOUND' },
    { name: 'an object id that was cut', action: 'unstake', body: { staked_sui_object_id: '0x5' }, code: 'ADDRESS_INVALID' },
    {
      name: 'a position that was withdrawn',
      async setup(player) {
        await staked(player)
        withdrawn = await onlyId(player)
        await player.act('unstake', { staked_sui_object_id: withdrawn })
      },
      action: 'unstake',
      body: {
        get staked_sui_object_id() {
          return withdrawn
        },
      },
      code: 'STAKE_NOT_FOUND',
    },
    {
      name: 'a coin',
      async setup(player) {
        coin = (await chain().move.fund(player.wallet.address, '3')).coin
      },
      action: 'unstake',
      body: {
        get staked_sui_object_id() {
          return coin
        },
      },
      code: 'OBJECT_NOT_STAKE',
    },
    {
      name: 'the system itself',
      action: 'unstake',
      body: { staked_sui_object_id: `0x${'5'.padStart(64, '0')}` },
      code: 'OBJECT_NOT_STAKE',
    },
    {
      name: "another's position",
      async setup() {
        const { objects } = await chain().sui.listOwnedObjects({
          owner: chain().move.validator('atlas').address,
          type: '0x3::staking_pool::StakedSui',
        })
        foreign = objects[0]!.objectId
      },
      action: 'unstake',
      body: {
        get staked_sui_object_id() {
          return foreign
        },
      },
      code: 'STAKE_NOT_OWNED',
    },
  ],
})
